# Penn-style tags of English: what english.wsdef.m4 calls a noun, a verb and so on. Tags of the treebank itself and
# those of taggers that tell be and have apart (VB, VH, VV) and have their own pronouns (PP, PPZ) are taken alike.
divert(-1)
define(`Noun', `[Tag="N.*"]')
define(`NotNoun', `[Tag!="N.*|POS"]')
define(`PluralNoun', `[Tag="N.*S"]')
define(`SingularNoun', `[Tag="NN|NNP|NP"]')

define(`Verb', `[Tag="V.*" & lemma!="be"]')
define(`Active', `[Tag="V.*" & Tag!="V.N" & lemma!="be"]')
define(`Participle', `[Tag="V.N" & lemma!="be"]')
define(`Gerund', `[Tag="V.G" & lemma!="be"]')
define(`Infinitive', `[Tag="V.P?" & lemma!="be"]')
# What stands before a verb that is not passive: its tag says so already.
define(`BeforeActive', `')
define(`Be', `[lemma="be" & Tag="V.*"]')
define(`Have', `[lemma="have" & Tag="V.*"]')
define(`Modal', `[Tag="MD"]')
# Between a subject and its verb: auxiliaries but for be, adverbs, not.
define(`Between', `[Tag="MD|RB.*" | (lemma="have|do" & Tag="V.*")]')

define(`Adjective', `[Tag="J.*"]')
define(`Comparative', `[Tag="JJR|RBR"]')
define(`Superlative', `[Tag="JJS|RBS"]')
define(`More', `[word="(?i)more|less" & Tag="RB.*|JJR"]')
define(`Most', `[word="(?i)most|least" & Tag="RB.*|JJS"]')
define(`Adverb', `[Tag="RB.*"]')
define(`Not', `[lemma="not|n.t|never"]')

define(`Number', `[Tag="CD"]')
define(`Determiner', `[Tag="P?DT"]')
define(`Owner', `[Tag="(PRP|PP|WP)\$|PPZ"]')
define(`Pronoun', `[Tag="PRP|PP"]')
define(`Relative', `[Tag="WDT|WP" | (word="that" & Tag="IN.*")]')
define(`Question', `[Tag="W.*" & word!="(?i)that|which|who|whom|whose"]')
define(`Genitive', `[Tag="POS"]')
define(`Preposition', `[Tag="IN|TO" & lemma!="that|if|whether|because|although|though|while|unless|once"]')
define(`That', `[word="that" & Tag="IN.*|WDT"]')
define(`To', `[Tag="TO"]')
define(`Particle', `[Tag="RP"]')
define(`Conjunction', `[Tag="CC" & lemma!="not|n.t"]')
define(`Comma', `[word=","]')

# Inside a noun phrase, before its noun.
define(`Inside', `[Tag="P?DT|(PRP|PP|WP)\$|PPZ|CD|J.*|RB.*|N.*|POS|V.N"]')
# The same behind its determiner.
define(`Inner', `[Tag="CD|J.*|N.*|V.N"]')
divert
