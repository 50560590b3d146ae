/** The other Germanic languages. */
import type { LanguageTable } from "../table.js";
import { letters, words } from "./words.js";

const scandinavianMonths = words(`
      januar februar mars marts april mai maj juni juli august september oktober november desember december janúar
      februar apríl juni juli septembur oktobur novembur desembur`);

export const germanic: Record<string, LanguageTable> = {
  de: {
    titles: [
      ...letters("zBdhuai"),
      ...words(`
      z. B. z.B. d. h. d.h. u.a. u. a. i.d.R. s. S. vgl. Vgl. bzw. ca. Dr. Prof. Hr. Fr. Frl. Hrn. St. Dipl. Ing.
      Mag. phil. med. jur. rer. nat. habil. Abs. Art. Bd. Kap. Nr. Nrn. Tel. Str. evtl. ggf. gem. inkl. exkl.
      insb. insbes. sog. z.T. z.Zt. i.A. i.V. o.ä. u.U. v.a. m.E. a.D. geb. gest. verh. ehem. entspr. Hrsg. hrsg.
      Aufl. bes. Bez. röm. griech. lat. engl. frz. dt. österr. schweiz. Chr. zzgl. max. min. Mio. Mrd. Tsd. Std.
      Min. Sek. Jh. Jhd. Jahrh. Univ. Abb. Tab. Anm. lt. Lt. mind. sen. jun. Ges. Gebr. Abt. Bgm. Vors. Stv. stv.
      Gen. Kard. Hl. hl.`),
    ],
    abbreviations: words(`
      usw. etc. u.s.w. usf. Co. Inc. Ltd. o.Ä. u.Ä. e.V. v.Chr. n.Chr. a.M. jr. sr. Jan. Feb. Apr. Aug. Sept. Okt.
      Nov. Dez.`),
    ordinals: "join",
    afterOrdinals: words(`
      Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jan. Feb. Apr.
      Aug. Sept. Okt. Nov. Dez. Jahrhundert Jahrhunderts Jh. Jahrtausend Platz Auflage Jahrestag Geburtstag
      Lebensjahr Klasse Stock Etage Tag Spieltag Runde Bundesliga Liga Weltkrieg Armee Division Bezirk Kapitel
      Präsident Präsidenten Mal Minute`),
    numberSuffixes: words("er ern jährige jährigen jähriger"),
    starters: words(`
      Der Die Das Ein Eine Er Sie Es Wir Ihr Ich In Im Am Auf Mit Nach Von Für Bei Aber Und Oder Doch Dann Wenn
      Als Was Wie Wer Wo Auch So Diese Dieser Dieses Man`),
    closingQuotes: "“‘«‹",
  },
  nl: {
    titles: words(`
      dhr. mevr. mw. mr. drs. dr. ir. ing. prof. ds. bijv. bv. m.b.t. d.w.z. o.a. i.v.m. t.a.v. t.o.v. nl. nr.
      blz. pag. art. ca. resp. vgl. St. jl. sr. jr. Mr. Dr. Drs. Prof. Ir. Ing. Dhr. Mevr.`),
    abbreviations: words("enz. etc. e.d. e.a. N.V. B.V. v.Chr. n.Chr."),
    wholes: words("'s 't 'n 'k 'm zo'n 's-Gravenhage 's-Hertogenbosch 's avonds"),
    numberSuffixes: words("e de ste"),
    starters: words(`
      De Het Een Hij Zij Ze Wij We Ik Je Jij U Dit Dat Deze Die In Op Met Voor Van Maar En Of Als Wat Hoe Waar Er
      Ook Toen Dan`),
  },
  af: {
    like: "nl",
    titles: words("mnr. mev. mej. bv. dr. prof. ds. nr. bl. vgl. d.w.s. o.a. m.a.w."),
    abbreviations: words("ens. e.d."),
    wholes: words("'n"),
  },
  fy: { like: "nl" },
  lb: { like: "de", prefixes: words("d' D' l' L'") },
  sv: {
    titles: words(`
      t.ex. bl.a. d.v.s. dvs. s.k. f.d. fr.o.m. t.o.m. p.g.a. m.a.o. ca. kap. nr. st. tel. dr. prof. jfr. jmf.
      resp. t. ex. bl. a. s. k.`),
    abbreviations: words("m.m. o.s.v. osv. etc. e.d. f.Kr. e.Kr. kl. milj. mkr. kr."),
    joiners: ":",
    numberSuffixes: words(":a :e :s"),
    starters: words(`
      Den Det De Han Hon Vi Jag Du Ni En Ett I På Av För Med Men Och Om När Som Så Där Här Vad Hur`),
  },
  da: {
    titles: words(`
      f.eks. bl.a. d.v.s. dvs. ca. nr. kap. pkt. s. jf. hr. fr. dr. prof. cand. mag. stk. evt. inkl. ekskl. vedr.
      tlf. f. eks. bl. a. pga. p.g.a. m.h.t. i.h.t. iflg. adj. Skt. Sct. St.`),
    abbreviations: words(`
      osv. o.s.v. m.v. mv. m.m. mm. etc. o.l. o.lign. mio. mia. kr. kl. f.Kr. e.Kr. A.B. a.m.b.a. jan. feb. apr.
      aug. sept. okt. nov. dec.`),
    ordinals: "join",
    afterOrdinals: scandinavianMonths,
    starters: words(`
      Den Det De Han Hun Vi Jeg Du En Et I På Af For Med Men Og Om Når Som Så Der Her Hvad Hvordan Man`),
  },
  nb: {
    like: "da",
    titles: words(`
      f.eks. bl.a. dvs. ca. nr. jf. jfr. kap. s. hr. fru. dr. prof. tlf. pga. mht. ifm. iht. evt. inkl. ekskl.
      vedr. St. fhv. avd.`),
    abbreviations: words("osv. o.l. o.a. m.m. mv. m.v. mill. mrd. kr. kl. f.Kr. e.Kr."),
  },
  nn: { like: "nb", titles: words("t.d. m.a. dvs. jf."), abbreviations: words("osb. o.l. m.m. mill. mrd.") },
  no: { like: "nb" },
  fo: {
    titles: words(`
      t.d. t.e. m.a. nr. s. ca. hr. frú. dr. prof. próst. kap. bls. bl. tlf. sbr. sb. vm. evt. u.l. um. t.v.s.
      t.s. viðv. St.`),
    abbreviations: words(`
      o.s.fr. osfr. osv. o.s.v. o.a. o.tíl. o.t. o.l. m.m. mió. mia. kr. kl. f.Kr. e.Kr. u.s.fr. v.m. m.v.`),
    ordinals: "join",
    afterOrdinals: scandinavianMonths,
    closingQuotes: "“‘",
    starters: words(`
      Tann Tað Tey Teir Tær Hann Hon Vit Eg Tú Tit Ein Eitt Í Á Av Fyri Við Men Og Um Tá Sum So Har Her Hvat
      Hvussu Hetta Hesin Hendan Nú Eisini`),
  },
  is: {
    titles: words(`
      t.d. þ.e. þ.e.a.s. m.a. þ.á.m. s.s. u.þ.b. nr. bls. ca. sbr. skv. dr. hr. frú. sr. kap. gr. mgr. tl. St.
      a.m.k. o.fl. f.h. s.k.`),
    abbreviations: words(`
      o.s.frv. o.fl. o.þ.h. m.fl. f.Kr. e.Kr. kl. kr. millj. ma. ehf. hf. f.h. e.h. jan. feb. apr. ág. sept. okt.
      nóv. des.`),
    ordinals: "join",
    afterOrdinals: words(`
      Janúar Febrúar Mars Apríl Maí Júní Júlí Ágúst September Október Nóvember Desember`),
    closingQuotes: "“‘",
    starters: words(`
      Það Þetta Hann Hún Þeir Þær Þau Við Ég Þú Þið Í Á Af Fyrir Með En Og Um Þegar Ef Sem Svo Þar Hér Hvað
      Hvernig Nú`),
  },
  gsw: { like: "de" },
  nds: { like: "de" },
  sco: { like: "en", suffixes: words("n't 's") },
};
