/**
 * The most frequent words of English, beside those of the package `stopword`: its list has 108, with which running text stays
 * below the densities that jusText was published with.
 */
export const english = [
  "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself",
  "she her hers herself it its itself they them their theirs themselves one ones this that these those",
  "who whom whose which what whatever when whenever where wherever why how a an the and or but nor so",
  "yet for if then else because as until while although though whether since unless than of at by with",
  "about against between into through during before after above below to from up down in out on off",
  "over under again further among within without across along around behind beside besides beyond",
  "despite except inside near onto per toward towards upon via throughout like be am is are was were",
  "been being have has had having do does did doing done will would shall should can could may might",
  "must ought i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd",
  "we'd they'd i'll you'll he'll she'll we'll they'll isn't aren't wasn't weren't hasn't haven't hadn't",
  "doesn't don't didn't won't wouldn't shan't shouldn't can't cannot couldn't mustn't let's that's",
  "who's what's here's there's when's where's why's how's not no yes never ever always often sometimes",
  "usually really very too also just only even still already almost quite rather more most less least",
  "much many few some any all both each every either neither other others another such same own several",
  "enough here there now today once twice soon later perhaps maybe however therefore thus otherwise",
  "instead indeed first second last next new old good great big long little right well back way say",
  "says said get gets got go goes going gone went make makes made take takes took come comes came know",
  "knows knew think thought see sees saw seen want wants use used using find found give gave given tell",
  "told work call called try ask need needs feel become leave put mean keep kept let begin began seem",
  "seems help show shown hear play run move live believe bring happen write provide sit stand lose pay",
  "meet include including continue set learn change lead understand watch follow stop time year years",
  "people day days man men woman women child world life hand part place case week thing things",
  "something anything nothing everything someone anyone everyone lot two three four five six ten",
  "hundred",
].flatMap((line) => line.split(" "));
