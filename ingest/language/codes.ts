/** Codes of languages: those of ISO 639-3 are what models and streams have; people also write those of ISO 639-1. */

/** ISO 639-3 for the two letters of ISO 639-1. Where two letters mean several languages, the three letters do too (ara, msa, zho). */
const threeLetters = new Map(
  `af:afr am:amh ar:ara as:asm az:aze ba:bak be:bel bg:bul bn:ben bo:bod br:bre bs:bos ca:cat ce:che co:cos cs:ces cv:chv cy:cym
  da:dan de:deu dv:div ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas ff:ful fi:fin fil:tgl fo:fao fr:fra fy:fry ga:gle
  gd:gla gl:glg gn:grn gu:guj ha:hau he:heb hi:hin hr:hrv ht:hat hu:hun hy:hye ia:ina id:ind ig:ibo is:isl it:ita ja:jpn jv:jav
  ka:kat kk:kaz kl:kal km:khm kn:kan ko:kor ku:kur ky:kir la:lat lb:ltz lg:lug ln:lin lo:lao lt:lit lv:lav mg:mlg mi:mri mk:mkd
  ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya nb:nob no:nob ne:nep nl:nld nn:nno ny:nya oc:oci om:orm or:ori pa:pan pl:pol ps:pus
  pt:por qu:que rm:roh ro:ron ru:rus rw:kin sc:srd sd:snd si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw st:sot
  su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat ug:uig uk:ukr ur:urd
  uz:uzb ve:ven vi:vie wa:wln wo:wol xh:xho yi:yid yo:yor zh:zho zu:zul ast:ast ceb:ceb ckb:ckb hsb:hsb dsb:dsb nso:nso fur:fur
  lij:lij vec:vec szl:szl sme:sme`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [string, string]),
);

/** All of them. */
export const knownLanguages: ReadonlySet<string> = new Set(threeLetters.values());

/** Of "en", "en-GB": "eng". Undefined if the first part is none of ISO 639-1. */
export function languageOf(tag: string): string | undefined {
  const [first] = tag.toLowerCase().split(/[-_]/);
  return threeLetters.get(first);
}

/** A code as a model has it: "fo" is "fao", unless the model itself says "fo". What is not known stays. */
export function codeIn(languages: readonly string[], code: string): string {
  return languages.includes(code) ? code : (languageOf(code) ?? code);
}
