/**
 * Xhosa and Zulu: words and forms that differ. A row says the same thing in each, in the order of `languages`; several words of a cell
 * are forms of one word. Prefixes that differ stand on several stems each, so that what is learnt is the prefix.
 */
export const xhoZul = {
  languages: ["xho", "zul"],
  rows: `
ukuba | ukuthi ukuba
ukuba wathi | ukuthi wathi
okanye | noma
kwaye | futhi
kwaye ke | futhi
kodwa | kodwa kepha
kunye | kanye
kunye nomntu | kanye nomuntu
umntu abantu lomntu | umuntu abantu lomuntu
umntu ngamnye wonke umntu | umuntu ngamunye wonke umuntu
abantwana umntwana | izingane ingane umntwana abantwana
inkwenkwe intombazana | umfana intombazane
indoda amadoda | indoda amadoda
umfazi abafazi abasetyhini | umfazi abesifazane owesifazane
umama utata | umama ubaba
utata ubawo | ubaba
umhlobo abahlobo | umngane abangane
utitshala umfundi abafundi | uthisha umfundi abafundi
isikolo izikolo | isikole izikole
iyunivesithi idyunivesithi | inyuvesi amanyuvesi
urhulumente oorhulumente | uhulumeni ohulumeni
karhulumente | kahulumeni
umongameli | umongameli
uMphathiswa | uNgqongqoshe
umphathiswa wezemfundo | ungqongqoshe wezemfundo
iphondo amaphondo | isifundazwe izifundazwe
iMpuma Koloni | iMpumalanga Kapa
iNtshona Koloni | iNtshonalanga Kapa
eMzantsi Afrika | eNingizimu Afrika
uMzantsi Afrika | iNingizimu Afrika
ePitoli eKapa eBhayi eMonti | ePitoli eKapa eThekwini eGoli
umzantsi umntla impuma intshona | iningizimu inyakatho impumalanga intshonalanga
isiXhosa amaXhosa | isiZulu amaZulu
isiNgesi | isiNgisi
ixesha amaxesha | isikhathi izikhathi
ngexesha | ngesikhathi
ngeli xesha | ngalesi sikhathi
xa | uma lapho
xa ufuna | uma ufuna
ukuba ufuna | uma ufuna
ngoko ke | ngakho ke
ngoba kuba | ngoba ngokuba
kuba | ngoba
nangona | nakuba
kungenjalo | kungenjalo
phambi kokuba | ngaphambi kokuthi
emva koko emva kwe | emva kwalokho ngemuva kwe
emva | ngemuva
phakathi ngaphakathi | phakathi ngaphakathi
ngaphandle | ngaphandle
phezulu phezu | phezulu phezu
phantsi | phansi
ngaphantsi | ngaphansi
phambili | phambili
apha apho | lapha lapho
apho | lapho
pha phaya | laphaya
phi | kuphi
ntoni yintoni | yini ini
njani | kanjani
nini | nini
kutheni | kungani
ngubani | ubani
zonke bonke yonke | zonke bonke yonke
nje kakhulu | nje kakhulu
kakhulu gqitha | kakhulu
kananjalo | futhi
kwakhona | futhi
ukwenza yenza ukwenziwa | ukwenza yenza ukwenziwa
ukuthetha uthetha | ukukhuluma ukhuluma
wathetha | wakhuluma
ukubona ubona wabona | ukubona ubona wabona
ukufumana fumana ufumana | ukuthola thola uthola
ukufumaneka fumaneka | ukutholakala tholakala
ukusebenzisa sebenzisa | ukusebenzisa sebenzisa
umsebenzi imisebenzi | umsebenzi imisebenzi
ukunceda nceda uncedo | ukusiza siza usizo
nceda | sicela
enkosi | ngiyabonga
ndiyabulela | ngiyabonga
mna | mina
wena thina nina bona | wena thina nina bona
ndi- ndiya ndinga | ngi- ngiya nginga
ndiyafuna ndifuna | ngiyafuna ngifuna
ndithi ndathi | ngithi ngathi
ndiza ndaza | ngiza ngeza
ndingumntu | ngingumuntu
ndiyazi andazi | ngiyazi angazi
kum ngam nam | kimi ngami nami
yam wam zam lam | yami wami zami lami
lakhe wakhe yakhe | lakhe wakhe yakhe
lethu wethu yethu | lethu wethu yethu
esi eli le eso elo leyo | lesi leli le leso lelo leyo
esi sikolo eli lizwe | lesi sikole leli zwe
ezi ezo | lezi lezo
aba abo | laba labo
oku oko | lokhu lokho
olu olo | lolu lolo
oku kuthetha ukuba | lokhu kusho ukuthi
ilizwe amazwe | izwe amazwe
elizweni kwilizwe | ezweni
kwi kwa | ku kwa
kwindlu kwisixeko | endlini edolobheni
kwiminyaka | eminyakeni
kwi-intanethi | ku-inthanethi
kwimeko kwinkqubo | esimweni ohlelweni
isixeko izixeko | idolobha amadolobha
idolophu iidolophu | idolobha amadolobha
ilali iilali | isigodi izigodi
indlu izindlu | indlu izindlu
indlela iindlela | indlela izindlela
iindlela iintlobo iincwadi | izindlela izinhlobo izincwadi
iincwadi incwadi | izincwadi incwadi
iinkampani inkampani | izinkampani inkampani
iinkqubo inkqubo | izinhlelo uhlelo
iintsapho usapho | imindeni umndeni
iintsuku usuku | izinsuku usuku
iinyanga inyanga | izinyanga inyanga
iiveki iveki | amaviki iviki
iyure iiyure | ihora amahora
umzuzu imizuzu | umzuzu imizuzu
iinkcukacha | imininingwane
inkcazelo | incazelo
inkcaza | incazelo
iingxaki ingxaki | izinkinga inkinga
iimoto imoto | izimoto imoto
iilwimi ulwimi | izilimi ulimi
ulwimi lwesiXhosa | ulimi lwesiZulu
ilungelo amalungelo | ilungelo amalungelo
umthetho imithetho | umthetho imithetho
inkundla yamatyala | inkantolo
ityala amatyala | icala amacala
amapolisa ipolisa | amaphoyisa iphoyisa
isibhedlele ugqirha | isibhedlela udokotela
ugqirha oogqirha | udokotela odokotela
isifo izifo | isifo izifo
amayeza iyeza | umuthi imithi
impilo | impilo
ukufa wafa wasweleka | ukufa wafa washona
ubomi | impilo ukuphila
iminyaka unyaka | iminyaka unyaka
ngonyaka | ngonyaka
namhlanje izolo ngomso | namhlanje izolo kusasa
ngomso | kusasa
ngoku | manje
ngoku | manje
mhlawumbi | mhlawumbe
ngokukhawuleza | ngokushesha
ngokwenene | ngempela
inene inyani | iqiniso
inyaniso | iqiniso
ngenene | impela
kulungile | kulungile
entle mhle | enhle muhle
intle lihle | inhle lihle
enkulu omkhulu elikhulu | enkulu omkhulu elikhulu
omncinci encinci | omncane encane
mncinci ncinci | mncane ncane
mdala ndala | mdala ndala
entsha omtsha | entsha omusha
omtsha elitsha | omusha elisha
ntathu ezintathu abathathu | ntathu ezintathu abathathu
ezine ezintlanu | ezine ezinhlanu
intlanu | inhlanu
ishumi amashumi | ishumi amashumi
ikhulu amakhulu iwaka | ikhulu amakhulu inkulungwane
isigidi izigidi iwaka amawaka | isigidi izigidi inkulungwane izinkulungwane
umntla intloko | inyakatho inhloko
intloko intlanganiso | inhloko umhlangano
intlanganiso iintlanganiso | umhlangano imihlangano
intlalo uluntu | inhlalo umphakathi
uluntu | umphakathi
intliziyo iintliziyo | inhliziyo izinhliziyo
intlupheko iintlungu | ubuhlungu izinhlungu
intlawulo | inkokhelo
ukuhlawula | ukukhokha
imali iimali | imali izimali
inkcubeko | isiko amasiko
isithethe amasiko | isiko amasiko
umculo iingoma ingoma | umculo izingoma ingoma
umdlalo imidlalo abadlali | umdlalo imidlalo abadlali
ibhola ekhatywayo | ibhola likanobhutshuzwayo
iqela amaqela | iqembu amaqembu
iqela lezopolitiko | iqembu lezombusazwe
ezopolitiko | ezombusazwe
unyulo ukuvota | ukhetho ukuvota
uqoqosho | umnotho
ezoqoqosho | ezomnotho
urhwebo ishishini amashishini | uhwebo ibhizinisi amabhizinisi
umrhumo irhafu | umnikelo intela
irhafu | intela
iirandi iidola | amarandi amadola
amanzi umlambo | amanzi umfula
umlambo imilambo | umfula imifula
intaba iintaba | intaba izintaba
ulwandle | ulwandle
ilanga imvula umoya | ilanga imvula umoya
umthi imithi | isihlahla izihlahla
isilwanyana izilwanyana | isilwane izilwane
inja ikati | inja ikati
iinkomo inkomo | izinkomo inkomo
iigusha igusha | izimvu imvu
inyoka intaka | inyoka inyoni
intaka iintaka | inyoni izinyoni
ukutya | ukudla
utya bayatya | udla bayadla
ukusela | ukuphuza
ukulala | ukulala
ukuhamba uhambo | ukuhamba uhambo
ukufika wafika | ukufika wafika
ukuhlala uhlala | ukuhlala uhlala
ukunika wanika | ukunika wanika
ukuthatha wathatha | ukuthatha wathatha
ukuthenga | ukuthenga
ukubhala umbhali | ukubhala umbhali
ukufunda | ukufunda
ukwazi ukuqonda | ukwazi ukuqonda
ukukhangela jonga | ukubheka bheka
jonga ukujonga | bheka ukubheka
khangela | sesha
ukuqala iqalile | ukuqala iqalile
ukugqiba gqibile | ukuqeda qedile
kugqityiwe | kuqediwe
isigqibo izigqibo | isinqumo izinqumo
ukukhetha | ukukhetha
ukutshintsha utshintsho | ukushintsha ushintsho
utshintsho | ushintsho
ukutshona | ukushona
tshata umtshato | shada umshado
umtshato | umshado
ukutsho utsho watsho | ukusho usho washo
utshilo | ushilo
ityhefu tyhila | ushevu vula
ukutyhila tyhala | ukuveza phusha
tyhutyha | yonke indawo
ukurhoxa irhoxisiwe | ukuhoxa ihoxisiwe
ukurhola irhasi | ukuhola igesi
ukugxotha | ukuxosha
ubuntu ubuhle | ubuntu ubuhle
inkululeko | inkululeko
inkonzo iinkonzo | insizakalo izinsizakalo
icawe umfundisi | isonto umfundisi
uThixo | uNkulunkulu
uThixo uYehova | uNkulunkulu uJehova
iBhayibhile | iBhayibheli
iBhayibhile izibhalo | iBhayibheli imibhalo
umKristu amaKristu | umKristu amaKristu
inkosi iinkosi | inkosi amakhosi
ikomkhulu | isigodlo
umkhosi amajoni | ibutho amasosha
ijoni amajoni | isosha amasosha
imfazwe | impi
imfazwe iimfazwe | impi izimpi
uxolo | ukuthula
uxolo | uxolo
ngoMvulo ngoLwesibini ngoLwesithathu ngoLwesine ngoLwesihlanu ngoMgqibelo ngeCawa | ngoMsombuluko ngoLwesibili ngoLwesithathu ngoLwesine ngoLwesihlanu ngoMgqibelo ngeSonto
uJanuwari uFebruwari uMatshi uEpreli uMeyi uJuni uJulayi uAgasti uSeptemba uOkthobha uNovemba uDisemba | uJanuwari uFebhuwari uMashi uEphreli uMeyi uJuni uJulayi uAgasti uSepthemba uOkthoba uNovemba uDisemba
bekuya ibisenza | bekuya ibenza
ndandiya wayeza | ngangiya wayeza
ayikho akukho | ayikho akukho
akunakwenzeka | akunakwenzeka
kufuneka | kufanele kumele
kufuneka ukuba | kumele ukuthi
kufanelekile | kufanele
masenze makube | masenze makube
musa ukwenza | ungenzi
sele sele ndi | sengi
sendi sele | sengi
selilungile | selilungile
`,
};
