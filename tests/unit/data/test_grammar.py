"""What a native reader of each language would object to, a test for each."""

import re
from itertools import pairwise, product
from random import Random

import jaxtyping
import pytest

from attention_book.data.tokens import detokenize
from attention_book.data.translation import french, spanish
from attention_book.data.translation.draw import draw
from attention_book.data.translation.lexicon import lexicon
from attention_book.data.translation.syntax import (
    Atom,
    Clause,
    NounPhrase,
    Sentence,
    Time,
    Token,
)
from attention_book.data.translation.triple import Triple

pytestmark = pytest.mark.usefixtures("unchecked")
FULL = lexicon("full")
ADJECTIVES = {
    adjective for noun in FULL.nouns.values() for adjective in noun.adjectives
}
N_DRAWN = 6_000


@pytest.fixture
def checked():
    jaxtyping.config.update("jaxtyping_disable", False)
    yield
    jaxtyping.config.update("jaxtyping_disable", True)


@pytest.fixture(scope="module")
def drawn(unchecked):
    """Triples of both variants."""
    rng = Random(11)
    return [
        Triple(draw(rng, lexicon(v)), lexicon(v))
        for v in ("lite", "full")
        for _ in range(N_DRAWN)
    ]


@pytest.fixture(scope="module")
def clauses(drawn):
    return [(clause, clause.time) for triple in drawn for clause in triple.tree.clauses]


def offending(drawn, language, pattern):
    """Sentences whose words match the pattern."""
    texts = (triple.text(language) for triple in drawn)
    return [text for text in texts if re.search(pattern, f" {text} ")]


def thing(words, determiner="", plural=False, preposition="", complement=None):
    """A noun phrase from English words: the adjectives, then the noun."""
    *names, noun = words.split()
    entry = FULL.nouns[noun]
    known = {a.en: a for a in entry.adjectives}
    adjectives = tuple(known[name] for name in names)
    return NounPhrase(entry, determiner, plural, adjectives, preposition, complement)


def who(pronoun):
    return next(p for p in FULL.pronouns if p.en == pronoun)


def say(subject, verb, tense, obj=None, negative=False, time=None):
    subject = who(subject) if isinstance(subject, str) else subject
    clause = Clause(subject, FULL.verbs[verb], tense, obj, negative, time)
    triple = Triple(Sentence((clause,)), FULL)
    return triple.text("en"), detokenize(triple.tokens("fr")), triple.text("es")


TOMORROW = Time("adverb", FULL.adverbs["tomorrow"])
AUGUST = Time("month", FULL.months["august"], FULL.years["1992"])
MONDAY = Time("day", FULL.days["monday"])

# Written by hand, not by the grammar.
# fmt: off
SENTENCES = [
    (("they", "read", "progressive", thing("letter", "a")),
     "they are reading a letter", "ils lisent une lettre", "están leyendo una carta"),
    (("i", "buy", "past", thing("egg", "the", True), True),
     "i did not buy the eggs", "je n'ai pas acheté les œufs", "no compré los huevos"),
    (("she", "eat", "present", thing("meat"), True),
     "she does not eat meat", "elle ne mange pas de viande", "no come carne"),
    (("we", "buy", "future", thing("cheese"), False, TOMORROW),
     "we will buy cheese tomorrow", "nous achèterons du fromage demain",
     "compraremos queso mañana"),
    (("he", "eat", "present", thing("red meat")),
     "he eats red meat", "il mange de la viande rouge", "come carne roja"),
    (("we", "eat", "progressive", thing("egg", "a", True), True),
     "we are not eating any eggs", "nous ne mangeons pas d'œufs",
     "no estamos comiendo huevos"),
    (("he", "sell", "past", thing("house", "a"), True),
     "he did not sell a house", "il n'a pas vendu de maison", "no vendió ninguna casa"),
    (("he", "see", "present", thing("hospital", "a"), True),
     "he does not see a hospital", "il ne voit pas d'hôpital", "no ve ningún hospital"),
    (("they", "visit", "past", thing("small city", "a", True)),
     "they visited some small cities", "ils ont visité de petites villes",
     "visitaron unas pequeñas ciudades"),
    (("they", "visit", "past", thing("european city", "a", True)),
     "they visited some european cities", "ils ont visité des villes européennes",
     "visitaron unas ciudades europeas"),
    (("she", "see", "past", thing("minister", "the"), False, MONDAY),
     "she saw the minister on monday", "elle a vu le ministre lundi",
     "vio al ministro el lunes"),
    (("i", "see", "future", thing("woman", "the", True)),
     "i will see the women", "je verrai les femmes", "veré a las mujeres"),
    (("i", "support", "present", thing("child", "a"), True),
     "i do not support a child", "je ne soutiens pas d'enfant",
     "no apoyo a ningún niño"),
    (("we", "criticise", "past", thing("bank", "the")),
     "we criticised the bank", "nous avons critiqué la banque", "criticamos al banco"),
    (("we", "see", "present", thing("bank", "the")),
     "we see the bank", "nous voyons la banque", "vemos el banco"),
    (("we", "visit", "present", thing("beautiful hospital", "this")),
     "we visit this beautiful hospital", "nous visitons ce bel hôpital",
     "visitamos este hospital hermoso"),
    (("i", "write", "present", thing("contract", "this")),
     "i write this contract", "j'écris ce contrat", "escribo este contrato"),
    (("she", "visit", "present", thing("old hospital", "the", True)),
     "she visits the old hospitals", "elle visite les vieux hôpitaux",
     "visita los viejos hospitales"),
    (("she", "visit", "present", thing("old hospital", "a")),
     "she visits an old hospital", "elle visite un vieil hôpital",
     "visita un viejo hospital"),
    (("she", "visit", "future", thing("school", "my")),
     "she will visit my school", "elle visitera mon école", "visitará mi escuela"),
    (("she", "visit", "future", thing("big school", "my")),
     "she will visit my big school", "elle visitera ma grande école",
     "visitará mi gran escuela"),
    ((thing("man", "this"), "read", "future", thing("newspaper", "the", True)),
     "this man will read the newspapers", "cet homme lira les journaux",
     "este hombre leerá los periódicos"),
    ((thing("new hero", "the"), "read", "future", thing("book", "a", True)),
     "the new hero will read some books", "le nouveau héros lira des livres",
     "el nuevo héroe leerá unos libros"),
    (("they", "visit", "past", thing("big city", "the")),
     "they visited the big city", "ils ont visité la grande ville",
     "visitaron la gran ciudad"),
    (("they", "visit", "past", thing("big city", "the", True)),
     "they visited the big cities", "ils ont visité les grandes villes",
     "visitaron las grandes ciudades"),
    (("they", "sell", "present", thing("big red car", "a")),
     "they sell a big red car", "ils vendent une grande voiture rouge",
     "venden un coche rojo grande"),
    (("they", "sell", "present", thing("big apple", "a")),
     "they sell a big apple", "ils vendent une grosse pomme",
     "venden una manzana grande"),
    ((thing("letter", "this", True), "write", "past", None, True, AUGUST),
     "these letters were not written in august 1992",
     "ces lettres n'ont pas été écrites en août 1992",
     "estas cartas no fueron escritas en agosto de 1992"),
    ((thing("house", "our"), "sell", "future", None, True, TOMORROW),
     "our house will not be sold tomorrow", "notre maison ne sera pas vendue demain",
     "nuestra casa no será vendida mañana"),
    (("i", "read", "present",
      thing("report", "the", False, "of", thing("council", "the"))),
     "i read the report of the council", "je lis le rapport du conseil",
     "leo el informe del consejo"),
    (("i", "read", "present",
      thing("report", "the", False, "of", thing("council", "the", True))),
     "i read the report of the councils", "je lis le rapport des conseils",
     "leo el informe de los consejos"),
    (("i", "read", "present",
      thing("report", "the", True, "of", thing("union", "the"))),
     "i read the reports of the union", "je lis les rapports de l'union",
     "leo los informes de la unión"),
    (("he", "buy", "past", thing("car", "the", False, "of", thing("woman", "a"))),
     "he bought the car of a woman", "il a acheté la voiture d'une femme",
     "compró el coche de una mujer"),
    ((thing("tomato", "the", True), "buy", "past"),
     "the tomatoes were bought", "les tomates ont été achetées",
     "los tomates fueron comprados"),
    (("we", "sign", "future", thing("important european law", "a")),
     "we will sign an important european law",
     "nous signerons une loi européenne importante",
     "firmaremos una ley europea importante"),
]
# fmt: on


@pytest.mark.parametrize(("said", "en", "fr", "es"), SENTENCES)
def test_a_sentence_is_what_a_native_writes(said, en, fr, es):
    assert say(*said) == (en, fr, es)


VOWEL = "[aeiouyéèêàâîïôœh]"
# "de nouveau" is an adverb, not the adjective: "de nouveau et" passes
FULL_FORM = rf" (le|la|de|je|ne|que|ce|ma|beau|(?<! de )nouveau) (?!héros){VOWEL}"
ELIDED = r" (l'|d'|j'|n'|qu'|cet|nouvel|bel|vieil) (?!h[ôo])[^aeiouyéèêàâîïôœ]"
SEEN = "mangé|signé|lu|écrit|vu|acheté|vendu|visité|critiqué|soutenu|voulu"
PAS = rf" pas(?: (?:{SEEN}))?"
OWNED = " (my|our) ((old|young|famous|european) )*(woman|women|man|men) "


@pytest.mark.parametrize(
    ("language", "never", "but"),
    [
        ("fr", FULL_FORM, [" qu' il ", " d' un ", " n' a ", " j' ai ", " mon orange "]),
        ("fr", ELIDED, [" nouvel accord ", " cet ", " le héros "]),
        ("fr", " de les? ", [" du ", " des "]),
        ("fr", rf"{PAS} (un|une|du|des|de la|de l') ", [rf"{PAS} (de|d') "]),
        ("es", " (de|a) el ", [" del ", " al "]),
        ("en", " a (?!eu|uni)[aeiou]", [" a european "]),
        ("en", " an ([^aeiou]|eu|uni)", [" an "]),
        ("en", r" not \w+ some ", [r" not \w+ any "]),
        ("en", " (seeing|wanting) ", [" (eating|signing|supporting) "]),
        ("en", OWNED, [" (my|our) "]),
    ],
)
def test_words_that_do_not_go_together_never_come(drawn, language, never, but):
    assert offending(drawn, language, never) == []
    assert all(offending(drawn, language, pattern) for pattern in but)


def test_french_says_de_before_a_preposed_plural(drawn):
    before = [adjective.fr[2:4] for adjective in ADJECTIVES if adjective.before_fr]
    preposed = (
        rf" (?:de|d') (?={'|'.join({form for forms in before for form in forms})})"
    )
    assert offending(drawn, "fr", preposed)
    for triple in drawn:
        phrases = [p for clause in triple.tree.clauses for p in clause.phrases()]
        some = [p for p in phrases if p.determiner == "a" and p.plural]
        due = sum(any(a.before_fr for a in p.adjectives) for p in some)
        assert len(re.findall(preposed, f" {triple.text('fr')}")) >= due


def test_spanish_y_is_e_before_the_sound_i_only():
    def after_y(word):
        return spanish.join([Token("y", (1,)), Token(word, (2,))])[0].word

    assert [after_y(word) for word in ("informes", "hizo", "ínfimo")] == ["e", "e", "e"]
    assert [after_y(word) for word in ("hielo", "comió", "el")] == ["y", "y", "y"]


def test_spanish_has_a_before_people_and_only_there(drawn):
    for triple in drawn:
        for clause in triple.tree.clauses:
            if clause.object and len(triple.tree.clauses) == 1:
                person = clause.verb.takes_as_person(clause.object.noun)
                said = triple.text("es")
                assert bool(re.search(" (a|al) ", said)) == person, said


def test_nobody_is_denied_in_the_singular(clauses):
    """*no vi a ningún niño*: "any children" has no good plural after the personal a."""
    denied = [(c.verb, c.object) for c, _ in clauses if c.negative and c.object]
    persons = [thing for verb, thing in denied if verb.takes_as_person(thing.noun)]
    assert {p.plural for p in persons if p.determiner == "a"} == {False}
    assert {p.plural for p in persons if p.determiner == "the"} == {False, True}


MERGED = {  # language: two English sentences that it writes alike
    "es": [
        (("he", "eat", "future", "bread"), ("she", "eat", "future", "bread")),
        (("we", "buy", "present", "bread"), ("we", "buy", "past", "bread")),
    ],
    "fr": [
        (("we", "eat", "present", "bread"), ("we", "eat", "progressive", "bread")),
        (
            ("they", "visit", "present", "country", "a", False, True),
            ("they", "visit", "present", "country", "a", True, True),
        ),
    ],
}


@pytest.mark.parametrize(
    ("language", "pair"),
    [(lang, pair) for lang, pairs in MERGED.items() for pair in pairs],
)
def test_sentences_written_alike_share_a_signature(language, pair):
    def triple(who_, verb, tense, noun, determiner="", plural=False, negative=False):
        clause = Clause(
            who(who_),
            FULL.verbs[verb],
            tense,
            thing(noun, determiner, plural),
            negative,
        )
        return Triple(Sentence((clause,)), FULL)

    one, other = (triple(*arguments) for arguments in pair)
    assert one.text("en") != other.text("en")
    assert one.text(language) == other.text(language)
    assert one.signature == other.signature


def test_a_contraction_keeps_the_atoms_of_both_words():
    minister = Token("ministre", (4,))
    du, _ = french.join([Token("de", (7,)), Token("le", (3,)), minister])
    del_, _ = spanish.join([Token("de", (7,)), Token("el", (3,)), minister])
    assert (du, del_) == (Token("du", (7, 3)), Token("del", (7, 3)))


FRENCH_DETERMINERS = {  # (feminine or None for both, plural or None for both)
    "le": (False, False), "la": (True, False), "l'": (None, False), "les": (None, True),
    "un": (False, False), "une": (True, False), "des": (None, True),
    "ce": (False, False), "cet": (False, False), "cette": (True, False),
    "ces": (None, True), "mes": (None, True), "ma": (True, False), "mon": (None, False),
    "notre": (None, False), "nos": (None, True), "du": (False, False),
}  # fmt: skip
SPANISH_DETERMINERS = {
    "el": (False, False), "la": (True, False), "los": (False, True),
    "las": (True, True), "un": (False, False), "una": (True, False),
    "unos": (False, True), "unas": (True, True), "este": (False, False),
    "esta": (True, False), "estos": (False, True), "estas": (True, True),
    "nuestro": (False, False), "nuestra": (True, False), "nuestros": (False, True),
    "nuestras": (True, True), "mi": (None, False), "mis": (None, True),
    "ningún": (False, False), "ninguna": (True, False), "al": (False, False),
    "del": (False, False),
}  # fmt: skip


def forms(language):
    """word: {(feminine, plural)} of nouns, and of adjectives, as in the lexicon."""
    nouns, adjectives = {}, {}
    for noun in FULL.nouns.values():
        feminine = getattr(noun, f"feminine_{language}")
        for plural, word in enumerate(getattr(noun, language)):
            nouns.setdefault(word, set()).add((feminine, bool(plural)))
    for adjective in ADJECTIVES:
        words = getattr(adjective, language)
        for k, word in enumerate(words[:4]):
            adjectives.setdefault(word, set()).add((bool(k % 2), k > 1))
        if words[4:]:  # bel, nouvel are masculine; gran is both
            both = {(False, False), (language == "es", False)}
            adjectives.setdefault(words[4], set()).update(both)
    return nouns, adjectives


@pytest.mark.parametrize(
    ("language", "determiners"),
    [("fr", FRENCH_DETERMINERS), ("es", SPANISH_DETERMINERS)],
)
def test_determiner_adjectives_and_noun_agree(drawn, language, determiners):
    """From the words: a determiner, adjectives, a noun, more adjectives, all alike."""
    nouns, adjectives = forms(language)
    dates = [*FULL.months.values(), *FULL.days.values()]
    months = {getattr(word, language) for word in dates}
    checked = 0
    for triple in drawn:
        tokens = triple.tokens(language)
        for at, word in enumerate(tokens):
            if word not in determiners or tokens[at + 1] in months:
                continue
            feminine, plural = determiners[word]
            fits = {*product((False, True), repeat=2)}
            fits = {
                f for f in fits if feminine in (None, f[0]) and plural in (None, f[1])
            }
            end = at + 1
            while tokens[end] in adjectives and tokens[end] not in nouns:
                fits &= adjectives[tokens[end]]
                end += 1
            fits &= nouns[tokens[end]]
            while end + 1 < len(tokens) and tokens[end + 1] in adjectives:
                fits &= adjectives[tokens[end + 1]]
                end += 1
            assert fits, (tokens[at : end + 1], triple.text(language))
            checked += 1
    assert checked > N_DRAWN


def test_time_and_tense_agree(clauses):
    timed = [(c.tense, t) for c, t in clauses if t]
    dated = {(of, t.kind, t.year is not None) for of, t in timed if t.kind != "adverb"}
    assert dated == {
        ("past", "month", True), ("past", "month", False), ("past", "day", False),
        ("future", "month", False), ("future", "day", False),
    }  # fmt: skip
    adverbs = {}
    for tense, time in timed:
        if time.kind == "adverb":
            adverbs.setdefault(time.word.en, set()).add(tense)
    assert adverbs["yesterday"] == {"past"}
    assert adverbs["tomorrow"] == {"future"}
    assert adverbs["now"] == {"progressive"}
    assert adverbs["every day"] == {"present"}
    assert "present" not in adverbs["today"]


def test_while_joins_what_goes_on_together_and_only_and_comes_twice(drawn):
    joined = set()
    for tree in (triple.tree for triple in drawn):
        words = [word.en for word in tree.conjunctions]
        assert all(words.count(word) == 1 for word in {*words} - {"and"})
        tenses = pairwise(clause.tense for clause in tree.clauses)
        both = zip(words, tenses, strict=True)
        joined |= {tense for word, tense in both if word == "while"}
    assert joined == {("progressive", "progressive")}


def test_nobody_eats_a_law_and_only_people_and_bodies_act(clauses):
    for clause, _ in clauses:
        if clause.object:
            assert clause.object.noun in clause.verb.objects
            actor = clause.subject
            if isinstance(actor, NounPhrase):
                assert {"person", "body"} & set(actor.noun.kinds)
        else:
            assert clause.subject.noun in clause.verb.objects
            assert clause.verb.passive
    things = [c.object for c, _ in clauses if c.object and c.verb.en[0] == "eat"]
    food = "apple orange tomato cake egg bread meat rice cheese"
    assert {thing.noun.en[0] for thing in things} == set(food.split())


def test_the_atoms_of_a_phrase_stay_clear_of_its_neighbours(clauses):
    room = (Atom.OBJECT - Atom.SUBJECT) // Atom.COMPLEMENT
    tops = [top for c, _ in clauses for top in (c.subject, c.object)]
    tops = [top for top in tops if isinstance(top, NounPhrase)]
    assert 3 <= max(len(top.phrases()) for top in tops) <= room
    adjectives = [len(each.adjectives) for c, _ in clauses for each in c.phrases()]
    assert max(adjectives) == 2


def test_no_noun_comes_twice_no_rank_either_and_no_indefinite_subject_is_denied(
    clauses,
):
    for clause, _ in clauses:
        phrases = clause.phrases()
        assert len({phrase.noun for phrase in phrases}) == len(phrases)
        for phrase in phrases:
            ranks = [adjective.rank for adjective in phrase.adjectives]
            assert ranks == sorted(set(ranks))
        if clause.negative and isinstance(clause.subject, NounPhrase):
            assert clause.subject.determiner in ("the", "this", "my", "our")


def test_the_lexicon_has_every_form():
    for noun in FULL.nouns.values():
        assert len(noun.en) == len(noun.fr) == len(noun.es)
    for adjective in ADJECTIVES:
        assert len(adjective.fr) in (4, 5)
        assert len(adjective.es) in (4, 5)
    for verb in FULL.verbs.values():
        assert (len(verb.en), len(verb.fr), len(verb.es)) == (5, 6, 11)


def test_the_lite_lexicon_is_part_of_the_full_one():
    lite = lexicon("lite")
    parts = "nouns, verbs, conjunctions, adverbs, months, days, years"
    for part in parts.split(", "):
        assert set(getattr(lite, part)) <= set(getattr(FULL, part)), part


def test_the_grammar_passes_to_itself_what_its_signatures_say(checked):
    rng = Random(1)
    for variant in ("lite", "full") * 15:
        triple = Triple(draw(rng, lexicon(variant)), lexicon(variant))
        assert all(triple.alignment("en", language) for language in ("fr", "es"))
