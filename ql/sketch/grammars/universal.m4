# Tags of Universal Dependencies for English: what english.wsdef.m4 calls a noun, a verb and so on. The tags do not tell forms
# of verbs and nouns apart; their spelling beside their lemma does.
divert(-1)
define(`Noun', `[Tag="NOUN|PROPN"]')
define(`NotNoun', `[Tag!="NOUN|PROPN" & !(Tag="PART" & word="[^\w]s?")]')
define(`PluralNoun', `[Tag="NOUN" & word="(?i).*(s|men|people|children|feet|teeth|mice|data|phenomena|criteria)" & word!=lemma & strlen(word) > 2]')
define(`SingularNoun', `[Tag="NOUN" & word=lemma]')

define(`Verb', `[Tag="VERB"]')
define(`Active', `[Tag="VERB" & word!="(?i).*ing"]')
define(`Participle', `[Tag="VERB" & word="(?i).*(e[dn]|[^i]n|wn|[a-z][^aeiou]t|[oe]ld|made|heard|found|won|held|told|paid|said|led|put|set|read|become|come|run)" & word!=lemma | Tag="VERB" & word="(?i)put|set|read|cut|spread|become|come|run"]')
define(`Gerund', `[Tag="VERB" & word="(?i).+ing" & word!=lemma]')
define(`Infinitive', `[Tag="VERB" & word=lemma]')
# What stands before a verb that is not passive.
define(`BeforeActive', `[lemma!="be|get"]')
define(`Be', `[lemma="be"]')
define(`Have', `[lemma="have" & Tag="AUX"]')
define(`Modal', `[Tag="AUX" & lemma="can|could|may|might|must|ought|shall|should|will|would|need|dare"]')
# Between a subject and its verb: auxiliaries but for be, adverbs, not.
define(`Between', `[(Tag="AUX" & lemma!="be") | Tag="ADV" | lemma="not|n.t"]')

define(`Adjective', `[Tag="ADJ"]')
define(`Comparative', `[Tag="ADJ|ADV" & word="(?i).*[^aeiou]er|better|worse|less" & word!=lemma]')
define(`Superlative', `[Tag="ADJ|ADV" & word="(?i).*[^aeiou]est|best|worst|least" & word!=lemma]')
define(`More', `[word="(?i)more|less" & Tag="ADV"]')
define(`Most', `[word="(?i)most|least" & Tag="ADV"]')
define(`Adverb', `[Tag="ADV" | lemma="not|n.t"]')
define(`Not', `[lemma="not|n.t|never"]')

define(`Number', `[Tag="NUM"]')
define(`Determiner', `[Tag="DET" & word!="(?i)my|your|his|her|its|our|their|whose"]')
define(`Owner', `[word="(?i)my|your|his|her|its|our|their|whose" & Tag="PRON|DET"]')
define(`Pronoun', `[Tag="PRON" & word="(?i)I|you|he|she|it|we|they|me|him|her|us|them|(my|your|him|her|it)self|(our|your|them)selves|everyone|everybody|nobody|nothing|something|anything|everything"]')
define(`Relative', `[word="who|which|that" & Tag="PRON|DET|SCONJ"]')
define(`Question', `[word="what|why|how|when|where|whether" & Tag="PRON|DET|SCONJ|ADV"]')
define(`Genitive', `[Tag="PART" & word="[^\w]s?"]')
define(`Preposition', `[Tag="ADP" | (lemma="to" & Tag="PART")]')
define(`That', `[word="that" & Tag="SCONJ|PRON|DET|ADP"]')
define(`To', `[lemma="to" & Tag="PART"]')
define(`Particle', `[Tag="ADP|ADV|PART" & word="up|down|out|off|away|back|forth|aside|together"]')
define(`Conjunction', `[Tag="CCONJ"]')
define(`Comma', `[word=","]')

# Inside a noun phrase, before its noun.
define(`Inside', `[Tag="DET|NUM|ADJ|ADV|NOUN|PROPN" | (Tag="PART" & word="[^\w]s?") | (Tag="PRON" & word="(?i)my|your|his|her|its|our|their|whose")]')
# The same behind its determiner.
define(`Inner', `[Tag="NUM|ADJ|NOUN|PROPN"]')
divert
