/**
 * English. Clitics and hyphens as in the English treebanks of Universal Dependencies, so that taggers that are
 * trained on them see the tokens that they know: "do|n't", "well|-|known", but "e-mail" and "co-operate".
 */
import type { LanguageTable } from "../table.js";
import { englishBoundaries } from "./english-boundaries.js";
import { words } from "./words.js";

export const english: Record<string, LanguageTable> = {
  en: {
    titles: words(`
      Mr. Mrs. Ms. Messrs. Mmes. Dr. Drs. Prof. Rev. Revd. Fr. Hon. Pres. Gov. Sen. Rep. Gen. Col. Lt. Lieut. Maj.
      Capt. Cpt. Cmdr. Cdr. Adm. Sgt. Cpl. Pvt. Brig. Supt. Insp. Det. Ald. Amb. Atty. St. Ste. Mt. Ft. Pt. vs.
      e.g. i.e. viz. cf. ca. approx. esp. incl. resp. dept. Dept. Univ. Assn. Bros. Gro. Rt. Ofc. Pfc. Spc. Hr.
      Sra. Srta. Mme. Mlle. Msgr. Ven. Eng. Esq. a.k.a. w.r.t. c.f. eds. Eds. trans. transl. nr.`),
    abbreviations: words(`
      etc. Inc. Ltd. Co. Corp. Cos. LLC. Plc. Bancorp. Bros. Jr. Sr. Ph.D. M.D. B.A. M.A. B.Sc. M.Sc. LL.B. D.C.
      U.S. U.K. U.N. E.U. U.S.A. U.S.S.R. a.m. p.m. A.M. P.M. B.C. A.D. B.C.E. C.E. al. ibid. op.cit. approx.
      appt. apt. ave. Ave. blvd. Blvd. Rd. Hwy. Pkwy. Sq. Bldg. Jan. Feb. Mar. Apr. Jun. Jul. Aug. Sep. Sept. Oct.
      Nov. Dec. Mon. Tue. Tues. Wed. Thu. Thur. Thurs. Fri. lb. lbs. oz. ft. tsp. tbsp. min. mins. sec. secs. hr.
      hrs. yr. yrs. mo. mos. wk. wks. mph. sq. max. misc. est. ext. govt. Govt. dept. intl. Intl. natl. Natl.
      assoc. Assoc. mfg. Mfg. Ala. Ariz. Ark. Calif. Colo. Conn. Del. Fla. Ga. Ill. Ind. Kan. Ky. La. Md. Mich.
      Minn. Mo. Mont. Neb. Nev. Okla. Ont. Ore. Penn. Tenn. Tex. Va. Vt. Wash. Wis. Wyo. Que. Alta. Man. Sask.
      attn. Attn. cc. encl. temp. Hosp. Inst. Lab. Acad. Elec. Intel. Mgmt.`),
    beforeNumbers: words(`
      no. nos. No. Nos. p. pp. P. Pp. fig. figs. Fig. Figs. sec. Sec. sect. Sect. art. Art. arts. vol. vols. Vol.
      Vols. ch. chap. Ch. Chap. eq. eqs. Eq. Eqs. ref. refs. Ref. Refs. par. para. Par. Para. ver. Ver. v. c. col.
      ext. Ext. tel. Tel. ph. Ph. tab. Tab. app. App. ex. Ex. pt. pts. ed. Ed. n. l. ll. lit. cl. reg. Reg. op.
      Op. Cir. H.R. S.`),
    suffixes: words("n't 's 'll 're 've 'd 'm"),
    splits: {
      cannot: "can not",
      gonna: "gon na",
      gotta: "got ta",
      wanna: "wan na",
      lemme: "lem me",
      gimme: "gim me",
      dunno: "du n no",
      whatcha: "wha t cha",
      dont: "do nt",
      doesnt: "does nt",
      didnt: "did nt",
      isnt: "is nt",
      wasnt: "was nt",
      arent: "are nt",
      couldnt: "could nt",
      wouldnt: "would nt",
      shouldnt: "should nt",
      havent: "have nt",
      hasnt: "has nt",
      "'tis": "'t is",
      "'twas": "'t was",
    },
    wholes: words(`
      e-mail e-mails e-mailed e-mailing e-commerce e-book e-books o'clock ma'am 'em 'til 'cause 'n' rock'n'roll
      'bout 'round y'all x-ray x-rays t-shirt t-shirts uh-huh uh-oh c++ c# f# .net a/c w/ w/o b/c n/a and/or
      he/she his/her s/he 24/7 9/11 @ & R&D Q&A at&t AT&T B&B R&B P&L S&P M&A A&M H&M bye-bye no-one`),
    hyphens: "split",
    hyphenParts: words(`
      anti- bi- co- counter- de- e- ex- extra- i- ii- inter- intra- mega- meta- micro- mid- mini- mis- mono-
      multi- neo- non- omni- over- pan- para- poly- post- pre- pro- proto- pseudo- quasi- re- semi- sub- super-
      trans- tri- u- ultra- un- under- uni- vice- x- -ish -like -esque -ism -wide -o -a`),
    numberSuffixes: words("st nd rd th s ST ND RD TH 's k K m M bn x X"),
    units: words(`
      am pm AM PM a.m. p.m. Am Pm km kg mph ft lb lbs mm cm ml mg gb mb GB MB hrs hr min mins sec yr yrs`),
    partings: words("thanks regards sincerely cheers best love care yours thx"),
    greetings: words("hi hello dear hey"),
    boundaries: englishBoundaries,
    starters: words(`
      The A An This That These Those There Here He She It We You They I His Her Its Our Your Their My If When
      While Where Who What Why How But And Or So Yet For In On At By With From As After Before Although Though
      Because Since However Moreover Therefore Thus Then Now Some Many Most All No Not One Each Every Please
      Thanks Also Is Are Was Were Do Does Did Have Has Had Can Could Will Would Should May Might Let According
      Once To Such Both Just Only Our`),
  },
};
