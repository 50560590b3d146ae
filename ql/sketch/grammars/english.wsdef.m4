# English, by patterns over tags. What a Noun, a Verb … is stands in penn.m4 or in universal.m4, which is read before this.
#
# 1 is the head, 2 its collocate. A noun is the last one of its phrase: behind it stands no other (NotNoun).
*STRUCTLIMIT s
*DEFAULTATTR Tag
*WSPOSLIST ",noun,-n,verb,-v,adjective,-j,adverb,-a"
*FIXORDER ;modifier;noun_modifier;object_of;subject_of;passive_subject_of;agent_of;possessor;possessive;predicate;is_a;and_or;object;subject;passive_subject;agent;pronoun_object;pronoun_subject;particle;complement;infinitive;gerund;adverb;modal;degree;modifies;noun_modifies;possesses;predicate_of;is_a_of

# ---- verbs and their nouns

# keep the peace; has taken every precaution
*DUAL
*UNIMAP object/object_of
=object/object_of
	BeforeActive 1:Active Inside{0,4} 2:Noun NotNoun
	Have Adverb{0,2} 1:Participle Inside{0,4} 2:Noun NotNoun
	1:Gerund Inside{0,4} 2:Noun NotNoun

# the nation demands; the war, which has cost; the committee is considering
*DUAL
*UNIMAP subject/subject_of
=subject/subject_of
	2:Noun Between{0,3} 1:Active
	2:Noun Comma? Relative Between{0,3} 1:Active
	2:Noun Between{0,2} Have Adverb{0,2} 1:Participle
	2:Noun Between{0,2} Be Adverb{0,2} 1:Gerund

# the treaty was signed
*DUAL
*UNIMAP passive_subject/passive_subject_of
=passive_subject/passive_subject_of
	2:Noun Between{0,3} Be{1,2} Adverb{0,2} 1:Participle
	2:Noun Comma? Relative Between{0,3} Be{1,2} Adverb{0,2} 1:Participle

# ratified by the Senate
*DUAL
*UNIMAP agent/agent_of
=agent/agent_of
	1:Participle Adverb? [word="by"] Inside{0,4} 2:Noun NotNoun

# told them
=pronoun_object
	1:Verb 2:Pronoun

# they believe; she has never said
=pronoun_subject
	2:Pronoun Between{0,3} 1:Active
	2:Pronoun Between{0,2} Have Adverb{0,2} 1:Participle
	2:Pronoun Between{0,2} Be Adverb{0,2} 1:Gerund

# carry out; bring the matter up
*DUAL
=particle/particle_of
	1:Verb 2:Particle
	1:Verb Determiner Inner{0,2} Noun 2:Particle NotNoun

# grew strong; remains open
*DUAL
*UNIMAP complement/complement_of
=complement/complement_of
	1:[lemma="become|remain|seem|appear|feel|look|sound|grow|prove|stay|turn|get|keep|stand|go"] Adverb{0,2} 2:Adjective NotNoun
	1:[lemma="make|render|keep|find|consider|deem|hold|leave"] (Pronoun | Inside{0,3} Noun) Adverb? 2:Adjective NotNoun

# refuse to obey; desire to preserve; able to pay
*DUAL
*UNIMAP infinitive/infinitive_of
=infinitive/infinitive_of
	1:Verb To Adverb? 2:Infinitive
	1:Noun To Adverb? 2:Infinitive
	1:Adjective To Adverb? 2:Infinitive

# stop fighting
*DUAL
=gerund/gerund_of
	1:Verb 2:Gerund

# must do
=modal
	2:Modal Adverb{0,2} 1:Infinitive

# strongly recommend; act wisely
*DUAL
*UNIMAP adverb/adverb_of
=adverb/adverb_of
	2:Adverb 1:Verb
	1:Verb 2:[Tag="ADV|RB.*"] NotNoun
	1:Verb (Pronoun | Determiner Inner{0,2} Noun) 2:[Tag="ADV|RB.*" & word=".*ly"] NotNoun

# ---- nouns and what belongs to them

# great war; newly acquired territory
*DUAL
*UNIMAP modifier/modifies
=modifier/modifies
	2:Adjective Inner{0,3} 1:Noun NotNoun
	2:Adjective (Comma | Conjunction | Comma Conjunction) Adverb? Adjective Noun{0,2} 1:Noun NotNoun

# tariff law
*DUAL
*UNIMAP noun_modifier/noun_modifies
=noun_modifier/noun_modifies
	2:Noun Noun{0,2} 1:Noun NotNoun

# the nation's wealth
*DUAL
*UNIMAP possessor/possesses
=possessor/possesses
	2:Noun Genitive Inner{0,3} 1:Noun NotNoun

# our country
=possessive
	2:Owner Inner{0,3} 1:Noun NotNoun

# this question, every state
=determiner
	2:Determiner Inner{0,3} 1:Noun NotNoun

# twenty ships
=number
	2:Number Inner{0,2} 1:Noun NotNoun

# the danger is great
*DUAL
*UNIMAP predicate/predicate_of
=predicate/predicate_of
	1:Noun Between{0,3} Be Adverb{0,2} 2:Adjective NotNoun

# peace is a blessing
*DUAL
*UNIMAP is_a/is_a_of
=is_a/is_a_of
	1:Noun Between{0,3} Be Adverb{0,2} (Determiner | Owner) Inner{0,3} 2:Noun NotNoun

# war with Mexico; insist on payment; worthy of attention
*DUAL
*TRINARY
=pp_%(3.lemma)/in_pp_%(3.lemma)
	1:Noun 3:Preposition Inside{0,4} 2:Noun NotNoun
	1:Verb Particle? 3:Preposition Inside{0,4} 2:Noun NotNoun
	1:Adjective 3:Preposition Inside{0,4} 2:Noun NotNoun

# ---- adjectives and adverbs

# very great; far more
*DUAL
*UNIMAP degree/degree_of
=degree/degree_of
	2:Adverb 1:Adjective
	2:Adverb 1:Adverb

# ---- two of a kind

# peace and prosperity; men, women and children; tried and failed; just and lasting
*SYMMETRIC
*UNIMAP and_or
=and_or
	1:Noun Comma? Conjunction Inside{0,3} 2:Noun NotNoun
	1:Noun Comma Inner{0,2} 2:Noun Comma? Conjunction
	1:Adjective Comma? Conjunction Adverb? 2:Adjective
	1:Adjective Comma 2:Adjective
	1:Adverb Comma? Conjunction 2:Adverb
	1:Verb Comma? Conjunction Adverb{0,2} 2:Verb & 1.Tag = 2.Tag

# ---- what is said of the head alone

*UNARY
=passive
	Be Adverb{0,2} 1:Participle

*UNARY
=progressive
	Be Adverb{0,2} 1:Gerund

*UNARY
=perfect
	Have Adverb{0,2} 1:Participle

*UNARY
=negated
	Not Adverb? 1:Verb

*UNARY
=to_infinitive
	To Adverb? 1:Infinitive

*UNARY
=that_clause
	1:Verb That
	1:Noun That (Determiner | Owner | Pronoun)
	1:Adjective That

*UNARY
=wh_clause
	1:Verb Question

*UNARY
=plural
	1:PluralNoun

*UNARY
=singular
	1:SingularNoun

*UNARY
=definite
	[word="(?i)the"] Inner{0,3} 1:Noun NotNoun

*UNARY
=indefinite
	[word="(?i)an?"] Inner{0,3} 1:Noun NotNoun

*UNARY
=attributive
	1:Adjective Inner{0,3} Noun NotNoun

*UNARY
=predicative
	Be Adverb{0,2} 1:Adjective NotNoun

*UNARY
=comparative
	1:Comparative
	More 1:Adjective

*UNARY
=superlative
	1:Superlative
	Most 1:Adjective

*UNARY
=sentence_initial
	<s> 1:Noun
	<s> 1:Verb
	<s> 1:Adjective
	<s> 1:Adverb
