/**
 * Bokmål and Nynorsk (with Danish, which is near to Bokmål): words and forms that differ. A row says the same thing in each, in the
 * order of `languages`; several words of a cell are forms of one word, or of words that go alike. Forms that are allowed in both
 * stand in both.
 */
export const nobNnoDan = {
  languages: ["nob", "nno", "dan"],
  rows: `
ikke | ikkje | ikke
jeg | eg | jeg
hun | ho | hun
vi | vi me | vi
dere deres | de dykk dykkar | I jer jeres
de dem deres | dei deira | de dem deres
hva | kva | hvad
hvem | kven | hvem
hvor | kor kvar | hvor
hvordan | korleis | hvordan
hvorfor | kvifor | hvorfor
når | når | hvornår
hvilken hvilket hvilke | kva for ein kva for eit kva slags | hvilken hvilket hvilke
hver hvert hverandre | kvar kvart kvarandre | hver hvert hinanden
en et | ein eit | en et
ei | ei | en
noe noen | noko nokon nokre | noget nogen
noen få mange | nokre få mange | nogle få mange
mye mer mest | mykje meir mest | meget mere mest
bare | berre | bare kun
fra | frå | fra
til for med om | til for med om | til for med om
av | av | af
etter | etter | efter
mellom | mellom | mellem
gjennom | gjennom | gennem
under over mot | under over mot | under over mod
mot | mot | mod
ut utenfor utover | ut utanfor utover | ud udenfor udover
siden | sidan | siden
allerede | allereie | allerede
igjen | igjen att | igen
opp oppe | opp oppe | op oppe
nå | no | nu
da | då | da
der her | der her | der her
også | òg også | også
slik slike sånn | slik slike såleis | sådan sådanne
samme | same | samme
begge | begge båe | begge
selv | sjølv | selv
egen eget egne | eigen eige eigne | egen eget egne
første | første fyrste | første
første andre tredje | første andre tredje | første anden tredje
annen annet andre | annan anna andre | anden andet andre
mens | medan | mens
dersom hvis | dersom viss | hvis såfremt
fordi | fordi | fordi
eller | eller | eller
som at og men | som at og men | som at og men
selv om | sjølv om | selv om
være er var vært | vere er var vore | være er var været
bli blir ble blitt | bli blir blei blitt verte vert vart vorte | blive bliver blev blevet
ble | vart blei | blev
blir | blir vert | bliver
har hadde hatt | har hadde hatt | har havde haft
hadde | hadde | havde
kommer kom kommet | kjem kom kome komme | kommer kom kommet
går gikk gått | går gjekk gått | går gik gået
får fikk fått | får fekk fått | får fik fået
står sto stod stått | står stod stått | står stod stået
gir ga gav gitt | gjev gir gav gjeve gitt | giver gav givet
gjør gjorde gjort gjøre | gjer gjorde gjort gjere | gør gjorde gjort gøre
sier sa sagt si | seier sa sagt seie | siger sagde sagt sige
sa | sa | sagde
ser så sett se | ser såg sett sjå | ser så set se
vet visste visst vite | veit visste visst vite | ved vidste vidst vide
tar tok tatt ta | tek tok teke ta tatt | tager tog taget tage
lese leser leste lest | lese les las lese lest | læse læser læste læst
skriver skrev skrevet skrive | skriv skreiv skrive skrivne | skriver skrev skrevet skrive
finner fant funnet finne finnes | finn fann funne finne finst | finder fandt fundet finde findes
holder holdt holde | held heldt halde halde | holder holdt holde
ligger lå ligget | ligg låg lege | ligger lå ligget
sitter satt sittet | sit sat sete | sidder sad siddet
vil ville skal skulle kan kunne må måtte | vil ville skal skulle kan kunne må måtte | vil ville skal skulle kan kunne må måtte
spør spurte spurt spørre | spør spurde spurt spørje | spørger spurgte spurgt spørge
lever levde bor bodde | lever levde bur budde | lever levede bor boede
dør døde død | døyr døydde død | dør døde død
født | fødd født | født
født i | fødd i | født i
sendte sendt | sende sendt | sendte sendt
brukte brukt bruker | brukte brukt bruker brukar | brugte brugt bruger
kjente kjent kjenner | kjende kjent kjenner | kendte kendt kender
nevnt nevnte kalt kalles kalte | nemnt nemnde kalla blir kalla | nævnt nævnte kaldt kaldes kaldte
kalles | blir kalla heiter | kaldes
heter het | heiter heitte | hedder hed
startet startet ventet | starta starta venta | startede startet ventede
arbeidet jobbet snakket laget | arbeidde jobba snakka laga | arbejdede snakkede lavede
spilte spilt spiller spille spill | spelte spelt spelar spele spel | spillede spillet spiller spille spil
kastet kastet hentet fortalte | kasta henta fortalde | kastede hentede fortalte
vokste vokst vokser | voks vakse veks | voksede vokset vokser
opprettet åpnet grunnlagt | oppretta opna grunnlagd | oprettet åbnet grundlagt
etablert publisert produsert | etablert publisert produsert | etableret publiceret produceret
organisert registrert | organisert registrert | organiseret registreret
vant vunnet vinner vinne | vann vunne vinn vinne | vandt vundet vinder vinde
tapte tapt taper | tapte tapt taper | tabte tabt taber
trengs trenger trengte | trengst treng trong | behøves trænger trængte
synes syntes | synest tykkjer | synes syntes
møtes finnes minnes | møtest finst minnest | mødes findes mindes
arrangeres brukes kalles regnes | blir arrangert blir brukt blir kalla blir rekna | arrangeres bruges kaldes regnes
sees gjøres tas gis | blir sett blir gjort blir teken blir gjeven | ses gøres tages gives
regne regnet teller | rekne rekna tel | regne regnet tæller
bringer brakte | bringar brakte | bringer bragte
velger valgte valgt velge valg valget | vel valde vald velje val valet | vælger valgte valgt vælge valg valget
selger solgte solgt selge | sel selde seld selje | sælger solgte solgt sælge
forteller følger fulgte fulgt | fortel følgjer følgde følgt | fortæller følger fulgte fulgt
bygger bygd bygget bygge | byggjer bygd bygde byggje | bygger bygget bygge
ligge bygge tenke trekke | liggje byggje tenkje trekkje | ligge bygge tænke trække
tenker tenkte | tenkjer tenkte | tænker tænkte
kjører kjørte kjøpe kjøpt | køyrer køyrde kjøpe kjøpt | kører kørte købe købt
høre hørte hørt | høyre høyrde høyrt | høre hørte hørt
røyk drøm strøm | røyk draum straum | røg drøm strøm
lys bry hus | ljos lys bry hus | lys bry hus
guttene jentene bilene byene | gutane jentene bilane byane | drengene pigerne bilerne byerne
gutter biler byer dager | gutar bilar byar dagar | drenge biler byer dage
hestene dagene årene landene | hestane dagane åra landa | hestene dagene årene landene
spillere spillerne lærere lærerne | spelarar spelarane lærarar lærarane | spillere spillerne lærere lærerne
innbyggere innbyggerne | innbyggjarar innbyggjarane | indbyggere indbyggerne
norske nordmenn nordmennene | norske nordmenn nordmennene | norske nordmænd nordmændene
tyskere amerikanere amerikanerne | tyskarar amerikanarar amerikanarane | tyskere amerikanere amerikanerne
forfatter kunstner musiker | forfattar kunstnar musikar | forfatter kunstner musiker
politiker leder skuespiller dommer | politikar leiar skodespelar skodespelarinne dommar | politiker leder skuespiller dommer
skuespiller | skodespelar | skuespiller
lærer arbeider forsker spiller | lærar arbeidar forskar spelar | lærer arbejder forsker spiller
bruker eier kjøper selger | brukar eigar kjøpar seljar | bruger ejer køber sælger
kommunen kommuner kommunene | kommunen kommunar kommunane | kommunen kommuner kommunerne
sider siden bøker bøkene | sider sida bøker bøkene | sider siden bøger bøgerne
uke uker uken | veke veker veka | uge uger ugen
kirke kirken kirker | kyrkje kyrkja kyrkjer | kirke kirken kirker
melk bok sak | mjølk bok sak | mælk bog sag
vei veien veier | veg vegen vegar | vej vejen veje
hjem hjemme | heim heime | hjem hjemme
stein bein rein | stein bein rein | sten ben ren
sten ben alene | stein bein åleine | sten ben alene
høst høsten vår sommer | haust hausten vår sommar | efterår efteråret forår sommer
sommer sommeren sommerens vinter | sommar sommaren sommarens vinter | sommer sommeren vinter
gammel gamle eldre | gammal gamle eldre | gammel gamle ældre
stor større størst store | stor større størst store | stor større størst store
liten lite mindre små | liten lite mindre små | lille lidt mindre små
ny nye nytt | ny nye nytt | ny nye nyt
viktig viktige viktigste | viktig viktige viktigaste | vigtig vigtige vigtigste
vanlig vanlige vanligvis | vanleg vanlege vanlegvis | almindelig almindelige sædvanligvis
egentlig endelig naturlig | eigentleg endeleg naturleg | egentlig endelig naturlig
mulig mulighet muligheter mulighetene | mogleg høve moglegheit moglegheiter moglegheitene | mulig mulighed muligheder
offentlig offentlige personlig | offentleg offentlege personleg | offentlig offentlige personlig
særlig særlige tydelig | særleg særlege tydeleg | særlig særlige tydelig
forskjellig forskjellige forskjell | ulik ulike forskjellig skilnad | forskellig forskellige forskel
tidlig tidligere senere | tidleg tidlegare seinare | tidlig tidligere senere
tidligere | tidlegare | tidligere
senere seinere | seinare | senere
langsom fort raskt raskere | langsam fort raskt raskare | langsom hurtigt hurtigere
høyere høyest høy | høgare høgast høg | højere højest høj
lavere lavest lav | lågare lågast låg | lavere lavest lav
lengre lengst sterkere sterkest | lengre lengst sterkare sterkast | længere længst stærkere stærkest
viktigere kjent mest kjente bedre best | viktigare kjend mest kjende betre best | vigtigere kendt mest kendte bedre bedst
bedre | betre | bedre
verre verst | verre verst | værre værst
nesten kanskje alltid aldri | nesten kanskje alltid aldri | næsten måske altid aldrig
ofte oftere oftest | ofte oftare oftast | ofte oftere oftest
fortsatt fremdeles | framleis | fortsat stadig
frem fremover fremst fremtid | fram framover fremst framtid | frem fremad fremtid
fremtiden | framtida | fremtiden
frihet virksomhet nyhet nyheter | fridom verksemd nyhende nyheit nyheiter | frihed virksomhed nyhed nyheder
virksomhet virksomheten | verksemd verksemda | virksomhed virksomheden
kjærlighet enhet enheter | kjærleik eining einingar | kærlighed enhed enheder
forskning undervisning utdanning | forsking undervisning utdanning | forskning undervisning uddannelse
regjering regjeringen styringen | regjering regjeringa styringa | regering regeringen styringen
avdeling avdelingen utviklingen | avdeling avdelinga utviklinga | afdeling afdelingen udviklingen
utvikling befolkning befolkningen | utvikling befolkning folkesetnad folketal befolkninga | udvikling befolkning befolkningen
løsning løsninger | løysing løysingar | løsning løsninger
forbindelse forbindelser | samband sambandet | forbindelse forbindelser
forestilling fortelling fortellinger | framsyning forteljing forteljingar | forestilling fortælling fortællinger
begynte begynner begynnelse begynnelsen | byrja byrjar byrjing byrjinga starten | begyndte begynder begyndelse begyndelsen
betyr betydning betydelig | tyder tyding mykje stor vekt | betyder betydning betydelig
opplevelse opplevde erfaring | oppleving opplevde erfaring røynsle | oplevelse oplevede erfaring
forsøk forsøkte prøvde | forsøk freista prøvde | forsøg forsøgte prøvede
innflytelse påvirkning | påverknad innverknad | indflydelse påvirkning
virke virker virkning | verke verkar verknad | virke virker virkning
språk språket norsk nynorsk bokmål | språk språket norsk nynorsk bokmål | sprog sproget norsk
skole skolen skoler | skule skulen skular | skole skolen skoler
universitet universitetet høyskole høgskole | universitet universitetet høgskule | universitet universitetet højskole
samfunn samfunnet | samfunn samfunnet | samfund samfundet
folk folket mennesker menneske mennesket | folk folket menneske menneska | folk folket mennesker
barn barna barnet | barn barna born borna barnet | børn børnene barnet
kvinne kvinner kvinnene | kvinne kvinner kvinnene | kvinde kvinder kvinderne
jente gutt venn venner | jente gut ven vener venn vennar | pige dreng ven venner
mor far bror søster foreldre | mor far bror syster søster foreldre | mor far bror søster forældre
datter sønn kone | dotter son kone | datter søn kone
kongen dronning konge | kongen dronning konge | kongen dronning konge
krig krigen hæren soldater | krig krigen hæren soldatar | krig krigen hæren soldater
andre verdenskrig verden verdens | andre verdskrigen verda verdas | anden verdenskrig verden verdens
verden | verda | verden
Norge Norges | Noreg Noregs | Norge Norges
i Norge | i Noreg | i Norge
Sverige Danmark Finland Island | Sverige Danmark Finland Island | Sverige Danmark Finland Island
Frankrike Østerrike Sveits | Frankrike Austerrike Sveits | Frankrig Østrig Schweiz
Tyskland Spania England | Tyskland Spania England | Tyskland Spanien England
Storbritannia Europa | Storbritannia Europa | Storbritannien Europa
Vestlandet Østlandet Sørlandet | Vestlandet Austlandet Sørlandet | Vestlandet Østlandet
øst østlig østre vest sør nord | aust austleg austre vest sør nord | øst østlig vest syd nord
nordlige sørlige vestlige østlige | nordlege sørlege vestlege austlege | nordlige sydlige vestlige østlige
øya øyer øyene | øya øyar øyane | øen øer øerne
fjellet fjellene elven elva elver | fjellet fjella elva elvar | fjeldet bjerget floden elven
vann vannet innsjø innsjøen | vatn vatnet innsjø innsjøen | vand vandet sø søen
byen bydel by | byen bydel by | byen bydel by
bygd bygda tettsted | bygd bygda tettstad | bygd landsby
sted stedet steder stedene | stad staden stader stadene | sted stedet steder
plass plassen | plass plassen | plads pladsen
hus huset kontor | hus huset kontor | hus huset kontor
bygning bygningen bygninger | bygning bygningen bygningar | bygning bygningen bygninger
penger kroner prosent millioner | pengar kroner prosent millionar | penge kroner procent millioner
millioner milliarder tusen hundre | millionar milliardar tusen hundre | millioner milliarder tusind hundrede
en million | ein million | en million
én to tre fire fem seks sju syv åtte ni ti | éin to tre fire fem seks sju åtte ni ti | en to tre fire fem seks syv otte ni ti
tjue tretti førti femti | tjue tretti førti femti | tyve tredive fyrre halvtreds
mandag tirsdag onsdag torsdag fredag lørdag søndag | måndag tysdag onsdag torsdag fredag laurdag søndag | mandag tirsdag onsdag torsdag fredag lørdag søndag
januar februar mars april mai juni juli august september oktober november desember | januar februar mars april mai juni juli august september oktober november desember | januar februar marts april maj juni juli august september oktober november december
i dag i går i morgen | i dag i går i morgon | i dag i går i morgen
morgen morgenen kveld natt | morgon morgonen kveld natt | morgen morgenen aften nat
time timer minutter | time timar minutt | time timer minutter
måned måneder måneden | månad månader månaden | måned måneder måneden
år årene årlig | år åra årleg | år årene årlig
gang ganger gangen | gong gonger gongen | gang gange gangen
lang tid langt lenge | lang tid langt lenge | lang tid langt længe
arbeid arbeidet arbeidsplasser | arbeid arbeidet arbeidsplassar | arbejde arbejdet arbejdspladser
spørsmål svar | spørsmål svar | spørgsmål svar
eksempel eksempler for eksempel | døme til dømes eksempel | eksempel eksempler for eksempel
for eksempel f.eks. | til dømes t.d. | for eksempel f.eks.
blant annet bl.a. | mellom anna blant anna | blandt andet bl.a.
blant | blant mellom | blandt
ifølge | ifølgje | ifølge
i tillegg dessuten | i tillegg dessutan | desuden
på grunn av | på grunn av | på grund af
derfor altså | difor derfor altså | derfor altså
imidlertid likevel | likevel derimot | imidlertid alligevel
omkring rundt cirka | omkring rundt om lag | omkring rundt cirka
innen innenfor inn inne | innan innanfor inn inne | inden indenfor ind inde
uten | utan | uden
unntatt foruten | unnateke forutan | undtagen foruden
sammen | saman | sammen
sammenheng sammenligne | samanheng samanlikne | sammenhæng sammenligne
samtidig | samtidig samstundes | samtidig
straks | straks | straks
egg legg rygg | egg legg rygg | æg læg ryg
øye øyne øre hode | auge auge øyre hovud | øje øjne øre hoved
hode hånd fot hjerte | hovud hand fot hjarte | hoved hånd fod hjerte
navn navnet navnene | namn namnet namna | navn navnet navnene
ord ordet ordene | ord ordet orda | ord ordet ordene
område området områder områdene | område området område områda | område området områder områderne
album albumet sanger sangen sangene | album albumet songar songen songane | album albummet sanger sangen sangene
sang synger sangerinne | song syng songar songarinne | sang synger sangerinde
film filmen filmer | film filmen filmar | film filmen filmene
lag laget kamp kampen kamper | lag laget kamp kampen kampar | hold holdet kamp kampen kampe
mål målet seier seieren | mål målet siger sigeren | mål målet sejr sejren
fotball fotballspiller fotballag | fotball fotballspelar fotballag | fodbold fodboldspiller
utøver mester mesterskap | utøvar meister meisterskap | udøver mester mesterskab
parti partiet stortinget | parti partiet stortinget | parti partiet folketinget
lov loven rett retten | lov lova rett retten | lov loven ret retten
politiet sier opplyser | politiet seier opplyser | politiet siger oplyser
leder statsminister statsråd ordfører | leiar statsminister statsråd ordførar | leder statsminister borgmester
velkommen hilsen takk | velkomen helsing takk | velkommen hilsen tak
glad lei redd | glad lei redd | glad ked bange
åpen åpne åpner lukket | open opne opnar lukka | åben åbne åbner lukket
mat fisk kjøtt | mat fisk kjøt | mad fisk kød
tro trodde troen | tru trudde trua | tro troede troen
bro broen ro | bru brua ro | bro broen ro
gud guds kristen kristne | gud guds kristen kristne | gud guds kristen kristne
hest ku sau gås | hest ku sau gås | hest ko får gås
snø regn vind vær | snø regn vind vêr | sne regn vind vejr
ønsker ønsket ønske | ønskjer ønskte ønske ynskje | ønsker ønskede ønske
mener mente mening | meiner meinte meining | mener mente mening
deler delte del deles | deler delte del | deler delte del deles
helt hel hele | heilt heil heile | helt hel hele
hele | heile | hele
flere flest fleste | fleire flest fleste | flere flest fleste
flere | fleire | flere
alle alt enkelte | alle alt einskilde enkelte | alle alt enkelte
eneste ene enig enighet | einaste eine einig semje | eneste ene enig enighed
både og verken enten | både og verken anten | både og hverken enten
`,
};
