/** Slavic and Baltic languages. */
import type { LanguageTable } from "../table.js";
import { words } from "./words.js";

export const slavic: Record<string, LanguageTable> = {
  cs: {
    titles: words(`
      např. tzv. tj. tzn. mj. resp. popř. příp. vč. zejm. cca. ca. č. čís. str. s. sv. ul. nám. tř. p. pí. sl. dr.
      Dr. prof. Prof. doc. Doc. Ing. ing. Mgr. Bc. JUDr. MUDr. PhDr. RNDr. ThDr. Ph. arch. akad. gen. plk. mjr.
      kpt. por. red. odst. čl. písm. kap. obr. tab. srov. viz. tel. nar. zemř. min. max. St. Sv. zvl. vyd. roč.
      pozn. okr. kr. angl. něm. lat. franc. býv. mld. mil. tis. hod.`),
    abbreviations: words(`
      atd. apod. aj. ap. a.s. s.r.o. n.l. př.n.l. Kč. hl.m. Ph.D. CSc. DrSc. spol. v.o.s. ods. ibid.`),
    ordinals: "split",
    hyphens: "split",
    starters: words(`
      Ten Ta To Ti Ty On Ona Oni My Já V Ve Na Po Do Za Od Pro S Ale A I Nebo Když Jak Co Kdo Kde Také Tak Podle
      Je`),
    closingQuotes: "“‘«",
  },
  sk: {
    like: "cs",
    titles: words(`
      napr. tzv. t.j. tj. resp. príp. vrát. č. str. sv. ul. nám. p. dr. prof. doc. Ing. ods. čl. písm. porov. nar.
      mil. mld. tis. hod.`),
    abbreviations: words("atď. pod. apod. i. s.r.o. a.s. n.l. pr.n.l."),
    ordinals: "join",
  },
  pl: {
    titles: words(`
      np. tzw. tj. tzn. m.in. dr. prof. hab. mgr. inż. lek. ks. św. bł. o. im. ul. al. pl. os. nr. poz. str. s. t.
      art. ust. pkt. lit. rozdz. rys. tab. zob. por. ok. ww. ds. pt. ur. zm. śp. gen. płk. mjr. kpt. red. wyd.
      tłum. płd. płn. zach. wsch. ang. niem. łac. fr. godz. min. sek. tel. woj. pow. gm. m.st. St. tys. mln. mld.`),
    abbreviations: words("itd. itp. in. n.e. p.n.e. zł. r. w. sp. o.o. S.A. m.n.p.m. ibid."),
    ordinals: "split",
    closingQuotes: "”«",
    starters: words(`
      Ten Ta To Ci Te On Ona Oni My Ja W We Na Po Do Za Od Dla Z Ze Ale A I Lub Kiedy Gdy Jak Co Kto Gdzie Także
      Tak Jest Nie Według Jednak`),
  },
  hsb: { like: "cs" },
  dsb: { like: "cs" },
  csb: { like: "pl" },
  sl: {
    titles: words(`
      npr. t.i. tj. oz. dr. prof. mag. ing. sv. ul. št. str. gl. prim. čl. odst. tč. pribl. ga. g. gdč. roj. tel.
      t. i. j. min. angl. nem. lat.`),
    abbreviations: words(`
      itd. ipd. idr. d.o.o. d.d. s.p. n.št. pr.n.št. Kr. pr. n. št. jan. feb. apr. avg. sept. okt. nov. dec.`),
    ordinals: "join",
    closingQuotes: "“«",
  },
  hr: {
    titles: words(`
      npr. tzv. tj. dr. prof. mr. ing. dipl. sv. ul. br. str. gl. usp. čl. st. god. g. gđa. gđica. rođ. tel. r.
      min. engl. njem. lat. fra. o. vlč. mons. doc. akad. sc.`),
    abbreviations: words(`
      itd. sl. dr. d.o.o. d.d. pr.Kr. n.e. p.n.e. kn. mil. tis. mlrd. sij. velj. ožu. tra. svi. lip. srp. kol.
      ruj. lis. stu. pro.`),
    ordinals: "join",
    closingQuotes: "“«",
    starters: words(`
      Taj Ta To On Ona Oni Mi Ja U Na Po Do Za Od Iz S Ali A I Ili Kada Kad Kako Što Tko Gdje Također Tako Je
      Prema`),
  },
  bs: { like: "hr" },
  sr: {
    like: "hr",
    titles: words(`
      нпр. тзв. тј. др. проф. мр. инж. св. ул. бр. стр. чл. ст. год. г. гђа. рођ. тел. мин. енгл. нем. лат. о.`),
    abbreviations: words("итд. сл. др. д.о.о. а.д. п.н.е. н.е. дин. мил. хиљ. млрд."),
  },
  mk: {
    titles: words(`
      пр. т.н. т.е. д-р. проф. м-р. св. ул. бр. стр. чл. ст. год. г. г-ѓа. тел. мин. англ. лат.`),
    abbreviations: words("итн. др. сл. п.н.е. н.е. ден. мил. илј."),
  },
  bg: {
    titles: words(`
      напр. т.нар. т.е. д-р. проф. доц. инж. акад. св. ул. бул. пл. бр. стр. с. гр. чл. ал. т. гл. ген. полк. тел.
      вж. ср. мин. англ. лат. ок. нар.`),
    abbreviations: words("др. т.н. пр.н.е. н.е. пр.Хр. сл.Хр. лв. г. год. в. млн. млрд. хил."),
    closingQuotes: "“«",
  },
  ru: {
    titles: words(`
      т. т.е. т.к. т.н. т.о. напр. см. ср. им. ул. пр. просп. пл. пер. д. кв. стр. с. гл. ст. п. пп. рис. табл. г.
      гг. г-н. г-жа. проф. доц. акад. св. о. ген. полк. тел. англ. нем. лат. фр. греч. ок. обл. р-н. пос. дер.
      вып. изд. ред. сост. тыс. млн. млрд. долл. коп.`),
    abbreviations: words(`
      др. т.д. т.п. н.э. руб. р. гг. г. в. вв. мин. сек. ч. янв. февр. апр. авг. сент. окт. нояб. дек. ibid.`),
    numberSuffixes: words("-й -я -е -го -му -м -х -ый -ая -ое -ых"),
    closingQuotes: "“«",
    starters: words(`
      Этот Эта Это Эти Он Она Они Мы Я Вы В Во На По До За От Для С Со Но А И Или Когда Как Что Кто Где Также Так
      Не Если При`),
  },
  uk: {
    titles: words(`
      т. т.е. тобто. напр. див. пор. ім. вул. просп. пл. пров. буд. кв. стор. с. гл. ст. п. рис. табл. р. рр.
      проф. доц. акад. св. о. ген. полк. тел. англ. нім. лат. фр. бл. обл. р-н. смт. вип. вид. ред. тис. млн.
      млрд. зв.`),
    abbreviations: words(`
      ін. т.д. т.п. н.е. грн. коп. рр. р. ст. хв. сек. год. січ. лют. бер. квіт. трав. черв. лип. серп. вер. жовт.
      лист. груд.`),
    starters: words(`
      Цей Ця Це Ці Він Вона Вони Ми Я Ви В У На По До За Від Для З Але А І Або Коли Як Що Хто Де Також Так Не Якщо`),
  },
  be: {
    titles: words(`
      г.зн. напр. гл. імя. вул. пр. пл. д. кв. стар. с. арт. п. мал. табл. праф. дац. акад. св. ген. тэл. англ.
      ням. лац. вобл. р-н. выд. тыс. млн. млрд. г.з. т. зв.`),
    abbreviations: words("інш. г.д. н.э. руб. гг. г. ст. хв."),
  },
  rue: { like: "uk" },
  lt: {
    titles: words(`
      pvz. t.y. vad. dr. prof. doc. akad. inž. šv. g. gatv. pr. pl. nr. psl. p. str. sk. pav. lent. žr. plg. apie.
      tel. angl. vok. lot. rus. red. gen. plk. kun. a.a. gim. m. r. sav. apskr. k.`),
    abbreviations: words("pan. t.t. kt. pr.Kr. Kr. m. d. val. min. sek. tūkst. mln. mlrd."),
    closingQuotes: "“",
    afterOrdinals: [],
  },
  lv: {
    titles: words(`
      piem. t.i. t.s. dr. prof. doc. akad. inž. sv. nr. lpp. p. sk. att. tab. apm. tel. angl. vāc. lat. kr. red.
      ģen. plkv. māc. iel. pag. nov. raj. plkst.`),
    abbreviations: words(`
      u.c. utt. u.tml. tml. p.m.ē. m.ē. g. gs. min. sek. tūkst. milj. mljrd. jan. febr. apr. aug. sept. okt. nov.
      dec.`),
    ordinals: "join",
  },
};
