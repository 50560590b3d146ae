/** Latin as encyclopaedias, histories and letters have it, in our own words, and the forms of frequent words. */
export const lat = `
Roma est caput Italiae et urbs antiquissima, quae ad flumen Tiberim sita est.
Gallia olim in tres partes divisa erat, quarum unam Celtae, alteram Belgae, tertiam Aquitani incolebant.
Imperator Romanus anno 14 mortuus est et in mausoleo suo sepultus.
Natus est in oppido parvo die 12 Ianuarii anno 1854, mortuus est Lutetiae die 3 Maii anno 1912.
Fuit poeta, scriptor et philosophus Francicus, qui multos libros de rebus naturalibus scripsit.
Haec urbs, quae circiter viginti milia incolarum habet, in regione septentrionali Germaniae iacet.
Lingua Latina est lingua Indoeuropaea, quae per totum imperium Romanum et postea in ecclesia catholica adhibebatur.
Universitas anno 1348 ab imperatore Carolo Quarto condita est.
Post bellum civile Caesar dictator factus est, sed Idibus Martiis a senatoribus interfectus.
Exercitus hostium, cum flumen transisset, castra posuit non longe ab oppido.
Consul milites hortatus est ut fortiter pugnarent neque mortem timerent.
His rebus cognitis legati ad senatum missi sunt, qui pacem peterent.
Quod cum audivisset, rex iratus est et omnes captivos interfici iussit.
Dixit autem Dominus ad servos suos: ite in civitatem et vocate omnes quos inveneritis.
Et factum est in diebus illis, cum esset Iesus in domo, venerunt ad eum discipuli eius.
Benedictus Deus, qui nos benedixit in omni benedictione spirituali.
In principio erant tenebrae super terram, et populus lumen non videbat.
Ego autem dico vobis: nolite iudicare, ut non iudicemini.
Marcus Tullius amico suo salutem dicit. Si vales, bene est; ego valeo.
Nihil est enim difficilius quam iudicare quid cuique homini utile sit.
Virtus sola beatam vitam efficere potest, nam divitiae et honores saepe fallunt.
Nemo dubitat quin amicitia maximum sit bonum quod di hominibus dederunt.
Plerumque homines ea quae volunt libenter credunt et ea quae timent negant.
Insula est in Oceano sita, cuius longitudo est mille passuum, latitudo multo minor.
Flumen oritur in montibus et, postquam per multas civitates fluxit, in mare influit.
Animal hoc in silvis Africae vivit et herbis fructibusque vescitur.
Planta est generis herbarum, cuius flores albi vel rubri sunt.
Elementum chemicum est, cuius numerus atomicus est septem et quod in aere invenitur.
Stella a Sole multis annis lucis distat neque oculis nudis videri potest.
Episcopus dioecesis fuit ab anno 1620 usque ad mortem suam; ei successit frater minor.
Papa litteras encyclicas edidit, in quibus de pace et iustitia inter gentes egit.
Foederatae Civitates Americae die 4 Iulii anno 1776 libertatem suam declaraverunt.
Communia Francica, quae in praefectura orientali sita est, incolas fere trecentos habet.
Praeses rei publicae a populo eligitur et quinque annos munere fungitur.
Pater eius mercator erat, mater autem filia medici nobilis.
Puer in schola litteras Graecas et Latinas didicit, deinde iuri studuit.
Opera eius in multas linguas conversa sunt et adhuc a multis leguntur.
Bellum Punicum secundum gestum est inter Romanos et Carthaginienses duce Hannibale.
Templum Iovis in monte Capitolino situm maximum omnium fuit.
Quis est iste qui venit de longinquo, et quid vult apud nos?
Utinam mihi liceret tecum esse et omnia quae acciderunt narrare!
Senatus populusque Romanus hoc monumentum aere publico faciendum curavit.
Tum ille respondit se nihil scire neque umquam hominem vidisse.
Urbe capta, cives in servitutem abducti sunt et domus incensae.
Sicut scriptum est in libro prophetarum, ita et filius hominis venturus est.
Omnes homines natura libertati student et condicionem servitutis oderunt.
Nunc autem de moribus eorum pauca dicenda sunt, antequam ad res gestas veniamus.
Hieme nix altissima agros tegit, aestate autem calor maximus est.
et in est non ad cum ut per sed qui quae quod si aut ex ab de a e
que ne nec neque atque ac vel enim autem igitur ergo itaque tamen nam quidem etiam quoque
hic haec hoc huius huic hunc hanc his horum harum hos has ille illa illud illius illi illum illam illo illis illorum illos illas
is ea id eius ei eum eam eo eis eorum earum eos eas iste ista istud ipse ipsa ipsum ipsius ipsi ipso idem eadem eiusdem
qui quae quod cuius cui quem quam quo qua quorum quarum quibus quos quas quis quid aliquis aliquid quidam quaedam quoddam quisque
ego mei mihi me tu tui tibi te nos nobis nostri vos vobis vestri se sibi sui suus sua suum suis suorum suam meus mea meum tuus tua tuum noster nostra nostrum vester
sum es est sumus estis sunt eram erat erant ero erit erunt fui fuit fuerunt fuerat fuisse esse sim sit sint esset essent futurus
possum potest possunt poterat potuit posse posset volo vult volunt voluit velle nolo malo fero tulit ferre eo it eunt iit ire
habeo habet habent habebat habuit habere facio facit faciunt fecit fecerunt facere factus facta factum fit fiunt fieri
dico dicit dicunt dixit dixerunt dicere dictus dictum dicitur video videt vidit videre visus videtur venio venit veniunt venire ventum
do dat dedit dare datus mitto misit missus mittere scribo scripsit scriptus scribere lego legit lectus ago egit actus agere capio cepit captus
amo amat amavit amare amatus laudo habito habitat habitavit voco vocat vocavit vocatur vocatus appello appellatur appellatus nomino nominatur
deus dei deo deum dii dominus domini domino dominum filius filii filio filium pater patris patri patrem mater matris matrem frater fratris fratres
homo hominis homini hominem homines hominum hominibus vir viri virum viros mulier mulieris femina puer pueri puella
rex regis regi regem reges regum regina regnum regni regno imperator imperatoris imperium imperii princeps principis consul consulis
populus populi populo populum civitas civitatis civitatem civitate civitates urbs urbis urbem urbe urbes oppidum oppidi oppido terra terrae terram terris
res rei rem re rerum rebus res publica rei publicae bellum belli bello bella pax pacis pacem annus anni anno annos annis annorum dies diei diem die dies diebus
nomen nominis nomine nomina tempus temporis tempore tempora corpus corporis corpore corpora caput capitis opus operis opera genus generis genere
manus manu manum manibus domus domum domo mare maris mari flumen fluminis mons montis montem montes silva via viae vita vitae mors mortis mortem morte
magnus magna magnum magni magnae magno magnam maior maius maximus maxima maximum multus multa multum multi multae multis bonus bona bonum melior optimus
omnis omne omnes omnia omnium omnibus totus tota totum alius alia aliud alii alter altera alterum primus prima primum secundus tertius unus una unum duo duae tres tria
inter ante post sub super contra apud propter sine pro trans circa extra intra iuxta usque adhuc semper saepe numquam nunc tunc tum deinde postea iam mox hodie
ibi ubi unde quando quomodo quia quoniam dum donec postquam antequam quamquam sicut velut ita sic tam quam tantum solum modo nisi
Ianuarii Februarii Martii Aprilis Maii Iunii Iulii Augusti Septembris Octobris Novembris Decembris saeculo saeculi vicesimo undevicesimo
Germania Germanicus Francia Francicus Italia Italicus Hispania Hispanicus Anglia Anglicus Britannia Russia Russicus Europa Asia Africa America Americanus
`;
