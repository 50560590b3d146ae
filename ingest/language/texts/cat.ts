/** Catalan as newspapers and encyclopaedias have it, in our own words. */
export const cat = `
El president del govern va dir ahir que la nova llei de protecció del medi ambient entrarà en vigor a principis de l'any vinent.
L'Ajuntament ha aprovat el pressupost de l'any que ve amb els vots a favor dels partits d'esquerra.
Tres persones van resultar ferides en un accident de trànsit a la carretera nacional, segons els Mossos d'Esquadra.
La selecció jugarà un partit amistós contra Itàlia a finals de març.
El municipi és situat a la comarca de l'Alt Empordà i té poc més de deu mil habitants.
Va néixer a Barcelona el 1945, on va estudiar filosofia i lletres a la Universitat.
Fou un escriptor, poeta i polític català, autor de nombroses obres de teatre.
Els investigadors han descobert una nova espècie de planta que només creix en aquesta muntanya.
El preu del petroli i del gas va pujar un cinc per cent la setmana passada als mercats europeus.
La pel·lícula va guanyar el premi del públic al festival que se celebra cada any a l'agost.
Ningú no sabia què havia passat aquella nit a la casa vella del final del poble.
No vull parlar-ne més, perquè ja us he explicat tot allò que sé.
El castell fou construït a l'edat mitjana i pertanyia a la família que governava aquelles terres.
La consellera d'Economia ha remarcat que els ingressos són més alts que l'any passat.
Els treballadors de la fàbrica reclamen una pujada de sou i amenacen amb una vaga.
El grup ha publicat el seu tercer disc i ha començat una gira per tot Europa.
Els nens i les nenes van aprendre una cançó a l'escola i van fer uns dibuixos molt bonics.
Per fer aquest plat cal mig quilo de carn, dues cullerades d'oli, sal, pebre i una mica de llet.
Segons ell, la situació és difícil, però espera que es resolgui aquesta setmana.
Milers de persones van morir durant la guerra i moltes altres van haver de deixar casa seva.
Els trens d'aquesta línia fa tres anys que no circulen per manca de diners.
Els metges aconsellen beure força aigua i evitar sortir de casa al migdia.
La història d'aquest indret comença en època romana, com ho demostren les troballes.
Qui vulgui participar en el concurs es pot inscriure fins al quinze d'octubre.
El jutge ha decidit que l'acusat es quedi a la presó un mes més.
Dissabte s'estrena la nova obra del jove director al Teatre Nacional.
El seu pare era advocat i la seva mare, mestra de música.
La neu i el gel dificulten el trànsit a les carreteres del nord del país.
L'exposició mostra quadres de la coneguda artista, que viu i treballa a Girona.
L'illa té una superfície de vint quilòmetres quadrats i no hi viu ningú.
Hem d'aprendre a viure junts, encara que no sempre estiguem d'acord.
És una de les esglésies més antigues del bisbat d'Urgell i conserva l'absis romànic.
Aquest sistema permet als usuaris trobar ràpidament tota la informació que necessiten.
Què vols que et digui? Jo tampoc no hi entenc gaire, d'aquestes coses.
El València i el Mallorca van empatar a zero en un partit amb poques ocasions de gol.
Les eleccions al Parlament de Catalunya se celebraran diumenge vinent.
A les Illes Balears i al País Valencià també plourà, sobretot a partir de la tarda.
Tanmateix, cal tenir en compte que aquests fets van succeir molt abans.
Avui dia és un dels barris més poblats de la ciutat, amb molts comerços i botigues.
Gairebé tots els alumnes van aprovar l'examen, malgrat que era força complicat.
el la els les un una uns unes de del dels a al als en amb per pel pels i o però ni que si no més
aquest aquesta aquests aquestes aquell aquella aquells això allò seu seva seus seves meu meva nostre nostra vostre
és són era eren fou va van han ha hi ho fer fet dir dit tenir té tenen pot poden vol volen cal anar venir estar està
molt molta molts gaire força només també tampoc encara ja sempre mai ara avui ahir demà aquí allà on quan com perquè doncs
`;
