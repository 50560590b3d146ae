/** Romance languages: articles and pronouns that lean on the next word, or on the one before. */
import type { LanguageTable } from "../table.js";
import { words } from "./words.js";

export const romance: Record<string, LanguageTable> = {
  fr: {
    titles: words(`
      M. MM. Mme. Mlle. Mgr. Dr. Pr. Me. St. Ste. Sr. p. pp. p.ex. ex. c.-à-d. cf. Cf. env. art. chap. éd. fig.
      n°. no. t. vol. tél. av. bd. boul. J.-C. ap. hab. réf. resp. dir. coll. trad. Sté. Cie. Gal. Cdt. Cap. Lt.
      Col.`),
    abbreviations: words(`
      etc. S.A. S.A.R.L. J.-C. janv. févr. avr. juil. sept. oct. nov. déc. apr. min. max. sq. cit. ibid. E.U. U.E.`),
    prefixes: words("l' d' j' qu' n' s' t' m' c' jusqu' lorsqu' puisqu' quoiqu' quelqu' ç'"),
    suffixes: words(`
      -t-il -t-elle -t-on -t-ils -t-elles -il -elle -on -ils -elles -je -tu -nous -vous -ce -moi -toi -lui -leur
      -le -la -les -y -en`),
    wholes: words(`
      aujourd'hui presqu'île prud'homme prud'hommes d'abord c'est-à-dire quelqu'un quelqu'une peut-être là-bas
      rendez-vous grand-chose vis-à-vis entr'ouvert États-Unis Royaume-Uni est-ce`),
    numberSuffixes: words("er ère e ème eme ers ères es èmes nd nde ᵉ"),
    units: words("h km kg cm mm m €"),
    starters: words(`
      Le La Les L' Un Une Des Il Elle Ils Elles On Nous Vous Je Tu Ce Cette Ces Dans En Au Aux À Pour Par Sur Avec
      Mais Et Ou Si Quand Comme Que Qui Son Sa Ses Leur Selon Après`),
  },
  oc: { like: "ca" },
  wa: { like: "fr" },
  it: {
    titles: words(`
      sig. sigg. Sig. Sigg. dott. Dott. prof. Prof. ing. Ing. avv. Avv. on. On. arch. geom. rag. S. SS. Mons. p.
      pp. pag. pagg. cap. art. artt. vol. fig. n. nn. cfr. es. ca. tel. str. lett. par. sen. gen. col. ten. S.p.A.
      co.`),
    abbreviations: words(`
      ecc. etc. S.p.A. S.r.l. S.n.c. a.C. d.C. sgg. seg. segg. cit. ibid. gen. feb. apr. giu. lug. ago. sett. ott.
      nov. dic.`),
    prefixes: words(`
      l' d' un' c' s' m' t' v' n' all' dall' dell' nell' sull' coll' quest' quell' quell' bell' sant' senz' tutt'
      anch' com' dov' cos' nient' nessun' ciascun' qualcos' mezz' grand' buon' gl' degl' vent' trent' quarant'
      cinquant' sott' quand' ch'`),
    wholes: words("po' mo' be' di' fa' da' sta' va'"),
    numberSuffixes: words("º ª °"),
    starters: words(`
      Il Lo La I Gli Le L' Un Una Uno Egli Lui Lei Loro Noi Voi Io Tu Questo Questa Nel Nella Per Con Da Di A Ma E
      O Se Quando Come Che Non Si È Anche`),
  },
  ca: {
    titles: words(`
      Sr. Sra. Srs. Sres. Dr. Dra. St. Sta. p. pp. pàg. pàgs. núm. núms. art. cap. vol. fig. p.ex. ex. c. av. tel.
      Il·lm. Excm. Mn. cf.`),
    abbreviations: words("etc. S.A. S.L. a.C. d.C. EUA. gen. feb. abr. set. oct. nov. des."),
    prefixes: words("l' d' n' s' m' t' de'"),
    suffixes: words(`
      'l 'n 's 'm 't 'ls 'ns 'hi 'ho -ho -hi -se -me -te -ne -li -la -lo -los -les -nos -vos -se'n -se'l -me'l
      -lo'n -l'hi`),
    numberSuffixes: words("r n t è a"),
    starters: words(`
      El La Els Les L' Un Una Ell Ella Ells Elles Nosaltres Vosaltres Jo Tu Això Aquest Aquesta Al Del En Per Amb
      Però I O Si Quan Com Que No`),
  },
  es: {
    titles: words(`
      Sr. Sra. Srta. Sres. Sras. D. Dña. Dª. Dr. Dra. Prof. Lic. Ing. Arq. Mons. S. Sto. Sta. Fr. Gral. Cnel. Cap.
      Tte. Excmo. Excma. Ilmo. Ud. Uds. Vd. Vds. p. pp. pág. págs. p.ej. ej. núm. núms. art. arts. cap. vol. fig.
      cf. aprox. tel. av. avda. c. ctra. dpto. ed. Rev.`),
    abbreviations: words(`
      etc. S.A. S.L. C.V. a.C. d.C. EE.UU. JJ.OO. FF.AA. ibid. cit. ss. a.m. p.m. ene. feb. abr. ago. sept. oct.
      nov. dic.`),
    numberSuffixes: words("º ª ° er ro ra do da to ta mo ma vo va no na"),
    starters: words(`
      El La Los Las Un Una Él Ella Ellos Ellas Nosotros Yo Tú Esto Este Esta En Al Del Por Para Con De A Pero Y O
      Si Cuando Como Que No Se Lo Su Sus`),
  },
  gl: { like: "es" },
  ast: { like: "es", prefixes: words("l' d' qu' m' t' s' n'") },
  pt: {
    titles: words(`
      Sr. Sra. Srs. Sras. Srta. D. Dr. Dra. Drs. Prof. Profa. Eng. Exmo. Exma. Ilmo. Sto. Sta. S. Pe. Fr. Gen.
      Cel. Cap. Ten. Maj. p. pp. pág. págs. p.ex. ex. núm. nº. art. arts. cap. vol. fig. cf. aprox. tel. av. Av.
      R. dep. Dep. gov. Gov. ed.`),
    abbreviations: words(`
      etc. S.A. Ltda. Cia. Inc. a.C. d.C. E.U.A. EUA. ibid. jan. fev. abr. ago. set. out. nov. dez.`),
    suffixes: words(`
      -se -me -te -lhe -lhes -nos -vos -o -a -os -as -lo -la -los -las -no -na -nas -lhe-ia`),
    numberSuffixes: words("º ª °"),
    starters: words(`
      O A Os As Um Uma Ele Ela Eles Elas Nós Eu Tu Você Isto Este Esta Em No Na Nos Nas Por Para Com De Mas E Ou
      Se Quando Como Que Não Ao Segundo`),
  },
  ro: {
    titles: words(`
      dl. dna. dra. d-l. d-na. d-ra. prof. dr. ing. acad. gen. col. lt. nr. art. alin. lit. pag. p. pp. cap. vol.
      fig. str. bd. jud. sec. sf. Sf. ex. cca. tel. vs. cf.`),
    abbreviations: words(`
      etc. ş.a. ș.a. ș.a.m.d. S.A. S.R.L. î.Hr. d.Hr. î.e.n. e.n. mil. mld. ian. feb. apr. iun. iul. aug. sept.
      oct. nov. dec.`),
    prefixes: words("într- dintr- printr- n- s- m- v- l- i- c- ne- le- mi- ți- şi- și- de-"),
    suffixes: words(`
      -o -i -l -le -ul -și -şi -mi -ți -ne -vă -se -te -mă -a -au -am -ai -ar`),
    starters: words(`
      El Ea Ei Ele Noi Voi Eu Tu Un O În La De Pe Cu Dar Și Sau Dacă Când Cum Ce Acest Această Nu Se`),
  },
  la: {
    titles: words("cf. v. l. p. c. s. St. D. M. Q. C. L. P. A. T. Cn. Ti. Sex. App."),
    abbreviations: words("etc. sqq. sq. ibid. coss. cos."),
  },
  rm: { like: "it" },
  co: { like: "it" },
  sc: { like: "it" },
  fur: { like: "it" },
  scn: { like: "it" },
  vec: { like: "it" },
  lmo: { like: "it" },
  pms: { like: "it" },
};
