/** What newspapers and encyclopaedias say, in our own words: the same in Bosnian, Croatian and Serbian, sentence by sentence. */
export const bos = `
Predsjednik vlade izjavio je jučer da će novi zakon o zaštiti okoliša stupiti na snagu početkom sljedeće godine.
Općinsko vijeće usvojilo je budžet za narednu godinu u iznosu od dvadeset miliona konvertibilnih maraka.
U saobraćajnoj nesreći koja se desila na magistralnom putu povrijeđene su tri osobe, saopćeno je iz policije.
Fudbalska reprezentacija Bosne i Hercegovine igrat će prijateljsku utakmicu protiv Španije krajem marta.
Grad se nalazi na obali rijeke i prema popisu iz 1991. godine imao je više od deset hiljada stanovnika.
Rođen je 1945. godine u Sarajevu, gdje je završio osnovnu školu, gimnaziju i Filozofski fakultet.
Univerzitet je osnovan sredinom 20. vijeka i danas ima dvanaest fakulteta i oko trideset hiljada studenata.
Naučnici su tokom istraživanja otkrili novu vrstu biljke koja raste samo na ovoj planini.
Tužilaštvo je podiglo optužnicu protiv dvojice muškaraca zbog krivičnog djela ubistva.
Cijene nafte i gasa porasle su prošle sedmice na evropskom tržištu za pet posto.
Film je dobio nagradu publike na festivalu koji se održava svake godine u augustu.
Niko nije znao šta se dogodilo te noći u staroj kući na kraju sela.
On je rekao da ne želi komentarisati izjave drugih, ali da će uskoro razgovarati sa novinarima.
Dvorac je sagrađen u srednjem vijeku i pripadao je porodici koja je vladala ovim krajem.
Ministar finansija je istakao da su prihodi u prvih šest mjeseci veći nego lani.
Radnici fabrike traže isplatu plata i doprinosa te najavljuju proteste ispred zgrade Vlade Federacije.
Muzička grupa je objavila svoj treći album i krenula na turneju po Evropi.
Djeca su u školi naučila pjesmu o proljeću i nacrtala lijepe slike.
Za ovo jelo potrebno je pola kilograma mesa, dvije kašike ulja, so, biber i malo paradajza.
Prema njegovim riječima, situacija je teška, ali se nada da će se riješiti tokom ove sedmice.
U ratu je poginulo na hiljade ljudi, a mnogi su morali napustiti svoje domove.
Vozovi na ovoj pruzi ne saobraćaju već tri godine zbog nedostatka novca za obnovu.
Ljekari savjetuju građanima da piju dovoljno vode i da izbjegavaju izlazak u najtoplijem dijelu dana.
Reprezentativac je na takmičenju u Italiji osvojio drugo mjesto i srebrenu medalju.
Islamska zajednica uputila je čestitku povodom Bajrama svim muslimanima u Bosni i Hercegovini.
Historija ovog mjesta počinje u rimsko doba, o čemu svjedoče brojni nalazi.
Saradnja između dvije zemlje u oblasti kulture i obrazovanja veoma je dobra.
Kompanija je u januaru zaposlila pedeset novih radnika i uložila milion eura u opremu.
Hemijski element otkriven je u 19. vijeku, a ime je dobio po grčkoj riječi za boju.
Ko god želi učestvovati na konkursu, može se prijaviti do petnaestog oktobra.
Mislim da bi trebalo nešto uraditi, jer ovako više ne može.
Sud je odlučio da osumnjičeni ostane u pritvoru još mjesec dana.
U pozorištu će u subotu biti izvedena premijera nove predstave mladog režisera.
Otac mu je bio advokat, a majka nastavnica muzike u srednjoj školi.
Snijeg i led otežavaju saobraćaj na putevima u sjevernim dijelovima zemlje.
Otvorena je izložba slika poznatog umjetnika koji živi i radi u Tuzli.
Ostrvo ima površinu od dvadeset kvadratnih kilometara i na njemu niko ne živi.
Evropska komisija objavila je izvještaj o napretku u kojem traži reforme u oblasti pravosuđa.
Uslovi za život u gradu su se popravili otkako je izgrađen novi most.
Ovaj sistem omogućava korisnicima da brzo pronađu sve potrebne informacije.
`;

export const hrv = `
Predsjednik vlade izjavio je jučer da će novi zakon o zaštiti okoliša stupiti na snagu početkom sljedeće godine.
Gradsko vijeće usvojilo je proračun za iduću godinu u iznosu od dvadeset milijuna kuna.
U prometnoj nesreći koja se dogodila na državnoj cesti ozlijeđene su tri osobe, priopćeno je iz policije.
Hrvatska nogometna reprezentacija igrat će prijateljsku utakmicu protiv Španjolske krajem ožujka.
Grad se nalazi na obali rijeke i prema popisu iz 1991. godine imao je više od deset tisuća stanovnika.
Rođen je 1945. godine u Zagrebu, gdje je završio osnovnu školu, gimnaziju i Filozofski fakultet.
Sveučilište je osnovano sredinom 20. stoljeća i danas ima dvanaest fakulteta i oko trideset tisuća studenata.
Znanstvenici su tijekom istraživanja otkrili novu vrstu biljke koja raste samo na ovoj planini.
Državno odvjetništvo podiglo je optužnicu protiv dvojice muškaraca zbog kaznenog djela ubojstva.
Cijene nafte i plina porasle su prošlog tjedna na europskom tržištu za pet posto.
Film je dobio nagradu publike na festivalu koji se održava svake godine u kolovozu.
Nitko nije znao što se dogodilo te noći u staroj kući na kraju sela.
Rekao je kako ne želi komentirati izjave drugih, ali da će uskoro razgovarati s novinarima.
Dvorac je sagrađen u srednjem vijeku i pripadao je obitelji koja je vladala ovim krajem.
Ministar financija istaknuo je kako su prihodi u prvih šest mjeseci veći nego lani.
Radnici tvornice traže isplatu plaća i doprinosa te najavljuju prosvjede ispred zgrade Vlade.
Glazbena skupina objavila je svoj treći album i krenula na turneju po Europi.
Djeca su u školi naučila pjesmu o proljeću i nacrtala lijepe slike.
Za ovo jelo potrebno je pola kilograma mesa, dvije žlice ulja, sol, papar i malo rajčice.
Prema njegovim riječima, situacija je teška, ali se nada da će se riješiti tijekom ovog tjedna.
U ratu su poginule tisuće ljudi, a mnogi su morali napustiti svoje domove.
Vlakovi na ovoj pruzi ne voze već tri godine zbog nedostatka novca za obnovu.
Liječnici savjetuju građanima da piju dovoljno vode i izbjegavaju izlazak u najtoplijem dijelu dana.
Reprezentativac je na natjecanju u Italiji osvojio drugo mjesto i srebrnu medalju.
Nadbiskup je uputio čestitku povodom Uskrsa svim vjernicima u Hrvatskoj.
Povijest ovog mjesta počinje u rimsko doba, o čemu svjedoče brojni nalazi.
Suradnja između dviju zemalja na području kulture i obrazovanja vrlo je dobra.
Tvrtka je u siječnju zaposlila pedeset novih djelatnika i uložila milijun eura u opremu.
Kemijski element otkriven je u 19. stoljeću, a ime je dobio po grčkoj riječi za boju.
Tko god želi sudjelovati na natječaju, može se prijaviti do petnaestog listopada.
Mislim da bi trebalo nešto učiniti, jer ovako više ne može.
Sud je odlučio da osumnjičenik ostane u pritvoru još mjesec dana.
U kazalištu će u subotu biti izvedena premijera nove predstave mladog redatelja.
Otac mu je bio odvjetnik, a majka učiteljica glazbe u srednjoj školi.
Snijeg i led otežavaju promet na cestama u sjevernim dijelovima zemlje.
Otvorena je izložba slika poznatog umjetnika koji živi i radi u Splitu.
Otok ima površinu od dvadeset četvornih kilometara i na njemu nitko ne živi.
Europska komisija objavila je izvješće o napretku u kojem traži reforme na području pravosuđa.
Uvjeti za život u gradu poboljšali su se otkako je izgrađen novi most.
Ovaj sustav omogućuje korisnicima da brzo pronađu sve potrebne informacije.
`;

export const srp = `
Predsednik vlade izjavio je juče da će novi zakon o zaštiti životne sredine stupiti na snagu početkom sledeće godine.
Skupština opštine usvojila je budžet za narednu godinu u iznosu od dvadeset miliona dinara.
U saobraćajnoj nesreći koja se desila na magistralnom putu povređene su tri osobe, saopšteno je iz policije.
Fudbalska reprezentacija Srbije igraće prijateljsku utakmicu protiv Španije krajem marta.
Grad se nalazi na obali reke i prema popisu iz 1991. godine imao je više od deset hiljada stanovnika.
Rođen je 1945. godine u Beogradu, gde je završio osnovnu školu, gimnaziju i Filozofski fakultet.
Univerzitet je osnovan sredinom 20. veka i danas ima dvanaest fakulteta i oko trideset hiljada studenata.
Naučnici su tokom istraživanja otkrili novu vrstu biljke koja raste samo na ovoj planini.
Tužilaštvo je podiglo optužnicu protiv dvojice muškaraca zbog krivičnog dela ubistva.
Cene nafte i gasa porasle su prošle nedelje na evropskom tržištu za pet odsto.
Film je dobio nagradu publike na festivalu koji se održava svake godine u avgustu.
Niko nije znao šta se dogodilo te noći u staroj kući na kraju sela.
On je rekao da ne želi da komentariše izjave drugih, ali da će uskoro razgovarati sa novinarima.
Dvorac je sagrađen u srednjem veku i pripadao je porodici koja je vladala ovim krajem.
Ministar finansija je istakao da su prihodi u prvih šest meseci veći nego prošle godine.
Radnici fabrike traže isplatu plata i doprinosa i najavljuju proteste ispred zgrade Vlade Srbije.
Muzička grupa je objavila svoj treći album i krenula na turneju po Evropi.
Deca su u školi naučila pesmu o proleću i nacrtala lepe slike.
Za ovo jelo potrebno je pola kilograma mesa, dve kašike ulja, so, biber i malo paradajza.
Prema njegovim rečima, situacija je teška, ali se nada da će se rešiti tokom ove nedelje.
U ratu je poginulo na hiljade ljudi, a mnogi su morali da napuste svoje domove.
Vozovi na ovoj pruzi ne saobraćaju već tri godine zbog nedostatka novca za obnovu.
Lekari savetuju građanima da piju dovoljno vode i da izbegavaju izlazak u najtoplijem delu dana.
Reprezentativac je na takmičenju u Italiji osvojio drugo mesto i srebrnu medalju.
Patrijarh je uputio čestitku povodom Vaskrsa svim vernicima u Srbiji.
Istorija ovog mesta počinje u rimsko doba, o čemu svedoče brojni nalazi.
Saradnja između dve zemlje u oblasti kulture i obrazovanja veoma je dobra.
Kompanija je u januaru zaposlila pedeset novih radnika i uložila milion evra u opremu.
Hemijski element otkriven je u 19. veku, a ime je dobio po grčkoj reči za boju.
Ko god želi da učestvuje na konkursu, može da se prijavi do petnaestog oktobra.
Mislim da bi trebalo nešto da se uradi, jer ovako više ne može.
Sud je odlučio da osumnjičeni ostane u pritvoru još mesec dana.
U pozorištu će u subotu biti izvedena premijera nove predstave mladog reditelja.
Otac mu je bio advokat, a majka nastavnica muzike u srednjoj školi.
Sneg i led otežavaju saobraćaj na putevima u severnim delovima zemlje.
Otvorena je izložba slika poznatog umetnika koji živi i radi u Novom Sadu.
Ostrvo ima površinu od dvadeset kvadratnih kilometara i na njemu niko ne živi.
Evropska komisija objavila je izveštaj o napretku u kojem traži reforme u oblasti pravosuđa.
Uslovi za život u gradu su se popravili otkako je izgrađen novi most.
Ovaj sistem omogućava korisnicima da brzo pronađu sve potrebne informacije.
`;
