/**
 * Languages of other families, and what holds for all ("und"): titles and initials that many languages share, marks that
 * end sentences anywhere.
 */
import type { LanguageTable } from "../table.js";
import { letters, words } from "./words.js";

export const others: Record<string, LanguageTable> = {
  und: {
    titles: words("Dr. Prof. St. vs. cf. ca."),
    abbreviations: words("etc. Inc. Ltd. Co. Corp. Jr. Sr. Ph.D."),
    hyphens: "join",
    ordinals: "none",
    sentenceEnds: ".!?…‼⁇⁈⁉‽。！？｡．।॥؟۔։።፧፨᙮᠃᠉၊။។៕៖܀܁܂꓿꘎꘏꛳꛷꧈꧉᭚᭛᭞᭟¶",
    closingQuotes: "”’»›」』》〉】〕",
  },
  fi: {
    titles: words(`
      esim. ns. mm. ts. eli. ks. vrt. n. noin. nro. s. ss. luku. kpl. prof. tri. toht. fil. maist. dipl. ins. p.
      puh. os. ym. em. ko. nyk. ent. St. synt. huom. tmv. tms. ed. jne. eKr. jKr.`),
    abbreviations: words(`
      jne. ym. yms. tms. tmv. muuta. eaa. jaa. eKr. jKr. milj. mrd. klo. mk. oy.`),
    ordinals: "join",
    joiners: ":",
    numberSuffixes: words(`
      :n :ssa :ssä :sta :stä :lla :llä :lta :ltä :een :iin :nen :s :stä :nnen`),
    starters: words(`
      Se Ne Hän He Me Minä Sinä Te Tämä Nämä Mutta Ja Tai Kun Jos Kuin Mitä Miten Myös Nyt Sitten`),
  },
  et: {
    titles: words(`
      nt. näit. s.t. st. nn. vt. vrd. nr. lk. ptk. prof. dr. dots. insen. hr. pr. prl. tel. u. umb. ca. sh. s.h.
      k.a. m.a. tn. mnt. pst. joon. tab.`),
    abbreviations: words(`
      jne. jm. jms. jt. e.m.a. m.a.j. eKr. pKr. a. min. sek. tuh. mln. mld. kr. sajand.`),
    ordinals: "join",
  },
  hu: {
    titles: words(`
      dr. Dr. ifj. id. özv. prof. Prof. pl. ún. u.n. ill. kb. ld. vö. sz. szt. Szt. st. nr. old. o. bek. fej. tel.
      u. utca. ford. szerk. szül. megh. ker. min. max. vm. áll. ált. ang. ném. lat. fr.`),
    abbreviations: words(`
      stb. s.t.b. kft. Kft. Rt. Zrt. Nyrt. Bt. i.e. i.sz. Kr.e. Kr.u. évf. ill. jan. febr. márc. ápr. jún. júl.
      aug. szept. okt. nov. dec. ezr. m. ft.`),
    ordinals: "join",
    closingQuotes: "”«",
    starters: words(`
      A Az Egy Ez Azok Ezek Ő Ők Mi Én Te De És Vagy Ha Amikor Mint Hogy Mit Is Nem`),
  },
  tr: {
    titles: words(`
      Dr. Prof. Doç. Yrd. Av. Alb. Gen. Org. Yzb. Müh. Öğr. Gör. Sn. Bkz. bkz. s. ss. no. No. cad. Cad. sok. Sok.
      mah. Mah. tel. Tel. örn. Örn. yy. haz. çev. ed. cilt. Hz. St.`),
    abbreviations: words(`
      vb. vs. v.b. v.s. A.Ş. Ltd. Şti. M.Ö. M.S. İ.Ö. İ.S. dk. sn. sa. T.C. K.K.T.C. A.B.D.`),
    ordinals: "join",
    afterOrdinals: words(`
      Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık Yüzyıl`),
  },
  az: { like: "tr" },
  eu: {
    titles: words("jn. and. dk. Dk. or. orr. zk. adib. art. kap. St. hg."),
    abbreviations: words("etab. etb. K.a. K.o. e.a."),
    ordinals: "join",
  },
  ga: {
    titles: words("Dr. tOll. lch. lgh. uimh. m.sh. féach."),
    abbreviations: words("srl. r.Ch. i.C. R.C. teo."),
    prefixes: words("d' b' m'"),
    suffixes: words("-sa -se -san -sean"),
  },
  gd: { like: "ga", prefixes: words("a' b' d' m' th'") },
  cy: {
    titles: words("Dr. e.e. h.y. t. tt. rhif."),
    abbreviations: words("ayb. ayyb. CC. OC."),
    suffixes: words("'r 'n 'i 'u 'w 'm 'th 'ch 'na"),
  },
  br: { prefixes: words("d' n' m' b'") },
  mt: {
    prefixes: words(`
      l- il- iċ- id- in- ir- is- it- ix- iż- iz- t' f' b' x' m' tal- fil- bil- mill- lill- għall-`),
  },
  sq: {
    titles: words("z. zj. znj. dr. prof. nr. f. ff. p.sh. d.m.th. sh. art. fq. tel."),
    abbreviations: words("etj. tj. p.e.s. e.s. mln. mld."),
    prefixes: words("t' s' m' ç'"),
  },
  el: {
    titles: words(`
      κ. κα. κκ. δρ. π.χ. δηλ. βλ. πρβλ. αρ. σελ. σ. τ. τηλ. αγ. Αγ. λ.χ. περ. καθ. ταξ. στρ. αρθ. παρ. κεφ. εικ.
      γεν. αι.`),
    abbreviations: words(`
      κ.λπ. κλπ. κ.ά. κ.τ.λ. κτλ. κ.α. π.Χ. μ.Χ. Α.Ε. Ε.Ε. Η.Π.Α. εκ. χιλ. δισ. ό.π. Ιαν. Φεβ. Μαρ. Απρ. Αυγ. Σεπ.
      Οκτ. Νοε. Δεκ.`),
    prefixes: words("σ' απ' γι' μ' τ' ν' θ' κι' ξ' παρ' επ' κατ' μετ' υπ' αντ' καθ' εφ'"),
    sentenceEnds: ";;",
  },
  hy: { sentenceEnds: "։", abbreviations: words("այլն. թ. թթ. հ. էջ. օր.") },
  ka: {
    titles: words("მაგ. იხ. ე.ი. ე.წ. გვ. ქ. პროფ. დოც. აკად. წმ. ბ-ნ. ქ-ნ."),
    // Georgian has no capitals, by which initials are told elsewhere.
    abbreviations: [
      ...letters("აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ"),
      ...words("ა.შ. სხვ. წ. წწ. სს. ჩვ.წ. მლნ. მლრდ."),
    ],
  },
  hi: {
    titles: words("डॉ. प्रो. श्री. श्रीमती. पं. कु. मो. सं. पृ. क्र. रु."),
    abbreviations: words("ई. पू. ई.पू. वि. सं."),
  },
  mr: { titles: words("डॉ. प्रा. श्री. सौ. कु. पं. पृ. क्र. रु. इ.स. उदा."), abbreviations: words("इ. वि.") },
  ne: { like: "hi" },
  bn: { titles: words("ড. ডা. মো. মোঃ. প্রফে. পৃ. নং. রা."), abbreviations: words("খ্রি. খ্রিঃ. হি.") },
  ta: { titles: words("திரு. டாக்டர். எ.கா. பக்."), abbreviations: words("கி.மு. கி.பி.") },
  te: { titles: words("డా. శ్రీ. ఉదా. పే."), abbreviations: words("క్రీ.పూ. క్రీ.శ.") },
  ar: { titles: words("د. أ. م. ص. ت. ج. ط."), abbreviations: words("ق.م. ب.م. ه. م. إلخ. الخ.") },
  he: { titles: words("גב'. פרופ'. ד\"ר."), wholes: words("גב' פרופ' מס' עמ' רח' טל' וכו' וגו'") },
  id: {
    titles: words(`
      Bpk. Bp. Ibu. Sdr. Sdri. Dr. dr. Drs. Dra. Ir. Prof. H. Hj. K.H. KH. No. no. hlm. hal. Jl. Jln. Kab. Kec.
      Prov. mis. a.n. u.p. s.d. d.a.`),
    abbreviations: words(`
      dsb. dll. dst. dkk. tsb. S.H. S.E. M.Si. M.Sc. M.A. S.Pd. Tbk. P.T. SM. M. jt. mlr.`),
  },
  ms: { like: "id" },
  fil: {
    titles: words("G. Gng. Bb. Dr. Dra. Atty. Engr. Kgg. blg."),
    abbreviations: words("atbp. hal."),
    suffixes: words("'y 't 'n"),
  },
  vi: {
    titles: words("TP. Tp. TS. ThS. GS. PGS. BS. KS. Q. P. tr. v.v. Đ. St."),
    abbreviations: words("v.v. TCN. SCN."),
  },
  sw: {
    titles: words("Bw. Bi. Dkt. Prof. Mh. Na. uk. k.m. mf. tel."),
    abbreviations: words("n.k. k.k. B.K. K.K."),
  },
  eo: {
    titles: words("d-ro. prof. s-ro. s-ino. ekz. t.e. t.n. p. ĉ. vd. n-ro. k. St. ĉef."),
    abbreviations: words("ktp. k.a. k.c. k.s. a.K. p.K. k.t.p."),
    prefixes: words("l'"),
  },
  kk: {
    titles: words("т.б. мыс. ж. б. қ. обл. ауд. проф. акад. бет. тең. млн. млрд."),
    abbreviations: words("т.б. т.с.с. б.з.б. ж.ж."),
  },
  mn: { titles: words("жнь. проф. акад. дог. х. т."), abbreviations: words("г.м. мэт. м.э.ө.") },
  ky: { like: "kk" },
  uz: { like: "tr" },
};
