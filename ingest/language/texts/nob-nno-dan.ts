/** What newspapers and encyclopaedias say, in our own words: the same in Bokmål, Nynorsk and Danish, sentence by sentence. */
export const nob = `
Statsministeren sa i går at den nye loven om miljøvern skal tre i kraft fra begynnelsen av neste år.
Kommunestyret vedtok budsjettet for neste år, og flertallet vil bruke mer penger på skole og eldreomsorg.
Tre personer ble skadet i en trafikkulykke på riksveien i går kveld, opplyser politiet.
Landslaget i fotball skal spille en vennskapskamp mot Spania i slutten av mars.
Byen ligger ved elven og hadde mer enn ti tusen innbyggere ved folketellingen i 2001.
Han ble født i Oslo i 1945, hvor han gikk på skole og senere studerte historie ved universitetet.
Universitetet ble grunnlagt på midten av 1900-tallet og har i dag tolv fakulteter og rundt tretti tusen studenter.
Forskerne oppdaget en ny plante som bare vokser på dette fjellet.
To menn er tiltalt for drap, og saken kommer opp i tingretten etter sommeren.
Prisene på olje og gass steg forrige uke med fem prosent på det europeiske markedet.
Filmen vant publikumsprisen på festivalen, som arrangeres hvert år i august.
Ingen visste hva som hadde skjedd den natten i det gamle huset i utkanten av bygda.
Hun ville ikke kommentere uttalelsene fra de andre, men lovet å snakke med journalistene senere.
Slottet ble bygget i middelalderen og tilhørte familien som styrte området.
Finansministeren understreket at inntektene i de første seks månedene var høyere enn i fjor.
De ansatte ved fabrikken krever høyere lønn og truer med streik.
Bandet ga ut sitt tredje album og dro på turné i Europa.
Barna lærte en sang om våren på skolen og tegnet fine bilder.
Til denne retten trenger du et halvt kilo kjøtt, to spiseskjeer olje, salt, pepper og litt melk.
Ifølge ham er situasjonen vanskelig, men han håper at det løser seg i løpet av uken.
Tusenvis av mennesker døde i krigen, og mange måtte forlate hjemmene sine.
Togene på denne strekningen har ikke gått på tre år fordi det mangler penger.
Legene råder folk til å drikke nok vann og holde seg inne på den varmeste tiden av dagen.
Svømmeren tok andreplassen i konkurransen i Italia og fikk sølvmedalje.
Biskopen ønsket alle en god jul og takket for arbeidet som er gjort gjennom året.
Historien til dette stedet begynner i vikingtiden, noe mange funn vitner om.
Samarbeidet mellom de to landene om kultur og utdanning er svært godt.
Selskapet ansatte femti nye medarbeidere i januar og investerte en million kroner i utstyr.
Grunnstoffet ble oppdaget på 1800-tallet og har fått navnet sitt fra det greske ordet for farge.
De som ønsker å delta i konkurransen, kan melde seg på innen femtende oktober.
Jeg tror ikke at vi kan gjøre noe med det nå, for slik har det alltid vært.
Retten bestemte at den siktede skal sitte i varetekt i fire uker til.
På lørdag er det premiere på det nye stykket av den unge regissøren.
Faren hans var advokat, og moren var lærer på en videregående skole.
Snø og is skaper problemer for trafikken på veiene i de nordlige delene av landet.
Utstillingen viser malerier av den kjente kunstneren, som bor og arbeider i Bergen.
Øya har et areal på tjue kvadratkilometer, og ingen bor der.
EU-kommisjonen la frem en rapport om hvordan reformene bør gjennomføres.
Etter at broen ble åpnet, har forholdene for dem som bor i bygda blitt mye bedre.
Dette systemet gjør det mulig for brukerne å finne alle opplysningene de trenger.
Hvorfor spør du meg om det? Hvem har sagt at jeg vet hvor hun er?
De fleste av spillerne kommer fra andre klubber, og noen av dem har også spilt i utlandet.
Elevene må selv finne ut hvordan de skal løse oppgavene, men læreren hjelper dem.
Arten finnes først og fremst i fuktige skoger, hvor den lever av insekter og små dyr.
Han er sønn av en fisker og har to søstre som er eldre enn ham.
`;

export const nno = `
Statsministeren sa i går at den nye lova om miljøvern skal ta til å gjelde frå byrjinga av neste år.
Kommunestyret vedtok budsjettet for neste år, og fleirtalet vil bruke meir pengar på skule og eldreomsorg.
Tre personar vart skadde i ei trafikkulykke på riksvegen i går kveld, opplyser politiet.
Landslaget i fotball skal spele ein vennskapskamp mot Spania i slutten av mars.
Byen ligg ved elva og hadde meir enn ti tusen innbyggjarar ved folketeljinga i 2001.
Han vart fødd i Oslo i 1945, der han gjekk på skule og seinare studerte historie ved universitetet.
Universitetet vart grunnlagt på midten av 1900-talet og har i dag tolv fakultet og om lag tretti tusen studentar.
Forskarane oppdaga ei ny plante som berre veks på dette fjellet.
To menn er tiltalte for drap, og saka kjem opp i tingretten etter sommaren.
Prisane på olje og gass steig førre veke med fem prosent på den europeiske marknaden.
Filmen vann publikumsprisen på festivalen, som blir arrangert kvart år i august.
Ingen visste kva som hadde hendt den natta i det gamle huset i utkanten av bygda.
Ho ville ikkje kommentere utsegnene frå dei andre, men lova å snakke med journalistane seinare.
Slottet vart bygd i mellomalderen og høyrde til familien som styrte området.
Finansministeren understreka at inntektene i dei første seks månadene var høgare enn i fjor.
Dei tilsette ved fabrikken krev høgare løn og trugar med streik.
Bandet gav ut det tredje albumet sitt og drog på turné i Europa.
Borna lærte ein song om våren på skulen og teikna fine bilete.
Til denne retten treng du eit halvt kilo kjøt, to spiseskeier olje, salt, pepar og litt mjølk.
Ifølgje han er situasjonen vanskeleg, men han vonar at det løyser seg i løpet av veka.
Tusenvis av menneske døydde i krigen, og mange måtte forlate heimane sine.
Toga på denne strekninga har ikkje gått på tre år fordi det manglar pengar.
Legane rår folk til å drikke nok vatn og halde seg inne på den varmaste tida av dagen.
Symjaren tok andreplassen i tevlinga i Italia og fekk sølvmedalje.
Biskopen ønskte alle ei god jul og takka for arbeidet som er gjort gjennom året.
Historia til denne staden byrjar i vikingtida, noko mange funn vitnar om.
Samarbeidet mellom dei to landa om kultur og utdanning er svært godt.
Selskapet tilsette femti nye medarbeidarar i januar og investerte ein million kroner i utstyr.
Grunnstoffet vart oppdaga på 1800-talet og har fått namnet sitt frå det greske ordet for farge.
Dei som ønskjer å delta i konkurransen, kan melde seg på innan femtande oktober.
Eg trur ikkje at vi kan gjere noko med det no, for slik har det alltid vore.
Retten avgjorde at den sikta skal sitje i varetekt i fire veker til.
På laurdag er det premiere på det nye stykket av den unge regissøren.
Far hans var advokat, og mora var lærar på ein vidaregåande skule.
Snø og is skaper problem for trafikken på vegane i dei nordlege delane av landet.
Utstillinga viser måleri av den kjende kunstnaren, som bur og arbeider i Bergen.
Øya har eit areal på tjue kvadratkilometer, og ingen bur der.
EU-kommisjonen la fram ein rapport om korleis reformene bør gjennomførast.
Etter at brua vart opna, har tilhøva for dei som bur i bygda vorte mykje betre.
Dette systemet gjer det mogleg for brukarane å finne alle opplysningane dei treng.
Kvifor spør du meg om det? Kven har sagt at eg veit kvar ho er?
Dei fleste av spelarane kjem frå andre klubbar, og nokre av dei har òg spelt i utlandet.
Elevane må sjølve finne ut korleis dei skal løyse oppgåvene, men læraren hjelper dei.
Arten finst først og fremst i fuktige skogar, der han lever av insekt og små dyr.
Han er son av ein fiskar og har to systrer som er eldre enn han.
`;

export const dan = `
Statsministeren sagde i går, at den nye lov om miljøbeskyttelse træder i kraft fra begyndelsen af næste år.
Byrådet vedtog budgettet for næste år, og flertallet vil bruge flere penge på skoler og ældrepleje.
Tre personer kom til skade ved en trafikulykke på hovedvejen i går aftes, oplyser politiet.
Landsholdet i fodbold skal spille en venskabskamp mod Spanien i slutningen af marts.
Byen ligger ved floden og havde mere end ti tusind indbyggere ved folketællingen i 2001.
Han blev født i København i 1945, hvor han gik i skole og senere studerede historie på universitetet.
Universitetet blev grundlagt i midten af 1900-tallet og har i dag tolv fakulteter og omkring tredive tusind studerende.
Forskerne opdagede en ny plante, som kun vokser på dette bjerg.
To mænd er tiltalt for drab, og sagen kommer for retten efter sommerferien.
Priserne på olie og gas steg i sidste uge med fem procent på det europæiske marked.
Filmen vandt publikumsprisen på festivalen, som afholdes hvert år i august.
Ingen vidste, hvad der var sket den nat i det gamle hus i udkanten af landsbyen.
Hun ville ikke kommentere de andres udtalelser, men lovede at tale med journalisterne senere.
Slottet blev bygget i middelalderen og tilhørte den familie, der regerede i området.
Finansministeren understregede, at indtægterne i de første seks måneder var højere end sidste år.
De ansatte på fabrikken kræver højere løn og truer med strejke.
Bandet udgav sit tredje album og tog på turné i Europa.
Børnene lærte en sang om foråret i skolen og tegnede flotte billeder.
Til denne ret skal du bruge et halvt kilo kød, to spiseskefulde olie, salt, peber og lidt mælk.
Ifølge ham er situationen vanskelig, men han håber, at det bliver løst i løbet af ugen.
Tusindvis af mennesker døde i krigen, og mange måtte forlade deres hjem.
Togene på denne strækning har ikke kørt i tre år, fordi der mangler penge.
Lægerne råder folk til at drikke nok vand og blive inde på den varmeste tid af dagen.
Svømmeren blev nummer to i konkurrencen i Italien og fik en sølvmedalje.
Biskoppen ønskede alle en glædelig jul og takkede for det arbejde, der er gjort i årets løb.
Stedets historie begynder i vikingetiden, hvilket mange fund vidner om.
Samarbejdet mellem de to lande om kultur og uddannelse er meget godt.
Selskabet ansatte halvtreds nye medarbejdere i januar og investerede en million kroner i udstyr.
Grundstoffet blev opdaget i 1800-tallet og har fået sit navn efter det græske ord for farve.
De, som ønsker at deltage i konkurrencen, kan tilmelde sig inden den femtende oktober.
Jeg tror ikke, at vi kan gøre noget ved det nu, for sådan har det altid været.
Retten besluttede, at den sigtede skal sidde varetægtsfængslet i fire uger mere.
På lørdag er der premiere på det nye stykke af den unge instruktør.
Hans far var advokat, og hans mor var lærer på et gymnasium.
Sne og is skaber problemer for trafikken på vejene i de nordlige dele af landet.
Udstillingen viser malerier af den kendte kunstner, som bor og arbejder i Aarhus.
Øen har et areal på tyve kvadratkilometer, og der bor ingen.
EU-Kommissionen fremlagde en rapport om, hvordan reformerne bør gennemføres.
Efter at broen blev åbnet, er forholdene for dem, der bor i byen, blevet meget bedre.
Dette system gør det muligt for brugerne at finde alle de oplysninger, de har brug for.
Hvorfor spørger du mig om det? Hvem har sagt, at jeg ved, hvor hun er?
De fleste af spillerne kommer fra andre klubber, og nogle af dem har også spillet i udlandet.
Eleverne må selv finde ud af, hvordan de skal løse opgaverne, men læreren hjælper dem.
Arten findes først og fremmest i fugtige skove, hvor den lever af insekter og små dyr.
Han er søn af en fisker og har to søstre, som er ældre end ham.
`;
