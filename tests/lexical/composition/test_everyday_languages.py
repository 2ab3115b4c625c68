"""Everyday questions in other languages than English over graphs with names in these languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache

import pytest

from tests.lexical.composition.conftest import labels
from triad.agent import Agent
from triad.errors import AnswerError
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.narrowing import narrowing
from triad.questions import Question

pytestmark = pytest.mark.slow(0.2)

THIS_YEAR = date.today().year

LEAGUE = f"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Joueuse rdfs:label "joueuse"@fr . :Match rdfs:label "match"@fr . :Arbitre rdfs:label "arbitre"@fr .
:Pays rdfs:label "pays"@fr . :nationalite rdfs:label "nationalité"@fr . :taille rdfs:label "taille"@fr .
:buts rdfs:label "buts"@fr . :naissance rdfs:label "date de naissance"@fr . :arbitre rdfs:label "arbitre"@fr .
:poste rdfs:label "poste"@fr .
:no a :Pays ; rdfs:label "Norvège"@fr . :dk a :Pays ; rdfs:label "Danemark"@fr .
:mette a :Joueuse ; rdfs:label "Mette Hansen"@fr ; :nationalite :dk ; :taille 178 ; :buts 40 ; :poste "pivot" ;
  :naissance "{THIS_YEAR - 35}-01-01"^^xsd:date .
:nora a :Joueuse ; rdfs:label "Nora Berge"@fr ; :nationalite :no ; :taille 170 ; :buts 25 ; :poste "ailière" ;
  :naissance "{THIS_YEAR - 22}-01-01"^^xsd:date .
:lea a :Joueuse ; rdfs:label "Léa Moreau"@fr ; :taille 168 ; :buts 55 ; :poste "ailière" ;
  :naissance "{THIS_YEAR - 26}-01-01"^^xsd:date .
:claire a :Arbitre ; rdfs:label "Claire Bonnet"@fr . :paul a :Arbitre ; rdfs:label "Paul Vidal"@fr .
:m1 a :Match ; rdfs:label "Metz - Brest"@fr ; :arbitre :claire .
:m2 a :Match ; rdfs:label "Nice - Metz"@fr ; :arbitre :claire .
:m3 a :Match ; rdfs:label "Brest - Nice"@fr ; :arbitre :paul .
"""

STABLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Vaca rdfs:label "vaca"@es . :Granja rdfs:label "granja"@es . :peso rdfs:label "peso"@es .
:vive rdfs:label "vive en"@es .
:norte a :Granja ; rdfs:label "Granja Norte"@es . :sur a :Granja ; rdfs:label "Granja Sur"@es .
:luna a :Vaca ; rdfs:label "Luna"@es ; :peso 500 ; :vive :norte .
:perla a :Vaca ; rdfs:label "Perla"@es ; :peso 600 ; :vive :norte .
:rosa a :Vaca ; rdfs:label "Rosa"@es ; :peso 700 ; :vive :sur .
"""

CONCERTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:olden a :Composer ; rdfs:label "Max Olden"@L ; :born :zittau ; :birth "1801-02-03"^^xsd:date ;
  :died "1870"^^xsd:gYear .
:brink a :Composer ; rdfs:label "Eva Brink"@L ; :born :lommel ; :birth "1971-02-03"^^xsd:date ; :home :zittau .
:karr a :Conductor ; rdfs:label "Udo Karr"@L ; :home :lommel ; :origin :zittau .
:zittau a :Town ; rdfs:label "Zittau"@L ; :people 25000 . :lommel a :Town ; rdfs:label "Lommel"@L ; :people 34000 .
:odeon a :Hall ; rdfs:label "Odeon"@L ; :town :zittau . :lyra a :Hall ; rdfs:label "Lyra"@L ; :town :lommel .
:aurora a :Work ; rdfs:label "Aurora"@L ; :composer :olden ; :value 300 .
:bellona a :Work ; rdfs:label "Bellona"@L ; :composer :brink ; :value 500 .
:nova a :Concert ; rdfs:label "Gala Nova"@L ; :date "2026-05-01"^^xsd:date ; :venue :odeon ; :conductor :karr ;
  :work :aurora ; :visitors 510 .
:alba a :Concert ; rdfs:label "Serata Alba"@L ; :date "2026-06-01"^^xsd:date ; :venue :lyra ; :conductor :karr ;
  :work :bellona ; :visitors 220 .
"""

TERMS = (
    "Composer Conductor Town Hall Work Concert born birth died home origin people town composer value date venue "
    "conductor work visitors"
).split()

CALLED = {
    "de": "Komponist|Dirigent|Stadt|Saal|Werk|Konzert|Geburtsort|Geburtsdatum|Todesjahr|Wohnort|Herkunftsort|"
    "Einwohnerzahl|Stadt|Komponist|Wert|Datum|Veranstaltungsort|Dirigent|Werk|Besucherzahl",
    "fr": "compositeur|chef d'orchestre|ville|salle|œuvre|concert|lieu de naissance|date de naissance|année de décès|"
    "lieu de résidence|origine|nombre d'habitants|ville|compositeur|valeur|date|lieu|chef d'orchestre|œuvre|"
    "nombre de spectateurs",
    "es": "compositor|director de orquesta|ciudad|sala|obra|concierto|lugar de nacimiento|fecha de nacimiento|"
    "año de muerte|domicilio|lugar de origen|número de habitantes|ciudad|compositor|valor|fecha|sede|"
    "director de orquesta|obra|número de espectadores",
    "it": "compositore|direttore d'orchestra|città|sala|opera|concerto|luogo di nascita|data di nascita|anno di morte|"
    "residenza|luogo d'origine|numero di abitanti|città|compositore|valore|data|luogo|direttore d'orchestra|opera|"
    "numero di spettatori",
    "nl": "componist|dirigent|stad|zaal|werk|concert|geboorteplaats|geboortedatum|sterfjaar|woonplaats|herkomst|"
    "inwonertal|stad|componist|waarde|datum|locatie|dirigent|werk|aantal bezoekers",
}


@pytest.fixture(scope="module")
def concerts(open_text: Callable[[str], Agent]) -> Callable[[str], Agent]:
    @cache
    def named_in(language: str) -> Agent:
        names = zip(TERMS, CALLED[language].split("|"), strict=True)
        called = "".join(f'\n:{term} rdfs:label "{name}"@{language} .' for term, name in names)
        return open_text(CONCERTS.replace("@L", f"@{language}") + called)

    return named_in


@pytest.fixture(scope="module")
def league(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(LEAGUE)


@pytest.fixture(scope="module")
def stable(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(STABLE)


@pytest.fixture(scope="module")
def kitchen(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(KITCHEN)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Quelles joueuses sont plus petites que Mette Hansen ?", [["Léa Moreau"], ["Nora Berge"]]),
        ("Quelles joueuses ont marqué plus de buts que Nora Berge ?", [["Léa Moreau"], ["Mette Hansen"]]),
        ("Quelle est la plus grande joueuse ?", [["Mette Hansen"]]),
        ("Quelle est la taille moyenne des joueuses ?", [["172"]]),
        ("nombre moyen de buts", [["40"]]),
        ("Quel âge a Nora Berge ?", [["22"]]),
        ("Quelles joueuses ont plus de 30 ans ?", [["Mette Hansen"]]),
        ("Quelles joueuses ont moins de 25 ans ?", [["Nora Berge"]]),
        ("Quelles joueuses sont norvégiennes ?", [["Nora Berge"]]),
        ("les joueuses danoises", [["Mette Hansen"]]),
        ("matchs par arbitre", [["Claire Bonnet", "2"], ["Paul Vidal", "1"]]),
        ("joueuses par poste", [["1", "pivot"], ["2", "ailière"]]),
        ("Quels matchs ont été arbitrés par Paul Vidal ?", [["Brest - Nice"]]),
    ],
)
def test_french(league: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(league, question, "fr") == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("¿Qué vacas pesan más que Luna?", [["Perla"], ["Rosa"]]),
        ("¿Cuál es la vaca más pesada?", [["Rosa"]]),
        ("¿Cuál es el peso medio de las vacas?", [["600"]]),
        ("vacas por granja", [["Granja Norte", "2"], ["Granja Sur", "1"]]),
    ],
)
def test_spanish(stable: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(stable, question, "es") == rows


DIED, BORN, BIRTH, PLACE, DAY = "1870", "Zittau", "1971-02-03", "Odeon", "2026-05-01"


@pytest.mark.parametrize(
    ("language", "question", "found"),
    [
        ("de", "Wann starb Max Olden?", DIED),
        ("de", "In welchem Jahr ist Max Olden gestorben?", DIED),
        ("de", "Wo wurde Max Olden geboren?", BORN),
        ("de", "Wann wurde Eva Brink geboren?", BIRTH),
        ("de", "Woher kommt Udo Karr?", BORN),
        ("de", "Woher stammt Udo Karr?", BORN),
        ("de", "Wann findet die Gala Nova statt?", DAY),
        ("de", "Wann beginnt die Gala Nova?", DAY),
        ("de", "Wo findet die Gala Nova statt?", PLACE),
        ("de", "Wer dirigierte die Gala Nova?", "Udo Karr"),
        ("de", "Was wurde bei der Gala Nova gespielt?", "Aurora"),
        ("de", "Wie viele Leute waren bei der Gala Nova?", "510"),
        ("de", "Wie viele Menschen wohnen in Lommel?", "34000"),
        ("de", "Welche Komponisten leben noch?", "Eva Brink"),
        ("de", "wertvollstes Werk", "Bellona"),
        ("de", "Gesamtwert der Werke", "800"),
        ("de", "Wie hoch ist der durchschnittliche Wert der Werke?", "400"),
        ("fr", "Où est né Max Olden ?", BORN),
        ("fr", "Quand a lieu Gala Nova ?", DAY),
        ("fr", "Où a lieu Gala Nova ?", PLACE),
        ("fr", "Combien de personnes ont assisté à Gala Nova ?", "510"),
        ("fr", "Quels compositeurs vivent encore ?", "Eva Brink"),
        ("fr", "Quelle est l'œuvre la plus précieuse ?", "Bellona"),
        ("es", "¿Cuándo murió Max Olden?", DIED),
        ("es", "¿De dónde es Udo Karr?", BORN),
        ("es", "¿Dónde tiene lugar Gala Nova?", PLACE),
        ("es", "¿Cuántas personas asistieron a Gala Nova?", "510"),
        ("it", "Quando è morto Max Olden?", DIED),
        ("it", "Da dove viene Udo Karr?", BORN),
        ("it", "Dove si svolge Gala Nova?", PLACE),
        ("it", "Qual è l'opera più preziosa?", "Bellona"),
        ("nl", "Waar is Max Olden geboren?", BORN),
        ("nl", "Waar komt Udo Karr vandaan?", BORN),
        ("nl", "Wanneer vindt Gala Nova plaats?", DAY),
        ("nl", "Wie dirigeerde Gala Nova?", "Udo Karr"),
        ("nl", "Welke componisten leven nog?", "Eva Brink"),
    ],
)
def test_everyday_verbs(concerts: Callable[[str], Agent], language: str, question: str, found: str) -> None:
    assert labels(concerts(language), question, language) == [[found]]


KITCHEN = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Recipe rdfs:label "recette"@fr , "receta"@es , "ricetta"@it . :Course rdfs:label "cours"@fr , "curso"@es , "corso"@it .
:price rdfs:label "prix"@fr , "precio"@es , "prezzo"@it . :seats rdfs:label "places"@fr .
:cooking rdfs:label "temps de cuisson (minutes)"@fr . :rest rdfs:label "tiempo de reposo (minutos)"@es .
:level rdfs:label "difficulté"@fr , "dificultad"@es , "difficoltà"@it . :kind rdfs:label "catégorie"@fr .
:day rdfs:label "date du cours"@fr , "fecha del curso"@es , "data del corso"@it .
:hall rdfs:label "salle"@fr , "sala"@es , "sala"@it . :from rdfs:label "originaire de"@fr .
:Region rdfs:label "région"@fr . :als a :Region ; rdfs:label "Alsace"@fr . :bre a :Region ; rdfs:label "Bretagne"@fr .
:soup a :Recipe ; rdfs:label "soupe"@fr , "La sopa"@es , "La zuppa"@it ; :price 6 ; :cooking 90 ; :level "moyenne" ;
  :kind "plat" ; :from :als .
:cake a :Recipe ; rdfs:label "gâteau"@fr , "El pastel"@es , "Il dolce"@it ; :price 4 ; :cooking 30 ; :level "facile" ;
  :rest 90 ; :kind "dessert" ; :from :bre .
:pie a :Recipe ; rdfs:label "tourte"@fr , "La tarta"@es , "La torta"@it ; :price 9 ; :cooking 60 ; :level "facile" ;
  :rest 20 ; :kind "plat" ; :from :bre .
:roast a :Recipe ; rdfs:label "rôti"@fr , "El asado"@es , "L'arrosto"@it ; :price 15 ; :cooking 120 ; :level "facile" ;
  :kind "plat" ; :from :bre .
:c1 a :Course ; rdfs:label "Sauces" ; :day "2024-05-02"^^xsd:date ; :hall "Salle Bleue" ; :seats 8 .
:c2 a :Course ; rdfs:label "Pains" ; :day "2024-06-02"^^xsd:date ; :hall "Salle Verte" ; :seats 10 .
"""


@pytest.mark.parametrize(
    ("language", "question", "rows"),
    [
        ("fr", "Quelles recettes sont plus chères que la soupe ?", [["rôti"], ["tourte"]]),
        ("fr", "Quelles recettes sont moins chères que la tourte ?", [["gâteau"], ["soupe"]]),
        ("fr", "De combien la tourte est-elle plus chère que le gâteau ?", [["5"]]),
        ("es", "¿Qué recetas son más caras que La sopa?", [["El asado"], ["La tarta"]]),
        ("it", "Quali ricette sono più care della zuppa?", [["L'arrosto"], ["La torta"]]),
        ("fr", "Quels cours ont lieu dans la Salle Bleue ?", [["Sauces"]]),
        ("fr", "Quels cours se déroulent dans la Salle Bleue ?", [["Sauces"]]),
        ("fr", "Quels cours ont lieu en juin ?", [["Pains"]]),
        ("fr", "Quand a lieu le cours Pains ?", [["2024-06-02"]]),
        ("es", "¿Qué cursos tienen lugar en la Salle Bleue?", [["Sauces"]]),
        ("it", "Quali corsi hanno luogo nella Salle Bleue?", [["Sauces"]]),
        ("fr", "Quelles recettes ont un temps de cuisson de plus d'une heure ?", [["rôti"], ["soupe"]]),
        ("fr", "Quelles recettes cuisent plus d'une heure ?", [["rôti"], ["soupe"]]),
        ("fr", "Quelle recette cuit le plus longtemps ?", [["rôti"]]),
        ("es", "¿Qué recetas tienen un tiempo de reposo de más de una hora?", [["El pastel"]]),
        ("fr", "Temps de cuisson moyen par catégorie", [["dessert", "30"], ["plat", "90"]]),
        ("fr", "Quelle est la somme des prix des recettes ?", [["34"]]),
        ("it", "Qual è la somma dei prezzi delle ricette?", [["34"]]),
        ("fr", "Quelles sont les recettes alsaciennes ?", [["soupe"]]),
    ],
)
def test_kitchen(kitchen: Agent, language: str, question: str, rows: list[list[str]]) -> None:
    assert labels(kitchen, question, language) == rows


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("La soupe est-elle plus chère que le gâteau ?", True),
        ("Est-ce que la soupe est moins chère que le gâteau ?", False),
    ],
)
def test_a_thing_is_compared_with_a_noun(kitchen: Agent, question: str, holds: bool) -> None:
    assert kitchen.ask(Question(question, "fr")).boolean is holds


@pytest.mark.parametrize("question", ["recettes italiennes", "Quelles sont les recettes italiennes ?"])
def test_an_adjective_behind_its_noun_is_not_left_out(kitchen: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        kitchen.ask(Question(question, "fr"))


@pytest.mark.parametrize(
    ("language", "text", "missed"),
    [
        ("fr", "recettes italiennes", ["italiennes"]),
        ("fr", "Quelles recettes italiennes sont faciles ?", ["italiennes"]),
        ("es", "¿Cuáles son las obras alemanas?", ["alemanas"]),
        ("it", "Quali spettacoli tedeschi ci sono?", ["tedeschi"]),
        ("fr", "Quels cours se tiennent dans la salle ?", []),
        ("fr", "De quelle région vient Ann ?", []),
    ],
)
def test_what_is_said_of_a_noun_behind_it_limits_it(language: str, text: str, missed: list[str]) -> None:
    pack = load_pack(language)
    analysis = analyse(text, pack)
    places = {at for at, word in enumerate(analysis.words) if word.text in (missed or ["tiennent", "vient"])}
    assert [analysis.words[one.start].text for one in narrowing(analysis, places, pack)] == missed


CLUBS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a a :Verein ; rdfs:label "Blau-Weiß" ; :vereinsleiter :ann .
:b a :Verein ; rdfs:label "Rot-Gold" ; :vereinsleiter :ben .
:ann a :Vereinsmitglied ; rdfs:label "Ann" ; :eintrittsdatum "1999-04-01"^^xsd:date ; :headquarters "Ulm" .
:ben a :Vereinsmitglied ; rdfs:label "Ben" ; :eintrittsdatum "2004-04-01"^^xsd:date ; :headquarters "Bonn" .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wer leitet Blau-Weiß?", ["Ann"]),
        ("Wer hat Rot-Gold geleitet?", ["Ben"]),
        ("Wer ist der Leiter von Rot-Gold?", ["Ben"]),
        ("Wann ist Ben eingetreten?", ["2004-04-01"]),
        ("Wann trat Ann ein?", ["1999-04-01"]),
        ("Welche Mitglieder sind vor 2000 eingetreten?", ["Ann"]),
        ("Wie viele Mitglieder gibt es?", ["2"]),
    ],
)
def test_a_compound_is_named_by_a_part_of_it(
    open_text: Callable[[str], Agent], question: str, expected: list[str]
) -> None:
    values = open_text(CLUBS).ask(Question(question, "de")).values
    assert [value.label or value.shown for value in values] == expected


def test_an_english_word_is_no_german_compound(open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(CLUBS).ask(Question("Was ist die Art von Ann?", "de"))
