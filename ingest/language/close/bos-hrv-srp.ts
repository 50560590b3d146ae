/**
 * Bosnian, Croatian, Serbian: words and forms that differ. A row says the same thing in each, in this order; several words of a cell are
 * forms of one word, or words of the same meaning. Serbian stands in Latin letters, and as Ekavian. Bosnian takes both of two words
 * where its writers do; where it shares one with a neighbour, that it is not the other neighbour's is what the row says.
 */
export const bosHrvSrp = {
  languages: ["bos", "hrv", "srp"],
  rows: `
historija historije historiju historiji historijski historijska | povijest povijesti poviješću povijesni povijesna povijesnog | istorija istorije istoriju istorijski istorijska
univerzitet univerziteta univerzitetu univerzitetski | sveučilište sveučilišta sveučilištu sveučilišni | univerzitet univerziteta univerzitetu univerzitetski
hiljada hiljade hiljadu hiljada | tisuća tisuće tisuću tisućama | hiljada hiljade hiljadu
sedmica sedmice sedmicu sedmici sedmično | tjedan tjedna tjednu tjedni tjedno tjednik | nedelja nedelje nedelju nedeljno sedmica
muzika muzike muziku muzici muzički muzička muzičar | glazba glazbe glazbu glazbi glazbeni glazbena glazbenik | muzika muzike muziku muzički muzičar
tačka tačke tačku tačaka tačno tačan tačna netačno | točka točke točku točaka točno točan točna netočno | tačka tačke tačku tačaka tačno tačan
tokom | tijekom | tokom
također | također | takođe
takođe također | također | takođe
Španija Španije Španiji Španiju španski španska | Španjolska Španjolske Španjolskoj španjolski španjolska | Španija Španije Španiji španski španska
italijanski italijanska italijanske Italijan Italijani | talijanski talijanska talijanske Talijan Talijani | italijanski italijanska italijanske Italijan
Evropa Evrope Evropi Evropu evropski evropska evropske evropskih Evropska unija | Europa Europe Europi Europu europski europska europske europskih Europska unija | Evropa Evrope Evropi Evropu evropski evropska evropske
januar januara februar februara mart marta april aprila maj maja juni juna juli jula august augusta septembar septembra oktobar oktobra novembar novembra decembar decembra | siječanj siječnja veljača veljače ožujak ožujka travanj travnja svibanj svibnja lipanj lipnja srpanj srpnja kolovoz kolovoza rujan rujna listopad listopada studeni studenoga prosinac prosinca | januar januara februar februara mart marta april aprila maj maja jun juna jul jula avgust avgusta septembar septembra oktobar oktobra novembar novembra decembar decembra
januara | siječnja | januara
februara | veljače | februara
marta | ožujka | marta
aprila | travnja | aprila
maja | svibnja | maja
juna | lipnja | juna
jula | srpnja | jula
augusta | kolovoza | avgusta
septembra | rujna | septembra
oktobra | listopada | oktobra
novembra | studenoga studenog | novembra
decembra | prosinca | decembra
organizovati organizovao organizovana organizovano organizovan | organizirati organizirao organizirana organizirano organiziran | organizovati organizovao organizovana organizovano
planirati kritikovati kritikovao | planirati kritizirati kritizirao | planirati kritikovati kritikovao
definisati definisan definisana definiše | definirati definiran definirana definira | definisati definisan definisana definiše
formirati registrovati registrovan registrovana registrovano | formirati registrirati registriran registrirana registrirano | formirati registrovati registrovan registrovana
informisati informisan informisanje | informirati informiran informiranje | informisati informisan informisanje
realizovati realizovan realizovana | realizirati realiziran realizirana | realizovati realizovan realizovana
finansirati finansije finansijski finansijska finansijskih ministar finansija | financirati financije financijski financijska financijskih ministar financija | finansirati finansije finansijski finansijska finansijskih
kandidovati kandidovao | kandidirati kandidirao | kandidovati kandidovao
prezentovati prezentirati | prezentirati predstaviti | prezentovati
kontrolisati kontroliše kontrolisao | kontrolirati kontrolira kontrolirao | kontrolisati kontroliše kontrolisao
reagovati reagovao reaguje reagovala | reagirati reagirao reagira reagirala | reagovati reagovao reaguje reagovala
funkcionisati funkcioniše | funkcionirati funkcionira | funkcionisati funkcioniše
objavljen emitovati emitovan emituje | objavljen emitirati emitiran emitira | objavljen emitovati emitovan emituje
testirati testiran publikovati publikovan | testirati testiran publicirati objaviti objavljen | testirati publikovati publikovan
identifikovati identifikovan | identificirati identificiran | identifikovati identifikovan
kvalifikovati kvalifikovao kvalifikacije | kvalificirati kvalificirao kvalifikacije | kvalifikovati kvalifikovao kvalifikacije
općina općine općini općinu općinski općinsko vijeće načelnik općine | općina općine općini općinu općinski općinsko vijeće | opština opštine opštini opštinu opštinski opštinsko
opći opća opće općenito uopće | opći opća opće općenito uopće | opšti opšta opšte uopšteno uopšte
preduzeće preduzeća preduzeću poduzeće | poduzeće poduzeća poduzeću poduzetnik | preduzeće preduzeća preduzeću preduzetnik
preduzeti preduzete mjere | poduzeti poduzete mjere | preduzeti preduzete mere
ko niko neko svako iko | tko nitko netko svatko itko | ko niko neko svako iko
niko ništa | nitko ništa | niko ništa
šta zašto nešto | što zašto nešto | šta zašto nešto
otok ostrvo ostrva otoci | otok otoci otoka otočje otočki | ostrvo ostrva ostrvu ostrvski
voz vozom vozovi željeznička stanica | vlak vlakom vlakovi željeznički kolodvor | voz vozom vozovi železnička stanica
sistem sistema sistemu sistemi sistemski | sustav sustava sustavu sustavi sustavni | sistem sistema sistemu sistemi sistemski
hemija hemije hemijski hemijska hemičar | kemija kemije kemijski kemijska kemičar | hemija hemije hemijski hemijska hemičar
kršćanstvo kršćani kršćanski kršćanin | kršćanstvo kršćani kršćanski kršćanin | hrišćanstvo hrišćani hrišćanski
stoljeće stoljeća stoljeću vijek vijeka vijeku | stoljeće stoljeća stoljeću | vek veka veku vekova
u 19. vijeku krajem 20. vijeka srednji vijek | u 19. stoljeću krajem 20. stoljeća srednji vijek | u 19. veku krajem 20. veka srednji vek
uslov uslovi uslova uslovima uslovno | uvjet uvjeti uvjeta uvjetima uvjetno | uslov uslovi uslova uslovima uslovno
saobraćaj saobraćaja saobraćajna saobraćajni nesreća | promet prometa prometna prometni nesreća | saobraćaj saobraćaja saobraćajna saobraćajni nesreća
nauka nauke nauku nauci naučni naučna naučnik naučnici | znanost znanosti znanstveni znanstvena znanstvenik znanstvenici | nauka nauke nauku nauci naučni naučna naučnik naučnici
učestvovati učestvuje učestvovao učestvovali učesnik učesnici učešće učešća | sudjelovati sudjeluje sudjelovao sudjelovali sudionik sudionici sudjelovanje | učestvovati učestvuje učestvovao učestvovali učesnik učesnici učešće
saradnja saradnje saradnju saradnji sarađivati saradnik | suradnja suradnje suradnju suradnji surađivati suradnik | saradnja saradnje saradnju saradnji sarađivati saradnik
jezički jezička jezičke | jezični jezična jezične | jezički jezička jezičke
lahko lahak lahka mehko | lako lagan laka meko | lako lak laka meko
kahva kafa kahvu kafu | kava kavu kave kavana | kafa kafu kafe kafana
hudožnik hljeb hljeba | umjetnik kruh kruha | umetnik hleb hleba
supa čorba | juha juhe | supa čorba
sretan sretna srećan | sretan sretna | srećan srećna
radit će bit će imat će moći će | radit će bit će imat će moći će | radiće biće imaće moći će
bit će | bit će | biće
moraće imaće | morat će imat će | moraće imaće
fabrika fabrike fabriku fabrici | tvornica tvornice tvornicu tvornici | fabrika fabrike fabriku fabrici
pozorište pozorišta pozorištu pozorišni teatar | kazalište kazališta kazalištu kazališni | pozorište pozorišta pozorištu pozorišni
predsjednik predsjedavajući Predsjedništva BiH predsjednika | predsjednik predsjednika predsjednica | predsednik predsednika predsednica
vlada vlade premijer premijera ministar | vlada vlade premijer premijera ministar | vlada vlade premijer premijera ministar
obezbijediti obezbijeđeno obezbjeđenje obezbijedio | osigurati osigurano osiguranje osigurao | obezbediti obezbeđeno obezbeđenje
sigurnost sigurnosti sigurnosni sigurnosne | sigurnost sigurnosti sigurnosni sigurnosne | bezbednost bezbednosti bezbednosni bezbednosne
prisutan prisustvo prisustvovati prisustvovao | nazočan nazočnost prisutan nazočiti | prisutan prisustvo prisustvovati
porodica porodice porodicu porodici porodični | obitelj obitelji obiteljski obiteljska | porodica porodice porodicu porodici porodični
sprat sprata spratu | kat kata katu | sprat sprata spratu
avion aviona avioni aerodrom aerodromu | zrakoplov zrakoplova zrakoplovi zračna luka zračnoj luci | avion aviona avioni aerodrom
zrak zraka zračni | zrak zraka zračni | vazduh vazduha vazdušni
vazduh zrak | zrak | vazduh
računar računara računari kompjuter | računalo računala računalni računalstvo | računar računara računari kompjuter
prostorija sala sale dvorana | dvorana dvorane dvorani | sala sale sali
spisak spiska spisku lista | popis popisa popisu | spisak spiska spisku
štampa štampe štampati štampan | tisak tiska tiskati tiskan tiskovna | štampa štampe štampati štampan
konferencija za novinare pres konferencija | konferencija za novinare tiskovna konferencija | konferencija za novinare konferencija za štampu
advokat advokata advokati | odvjetnik odvjetnika odvjetnici | advokat advokata advokati
ljekar ljekara ljekari doktor | liječnik liječnika liječnici | lekar lekara lekari
bolnica zdravstvo bolesnik pacijent pacijenti | bolnica zdravstvo bolesnik pacijent pacijenti | bolnica zdravstvo bolesnik pacijent pacijenti
hirurg hirurgija | kirurg kirurgija | hirurg hirurgija
vojska vojnik vojnici armija Armije | vojska vojnik vojnici vojarna | vojska vojnik vojnici kasarna
policajac policija MUP kantona pripadnici | policajac policija MUP policijski službenici | policajac policija MUP pripadnici
krivična prijava krivično djelo krivični krivičnog | kaznena prijava kazneno djelo kazneni kaznenog | krivična prijava krivično delo krivični krivičnog
tužilaštvo tužilac tužioca tužilaštva Tužilaštvo BiH kantonalno tužilaštvo | državno odvjetništvo tužitelj tužitelja odvjetništva DORH USKOK | tužilaštvo tužilac tužioca tužilaštva
presuda sud sudija sudije sudiji | presuda sud sudac suca sucu suci | presuda sud sudija sudije sudiji
posmatrač posmatrati posmatrao | promatrač promatrati promatrao | posmatrač posmatrati posmatrao
sopstveni vlastiti | vlastiti vlastita | sopstveni sopstvena
upotreba upotrebe upotrebljavati koristiti | uporaba uporabe upotrebljavati rabiti koristiti | upotreba upotrebe upotrebljavati koristiti
zvaničan zvanično zvanični zvanična zvaničnik zvaničnici | služben službeno službeni službena dužnosnik dužnosnici | zvaničan zvanično zvanični zvanična zvaničnik zvaničnici
izvještaj izvještaja izvještaju | izvješće izvješća izvješću izvještaj | izveštaj izveštaja izveštaju
savjet Savjet ministara vijeće Vijeće ministara | savjet vijeće Vijeće Vlada | savet Savet ministara veće
savez savezni federalni federacija Federacije BiH Federacija | savez savezni | savez savezni federalni federacija
rezultat utakmica utakmice fudbal fudbala fudbaler fudbaleri fudbalski fudbalska reprezentacija | rezultat utakmica utakmice nogomet nogometa nogometaš nogometaši nogometni nogometna reprezentacija | rezultat utakmica utakmice fudbal fudbala fudbaler fudbaleri fudbalski reprezentacija
fudbalski klub | nogometni klub | fudbalski klub
košarka košarkaš rukomet rukometaš | košarka košarkaš rukomet rukometaš | košarka košarkaš rukomet rukometaš
takmičenje takmičenja takmičenju takmičar takmičari takmičiti | natjecanje natjecanja natjecanju natjecatelj natjecatelji natjecati | takmičenje takmičenja takmičenju takmičar takmičari
takmičarski prvenstvo prvak šampionat | natjecateljski prvenstvo prvak | takmičarski prvenstvo prvak šampionat
golman gol golovi postigao pogodak | vratar gol golovi postigao zgoditak pogodak | golman gol golovi postigao
odbrana odbrane odbranu odbraniti odbrambeni | obrana obrane obranu obraniti obrambeni | odbrana odbrane odbranu odbraniti odbrambeni
trener ekipa tim sezona sezoni | trener momčad ekipa sezona sezoni | trener ekipa tim sezona sezoni
uticaj uticaja uticati utjecaj utiče | utjecaj utjecaja utjecati utječe | uticaj uticaja uticati utiče
porijeklo porijekla porijeklom | podrijetlo podrijetla podrijetlom | poreklo porekla poreklom
period perioda periodu | razdoblje razdoblja razdoblju | period perioda periodu
prevod prevoda prevodilac prijevod prevesti | prijevod prijevoda prevoditelj prevesti | prevod prevoda prevodilac prevesti
prevoz prijevoz prevoza | prijevoz prijevoza | prevoz prevoza
pronalazak izumitelj pronalazač | izum izumitelj | pronalazak pronalazač
pismo pismena književnost književni književnik | pismo književnost književni književnik | pismo književnost književni književnik
roman pjesma pjesnik pjesme pjesama | roman pjesma pjesnik pjesme pjesama | roman pesma pesnik pesme pesama
riječ riječi rječnik | riječ riječi rječnik | reč reči rečnik
vrijeme vremena vremenski | vrijeme vremena vremenski | vreme vremena vremenski
mjesto mjesta mjestu mjesni mjesec mjeseca | mjesto mjesta mjestu mjesni mjesec mjeseca | mesto mesta mestu mesni mesec meseca
dijete djeca djece djetinjstvo djevojka djevojčica | dijete djeca djece djetinjstvo djevojka djevojčica | dete deca dece detinjstvo devojka devojčica
čovjek čovjeka ljudi | čovjek čovjeka ljudi | čovek čoveka ljudi
bijeli bijela bijele lijep lijepa | bijeli bijela bijele lijep lijepa | beli bela bele lep lepa
svijet svijeta svijetu svjetski svjetska | svijet svijeta svijetu svjetski svjetska | svet sveta svetu svetski svetska
dio dijela dijelu dijelovi podijeljen | dio dijela dijelu dijelovi podijeljen | deo dela delu delovi podeljen
cijeli cijela cijelo cijena cijene | cijeli cijela cijelo cijena cijene | ceo cela celo cena cene
rijeka rijeke rijeci sjever sjeverni | rijeka rijeke rijeci sjever sjeverni | reka reke reci sever severni
smjer mjera mjere primjer primjera | smjer mjera mjere primjer primjera | smer mera mere primer primera
vijest vijesti obavijest | vijest vijesti obavijest | vest vesti obaveštenje
zahtjev zahtijeva zahtijevati | zahtjev zahtijeva zahtijevati | zahtev zahteva zahtevati
poslije nakon | poslije nakon | posle nakon
prije nekoliko godina prijedlog | prije nekoliko godina prijedlog | pre nekoliko godina predlog
prijedlog predložiti | prijedlog predložiti | predlog predložiti
gdje ovdje negdje svugdje | gdje ovdje negdje svugdje | gde ovde negde svuda
uvijek zauvijek | uvijek zauvijek | uvek zauvek
dvije obje | dvije obje | dve obe
htjeti vidjeti živjeti razumjeti | htjeti vidjeti živjeti razumjeti | hteti videti živeti razumeti
želio htio vidio živio | želio htio vidio živio | želeo hteo video živeo
nije nisam nismo nisu | nije nisam nismo nisu | nije nisam nismo nisu
da bude da ima da radi da ide | biti imati raditi ići | da bude da ima da radi da ide
treba da uradi treba uraditi | treba učiniti treba napraviti | treba da uradi
može da bude može biti | može biti može | može da bude
mora da se uradi | mora se učiniti | mora da se uradi
želi da kaže želi reći | želi reći | želi da kaže
saopćenje saopćeno saopćio saopćila saopštenje | priopćenje priopćeno priopćio priopćila | saopštenje saopšteno saopštio saopštila
izvinjenje izvini izvinite izvinuti | isprika ispričavam se oprostite | izvinjenje izvini izvinite
opredijeliti opredjeljenje | opredijeliti opredjeljenje | opredeliti opredeljenje
nastavnik učitelj profesor učenik učenici | nastavnik učitelj profesor učenik učenici | nastavnik učitelj profesor učenik učenici
osnovna škola srednja škola obrazovanje | osnovna škola srednja škola obrazovanje | osnovna škola srednja škola obrazovanje
odgoj odgojni obrazovanje vaspitanje | odgoj odgojni obrazovanje naobrazba | vaspitanje vaspitni obrazovanje
fakultet diplomirao student studenata studenti | fakultet diplomirao student studenata studenti | fakultet diplomirao student studenata studenti
redovni profesor akademik Akademija nauka i umjetnosti ANUBiH | redoviti profesor akademik Hrvatska akademija znanosti i umjetnosti HAZU | redovni profesor akademik Srpska akademija nauka i umetnosti SANU
redovan redovno vanredni vanredne | redovit redovito izvanredni izvanredne | redovan redovno vanredni vanredne
odsjek odjel odjeljenje odjeljenja | odjel odsjek odjela | odsek odeljenje odeljenja
direktor direktora | ravnatelj ravnatelja direktor | direktor direktora
sekretar sekretarijat generalni sekretar | tajnik tajništvo glavni tajnik | sekretar sekretarijat generalni sekretar
ambasada ambasador ambasadora | veleposlanstvo veleposlanik veleposlanika | ambasada ambasador ambasadora
konzulat skupština skupštine parlamentarna | konzulat skupština sabor Sabor Sabora saborski saborski zastupnik | konzulat skupština skupštine parlament
zastupnik poslanik poslanici delegat Dom naroda | zastupnik zastupnici | poslanik poslanici
kanton kantona kantonu kantonalni Kanton Sarajevo Tuzlanski kanton Zeničko-dobojski | županija županije županiji županijski županijska | okrug okruga okrugu upravni
gradonačelnik grad općinsko vijeće gradsko vijeće vijećnik | gradonačelnik grad gradsko vijeće vijećnik | gradonačelnik grad gradsko veće odbornik
izborni izbori glasanje glasati glasač | izborni izbori glasovanje glasovati glasač | izborni izbori glasanje glasati glasač
nezavisnost nezavisni | neovisnost neovisni neovisno | nezavisnost nezavisni
zavisi zavisno ovisi ovisno | ovisi ovisno ovisnost | zavisi zavisno zavisnost
ubjeđenje ubijediti uvjeriti | uvjerenje uvjeriti | ubeđenje ubediti
hvala zahvaljujući zahvalnost | hvala zahvaljujući zahvalnost | hvala zahvaljujući zahvalnost
pošta poštanski telefon mobitel mobilni telefon | pošta poštanski telefon mobitel mobitela | pošta poštanski telefon mobilni telefon
nafta plin gas gasa | nafta plin plina plinski | nafta gas gasa gasni
prirodni gas električna energija struja | prirodni plin električna energija struja | prirodni gas električna energija struja
so soli šećer biber | sol soli šećer papar | so soli šećer biber
paradajz krompir kupus mrkva | rajčica krumpir kupus mrkva | paradajz krompir kupus šargarepa
pirinač riža grah | riža grah | pirinač pasulj
kašika viljuška tanjir | žlica vilica tanjur | kašika viljuška tanjir
sto stolica stolu | stol stolac stolica stolu | sto stolica stolu
peškir ćebe čaršaf | ručnik deka plahta | peškir ćebe čaršav
pantalone košulja kaput cipele | hlače košulja kaput cipele | pantalone košulja kaput cipele
prodavnica prodavnice trgovina | prodavaonica trgovina dućan | prodavnica prodavnice radnja
apoteka apoteke | ljekarna ljekarne | apoteka apoteke
biblioteka biblioteke bibliotekar | knjižnica knjižnice knjižničar | biblioteka biblioteke bibliotekar
ulica trg most naselje selo | ulica trg most naselje selo | ulica trg most naselje selo
mahala čaršija džamija džamije džematu efendija | župa župe župnik biskup svećenik | parohija crkva manastir sveštenik vladika
hodža imam muslimani islamska zajednica rijaset reis | katolički crkva nadbiskup kardinal misa | pravoslavni crkva patrijarh episkop liturgija
Bajram ramazan Kur'an hadis | Uskrs Božić korizma Biblija | Vaskrs Uskrs Božić post Biblija
Allah Poslanik alejhiselam | Bog Isus Krist | Bog Isus Hrist
Isus Krist Hrist | Isus Krist | Isus Hristos
pravoslavni katolički crkva crkve | pravoslavni katolički crkva crkve | pravoslavni katolički crkva crkve
Bosna i Hercegovina Bosne i Hercegovine Bosni i Hercegovini BiH bosanski bosanskohercegovački | Hrvatska Hrvatske Hrvatskoj Republika Hrvatska hrvatski hrvatska | Srbija Srbije Srbiji Republika Srbija srpski srpska
bosanskohercegovački bosanskohercegovačka bosanskohercegovačke bh. | hrvatski hrvatska hrvatske hrvatskih | srpski srpska srpske srpskih
Sarajevo Sarajeva Sarajevu sarajevski sarajevska | Zagreb Zagreba Zagrebu zagrebački zagrebačka | Beograd Beograda Beogradu beogradski beogradska
Tuzla Tuzle Tuzli Zenica Zenice Zenici Bihać Goražde Travnik Visoko | Split Splita Splitu Rijeka Rijeci Osijek Osijeku Zadar Zadru | Novi Sad Novom Sadu Niš Nišu Kragujevac Subotica
Mostar Mostaru Bugojno Cazin Zavidovići Gradačac Srebrenik Bošnjaci Bošnjak bošnjački | Pula Puli Dubrovnik Dubrovniku Varaždin Šibenik Istra Dalmacija Slavonija Hrvati Hrvat | Vojvodina Vojvodine Kosovo Srbi Srbin Šumadija Zemun Čačak Kraljevo
konvertibilnih maraka KM maraka | kuna kuna kunu kn eura | dinara dinar dinari evra
evro evra eura | euro eura | evro evra
milion miliona milioni milijarda | milijun milijuna milijuni milijarda | milion miliona milioni milijarda
procenat procenata procent posto | postotak postotka posto | procenat procenata odsto
posto procenata | posto | odsto
jedinica osoba lice | osoba osobe | lice osoba
građanin građani građana | građanin građani građana | građanin građani građana
stanovnik stanovnici stanovništvo popis stanovništva | stanovnik stanovnici stanovništvo pučanstvo popis stanovništva | stanovnik stanovnici stanovništvo popis
naseljeno mjesto u općini | naselje u sastavu općine gradić | naselje u opštini
nalazi se u blizini smještena | nalazi se u blizini smještena | nalazi se u blizini smeštena
okean okeana Atlantski okean | ocean oceana Atlantski ocean | okean okeana Atlantski okean
hor horski orkestar | zbor zborski orkestar | hor horski orkestar
Grčka Egipat Kina Njemačka Njemačke njemački | Grčka Egipat Kina Njemačka Njemačke njemački | Grčka Egipat Kina Nemačka Nemačke nemački
Rumunija Rumunije rumunski | Rumunjska Rumunjske rumunjski | Rumunija Rumunije rumunski
Holandija holandski | Nizozemska nizozemski | Holandija holandski
Mađarska Poljska Češka Švajcarska Švicarska | Mađarska Poljska Češka Švicarska | Mađarska Poljska Češka Švajcarska
Austrija Slovenija Crna Gora Makedonija | Austrija Slovenija Crna Gora Makedonija | Austrija Slovenija Crna Gora Makedonija
Engleska Francuska Rusija američki SAD | Engleska Francuska Rusija američki SAD | Engleska Francuska Rusija američki SAD
Sjedinjene Američke Države Ujedinjeni narodi Ujedinjene nacije | Sjedinjene Američke Države Ujedinjeni narodi | Sjedinjene Američke Države Ujedinjene nacije
Aleksandar Aleksandra Turska Osmansko carstvo osmanski | Aleksandar Turska Osmansko Carstvo osmanski | Aleksandar Turska Osmansko carstvo osmanski
rat rata ratu agresija agresije odbrana | rat rata Domovinski rat Domovinskog rata obrana | rat rata bombardovanje odbrana
hronika hronološki haos | kronika kronološki kaos | hronika hronološki haos
haljina harmonija tehnika tehnologija | haljina harmonija tehnika tehnologija | haljina harmonija tehnika tehnologija
arhitekta arhitekt arhitektura | arhitekt arhitektura | arhitekta arhitektura
biciklista turista turisti terorista | biciklist turist turisti terorist | biciklista turista turisti terorista
novinar novine list portal | novinar novine list portal | novinar novine list portal
bioskop film glumac glumica režiser | kino film glumac glumica redatelj redateljica | bioskop film glumac glumica reditelj
reditelj režiser scenarij | redatelj scenarij | reditelj scenario
ubica ubistvo ubistva ubistvu | ubojica ubojstvo ubojstva ubojstvu | ubica ubistvo ubistva
lopta igrač igrači igrati | lopta igrač igrači igrati | lopta igrač igrači igrati
putnik putovati putovanje granica | putnik putovati putovanje granica | putnik putovati putovanje granica
automobil vozač auto cesta put autoput | automobil vozač cesta autocesta prometnica | automobil vozač put autoput drum
cesta putevi | cesta ceste prometnica | put putevi
izgradnja gradnja izgraditi graditelj | izgradnja gradnja izgraditi graditelj | izgradnja gradnja izgraditi graditelj
nadležan nadležni ministarstvo kantonalno ministarstvo federalno ministarstvo | nadležan nadležni ministarstvo mjerodavan | nadležan nadležni ministarstvo
privreda privrede privredni privredna ekonomija | gospodarstvo gospodarstva gospodarski gospodarska ekonomija | privreda privrede privredni privredna ekonomija
preduzetnik kompanija kompanije firma | poduzetnik tvrtka tvrtke tvrtki kompanija | preduzetnik kompanija kompanije firma
berza akcija dionica dionice | burza dionica dionice dionički | berza akcija akcije akcionarsko
zaposlen zaposlenik radnik uposlenik uposlenici | zaposlen zaposlenik djelatnik djelatnici radnik | zaposlen radnik zaposleni
djelatnost djelovati djelo | djelatnost djelovati djelo | delatnost delovati delo
plata plate platu plaća | plaća plaće plaću | plata plate platu
penzija penzioner penzije penzionisan | mirovina umirovljenik mirovine umirovljen | penzija penzioner penzije penzionisan
osiguranje takse porez | osiguranje pristojbe porez | osiguranje takse porez
carina budžet budžeta budžetu | carina proračun proračuna proračunu | carina budžet budžeta budžetu
glavni grad prijestonica | glavni grad prijestolnica | glavni grad prestonica
nivo nivoa nivou razina | razina razine razini | nivo nivoa nivou
na nivou | na razini | na nivou
mogućnost prilika situacija | mogućnost prilika situacija | mogućnost prilika situacija
naročito posebno | osobito posebno | naročito posebno
odnosno uglavnom otprilike | odnosno uglavnom otprilike | odnosno uglavnom otprilike
ukoliko ako | ukoliko ako | ukoliko ako
čak zbog radi | čak zbog radi | čak zbog radi
pored toga osim toga | osim toga pored toga | pored toga osim toga
sa s njim sa kojim | s njim s kojim | sa njim sa kojim
ovaj taj onaj ovoga toga | ovaj taj onaj ovoga toga | ovaj taj onaj ovoga toga
snijeg kiša vjetar sunce | snijeg kiša vjetar sunce | sneg kiša vetar sunce
uho duhan kuhati kuhinja kuhar | uho duhan kuhati kuhinja kuhar | uvo duvan kuvati kuhinja kuvar
sahat halka hanuma | sat alka gospođa | sat alka gospođa
historičar filozof filozofija | povjesničar filozof filozofija | istoričar filozof filozofija
tržište cijene usluga usluge | tržište cijene usluga usluge | tržište cene usluga usluge
ćelija ćelije ćelijski | stanica stanice stanični | ćelija ćelije ćelijski
rastvor tečnost tečan | otopina tekućina tekuć | rastvor tečnost tečan
ugalj uglja rudar | ugljen ugljena rudar | ugalj uglja rudar
pasoš pasoša viza | putovnica putovnice viza | pasoš pasoša viza
odsutan zamjenik zamjenica | odsutan zamjenik zamjenica | odsutan zamenik zamenica
vanjski vanjska vanjskih poslova | vanjski vanjska vanjskih poslova | spoljni spoljna spoljnih poslova
unutrašnji unutrašnjih poslova | unutarnji unutarnjih poslova unutrašnji | unutrašnji unutrašnjih poslova
desiti se dešava desilo dogoditi dogodilo | dogoditi se događa dogodilo | desiti se dešava desilo dogoditi dogodilo
sačiniti sačinjava uraditi urađeno urađen | učiniti čini napraviti napravljeno | uraditi urađeno urađen
istraga istraživanje istraživač | istraga istraživanje istraživač | istraga istraživanje istraživač
podaci informacija saznati saznaje | podaci podatci informacija doznati doznaje | podaci informacija saznati saznaje
žestok napad vatra požar | žestok napad vatra požar | žestok napad vatra požar
vatrogasac vatrogasci civilna zaštita | vatrogasac vatrogasci civilna zaštita | vatrogasac vatrogasci civilna zaštita
mnogo puno veoma vrlo | mnogo puno veoma vrlo | mnogo puno veoma vrlo
hajde valjda možda | hajde valjda možda | hajde valjda možda
sutra jučer danas večeras | sutra jučer danas večeras | sutra juče danas večeras
jučer prekjučer | jučer prekjučer | juče prekjuče
ponedjeljak utorak srijeda četvrtak petak subota nedjelja | ponedjeljak utorak srijeda četvrtak petak subota nedjelja | ponedeljak utorak sreda četvrtak petak subota nedelja
`,
};
