/** Yoruba as newspapers and encyclopaedias have it, in our own words, with tones and, as many people write it, without. */
export const yor = `
Ààrẹ orílẹ̀-èdè Nàìjíríà sọ ní àná pé ìjọba yóò kọ́ àwọn ilé ìwé tuntun ní ọdún tó ń bọ̀.
Gómìnà ìpínlẹ̀ Ọ̀yọ́ ti pàdé pẹ̀lú àwọn olórí ìlú láti jíròrò lórí ètò ààbò.
Àwọn ènìyàn mẹ́ta ló farapa nínú ìjàm̀bá ọkọ̀ tó ṣẹlẹ̀ ní òpópónà Ìbàdàn sí Èkó.
Ẹgbẹ́ agbábọ́ọ̀lù Nàìjíríà yóò kojú ikọ̀ Gánà nínú ìdíje tó ń bọ̀.
Wọ́n bí i ní ọdún 1945 ní ìlú Abẹ́òkúta, ó sì kàwé ní Yunifásítì ìlú Ìbàdàn.
Ó jẹ́ olóṣèlú, òǹkọ̀wé àti onímọ̀ ìjìnlẹ̀ ọmọ orílẹ̀-èdè Nàìjíríà.
Ìlú yìí wà ní apá gúúsù ìwọ̀-oòrùn Nàìjíríà, àwọn ènìyàn tó ń gbé ibẹ̀ sì pọ̀ gan-an.
Àwọn ọlọ́pàá ti mú ọkùnrin méjì tí wọ́n fẹ̀sùn kàn pé wọ́n jí owó gbé.
Èdè Yorùbá jẹ́ ọ̀kan lára àwọn èdè tí wọ́n ń sọ jù ní ìwọ̀-oòrùn Áfíríkà.
Ọlọ́run dá ọ̀run àti ayé ní àtètèkọ́ṣe, ilẹ̀ ayé sì ṣófo.
Jésù sì wí fún wọn pé, Lóòótọ́, lóòótọ́ ni mo wí fún yín, ẹni tí ó bá gbà mí gbọ́ ní ìyè àìnípẹ̀kun.
Gbogbo ènìyàn ló ní ẹ̀tọ́ láti wà láàyè, láti wà ní òmìnira àti láti ní ààbò.
Mo fẹ́ kí ẹ mọ̀ pé kò sí ẹni tó lè ṣe iṣẹ́ yìí bí kò ṣe àwa fúnra wa.
Bàbá rẹ̀ jẹ́ àgbẹ̀, ìyá rẹ̀ sì ń ta ọjà ní ọjà ìlú wọn.
Nígbà tí ó dé ilé, ó rí i pé àwọn ọmọ rẹ̀ ti sùn.
Báwo ni ẹ ṣe wà? Ṣé àlàáfíà ni? A dúpẹ́ lọ́wọ́ Ọlọ́run.
Fíìmù náà gba àmì ẹ̀yẹ níbi ayẹyẹ tí wọ́n ṣe ní oṣù Kẹjọ.
Orin rẹ̀ tuntun ti jáde, àwọn olólùfẹ́ rẹ̀ sì ń gbádùn rẹ̀ lórí ẹ̀rọ ayélujára.
Dókítà gba àwọn ará ìlú níyànjú pé kí wọ́n máa mu omi tó mọ́ dáadáa.
Ilé ẹjọ́ ti ní kí wọ́n fi ọkùnrin náà sí àtìmọ́lé títí di ọ̀sẹ̀ tó ń bọ̀.
Ọba ìlú náà ti pàṣẹ pé kí gbogbo ará ìlú jáde wá ṣe ìmọ́tótó àyíká wọn.
Owó epo bẹntiróòlù ti gbówó lórí, èyí sì ń kó ìnira bá àwọn ará ìlú.
Ẹranko yìí ń gbé inú igbó, ó sì máa ń jẹ koríko àti èso.
Òun ni obìnrin àkọ́kọ́ tí yóò di ipò náà mú nínú ìtàn orílẹ̀-èdè yìí.
Àwọn akẹ́kọ̀ọ́ ń fẹ̀hónú hàn nítorí pé owó ilé ìwé ti pọ̀ jù.
Ẹgbẹ́ òṣèlú APC àti PDP ń múra sílẹ̀ fún ìdìbò gbogboogbò ọdún tó ń bọ̀.
Kí ló dé tí o kò fi wá sí ilé wa ní ọjọ́ Àìkú tó kọjá?
Ó ní òun kò mọ ohun tó ṣẹlẹ̀, ṣùgbọ́n òun máa wádìí ọ̀rọ̀ náà.
Ìròyìn tó tẹ̀ wá lọ́wọ́ fi hàn pé iná ti jó ilé ìtajà mẹ́wàá ní ọjà náà.
Àṣà àti ìṣe Yorùbá ṣe pàtàkì, ó yẹ kí a kọ́ àwọn ọmọ wa ní èdè wa.
ni ti ati pe ko si ninu fun awon won ti o n lati ni o je wa lo ba se pelu bi tabi sugbon nitori
awon eniyan orile ede ijoba ilu ile iwe omo okunrin obinrin baba iya oba olori oro iroyin ojo odun osu
`;
