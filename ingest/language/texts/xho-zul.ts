/** What newspapers, encyclopaedias and the Bible say, in our own words: the same in Xhosa and Zulu, sentence by sentence. */
export const xho = `
Umongameli uthe izolo umthetho omtsha wokukhusela indalo uza kuqalisa ekuqaleni konyaka ozayo.
Urhulumente uza kuchitha imali eninzi kwimfundo nakwiinkonzo zempilo kulo nyaka.
Abantu abathathu benzakele kwingozi yemoto eyenzeke endleleni phezolo, watsho umthetheli wamapolisa.
Iqela lebhola ekhatywayo laseMzantsi Afrika liza kudlala neNigeria ngenyanga kaMatshi.
Esi sixeko sikufutshane nomlambo kwaye sinabantu abangaphezu kwamawaka alishumi.
Wazalelwa eMonti ngowe-1945, apho wafunda khona isikolo saza emva koko waya eyunivesithi.
Abantwana bafunda ingoma entsha esikolweni baza bazoba imifanekiso emihle.
Oogqirha bacebisa abantu ukuba basele amanzi aneleyo kwaye bangaphumi emini emaqanda.
Ukuba ufuna ukuthatha inxaxheba kolu khuphiswano, nceda ubhalise phambi komhla weshumi elinesihlanu kuOkthobha.
Andiyazi into emandiyenze ngoku, kodwa ndiyathemba ukuba kuya kulunga.
Inkundla yamatyala igqibe kwelokuba umrhanelwa makahlale entolongweni inyanga yonke.
Utata wakhe wayeligqwetha, umama wakhe engutitshala wesikolo.
Amanani epetroli anyukile kwiveki ephelileyo ngenxa yeengxaki zehlabathi.
Intsebenziswano phakathi kwala mazwe mabini kwezenkcubeko nemfundo intle kakhulu.
Wonke umntu unelungelo lobomi, inkululeko nokhuseleko lomntu.
UYesu wathi kubo: Inene, inene, ndithi kuni, lowo ukholwayo kum unobomi obungunaphakade.
Waza uThixo wathi, Makubekho ukukhanya; kwabakho ke ukukhanya.
Le nkqubo yenza ukuba abasebenzisi bakwazi ukufumana zonke iinkcukacha abazifunayo ngokukhawuleza.
Iimfuno zabasebenzi azikhange ziphunyezwe, ngoko ke baza kuqhankqalaza ngoMgqibelo.
Ulwimi lwesiXhosa luthethwa ikakhulu kwiphondo leMpuma Koloni.
Ukutya okunempilo kubalulekile kubantwana abasakhulayo, kuba kubanika amandla.
Umbhali wale ncwadi wafumana imbasa yoncwadi kulo nyaka uphelileyo.
Ubuninzi beentsapho zasezilalini zixhomekeke kwimali yendodla.
Akukho mntu waziyo ukuba kwenzeke ntoni ngobo busuku kwindlu endala ekupheleni kwelali.
Umphathiswa wezeMfundo uvakalise uvuyo lwakhe ngeziphumo zematriki.
`;

export const zul = `
Umongameli uthe izolo umthetho omusha wokuvikela imvelo uzoqala ukusebenza ekuqaleni konyaka ozayo.
Uhulumeni uzosebenzisa imali eningi kwezemfundo nasezinsizakalweni zezempilo kulo nyaka.
Abantu abathathu balimele engozini yemoto eyenzeke emgwaqweni izolo ebusuku, kusho okhulumela amaphoyisa.
Iqembu likanobhutshuzwayo laseNingizimu Afrika lizodlala neNigeria ngenyanga kaMashi.
Leli dolobha liseduze nomfula futhi linabantu abangaphezu kwezinkulungwane eziyishumi.
Wazalelwa eThekwini ngo-1945, lapho afunda khona isikole wabe eseya enyuvesi.
Izingane zifunde ingoma entsha esikoleni zabe sezidweba izithombe ezinhle.
Odokotela beluleka abantu ukuthi baphuze amanzi anele futhi bangaphumi emini.
Uma ufuna ukubamba iqhaza kulo mqhudelwano, sicela ubhalise ngaphambi komhla ka-15 Okthoba.
Angazi ukuthi ngenzeni manje, kodwa ngiyethemba ukuthi kuzolunga.
Inkantolo inqume ukuthi umsolwa ahlale ejele inyanga yonke.
Ubaba wakhe wayengummeli, umama wakhe enguthisha wesikole.
Intengo kaphethiloli inyukile ngesonto eledlule ngenxa yezinkinga zomhlaba.
Ukubambisana phakathi kwalawa mazwe amabili kwezamasiko nemfundo kuhle kakhulu.
Wonke umuntu unelungelo lokuphila, inkululeko nokuvikeleka komuntu.
UJesu wathi kubo: Ngiqinisile, ngiqinisile, ngithi kini, lowo okholwa yimi unokuphila okuphakade.
UNkulunkulu wathi: Makube khona ukukhanya; kwase kuba khona ukukhanya.
Lolu hlelo lwenza ukuthi abasebenzisi bakwazi ukuthola yonke imininingwane abayidingayo ngokushesha.
Izidingo zabasebenzi azikahlangatshezwana nazo, ngakho-ke bazobhikisha ngoMgqibelo.
Ulimi lwesiZulu lukhulunywa kakhulu esifundazweni saKwaZulu-Natali.
Ukudla okunempilo kubalulekile ezinganeni ezisakhulayo, ngoba kuzinika amandla.
Umbhali wale ncwadi wathola umklomelo wezincwadi ngonyaka odlule.
Iningi lemindeni yasemakhaya lithembele emalini yesibonelelo.
Akekho umuntu owaziyo ukuthi kwenzekani ngalobo busuku endlini endala ekugcineni kwesigodi.
UNgqongqoshe wezeMfundo uzwakalise injabulo yakhe ngemiphumela kamatikuletsheni.
`;
