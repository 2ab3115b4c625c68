"""Facts about facts: Anna works for Acme since 2019, according to the handbook, in each shape that RDF has for it."""

from __future__ import annotations

from typing import Final

EX: Final = "http://example.org/"

NAMES: Final = """@prefix : <http://example.org/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
:Person rdfs:label "person"@en . :Company rdfs:label "company"@en . :Document rdfs:label "document"@en .
:anna a :Person ; rdfs:label "Anna"@en . :ben a :Person ; rdfs:label "Ben"@en . :cleo a :Person ; rdfs:label "Cleo"@en .
:acme a :Company ; rdfs:label "Acme"@en . :bolt a :Company ; rdfs:label "Bolt"@en .
:handbook a :Document ; rdfs:label "the handbook"@en . :paper a :Document ; rdfs:label "the newspaper"@en .
:worksFor rdfs:label "works for"@en . :since rdfs:label "since"@en . :accordingTo rdfs:label "according to"@en .
"""

STATEMENTS: Final = f"""{NAMES}
:s1 a rdf:Statement ; rdf:subject :anna ; rdf:predicate :worksFor ; rdf:object :acme ;
  :since "2019"^^xsd:gYear ; :accordingTo :handbook .
:s2 a rdf:Statement ; rdf:subject :ben ; rdf:predicate :worksFor ; rdf:object :acme ;
  :since "2021"^^xsd:gYear ; :accordingTo :paper .
:s3 a rdf:Statement ; rdf:subject :ben ; rdf:predicate :worksFor ; rdf:object :bolt ;
  :since "2015"^^xsd:gYear ; :accordingTo :handbook .
"""

TRIPLE_TERMS: Final = f"""{NAMES}
:anna :worksFor :acme {{| :since "2019"^^xsd:gYear ; :accordingTo :handbook |}} .
:ben :worksFor :acme ~ :told {{| :since "2021"^^xsd:gYear ; :accordingTo :paper |}} .
:ben :worksFor :bolt {{| :since "2015"^^xsd:gYear ; :accordingTo :handbook |}} .
"""

PROVENANCE: Final = f"""{NAMES}
:s1 a rdf:Statement , prov:Entity ; rdf:subject :anna ; rdf:predicate :worksFor ; rdf:object :acme ;
  prov:wasAttributedTo :cleo ; prov:wasDerivedFrom :handbook ;
  prov:generatedAtTime "2019-03-01T00:00:00Z"^^xsd:dateTime .
:s2 a rdf:Statement , prov:Entity ; rdf:subject :ben ; rdf:predicate :worksFor ; rdf:object :acme ;
  prov:wasAttributedTo :anna ; prov:wasDerivedFrom :paper ;
  prov:generatedAtTime "2021-03-01T00:00:00Z"^^xsd:dateTime .
"""

CLAIMS: Final = """@prefix wd: <http://www.wikidata.org/entity/> . @prefix p: <http://www.wikidata.org/prop/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> . @prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> . @prefix wds: <http://www.wikidata.org/entity/statement/> .
@prefix wikibase: <http://wikiba.se/ontology#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
wd:P108 rdfs:label "employer"@en ; wikibase:directClaim wdt:P108 ; wikibase:claim p:P108 ;
  wikibase:statementProperty ps:P108 .
wd:P580 rdfs:label "start time"@en ; wikibase:qualifier pq:P580 .
wd:Q5 rdfs:label "person"@en . wd:Q4 rdfs:label "company"@en .
wd:Q10 a wd:Q5 ; rdfs:label "Anna"@en ; p:P108 wds:a1 , wds:a2 , wds:a3 .
wd:Q11 a wd:Q5 ; rdfs:label "Ben"@en ; p:P108 wds:b1 .
wd:Q20 a wd:Q4 ; rdfs:label "Acme"@en . wd:Q21 a wd:Q4 ; rdfs:label "Bolt"@en . wd:Q22 a wd:Q4 ; rdfs:label "Cork"@en .
wds:a1 a wikibase:Statement ; wikibase:rank wikibase:PreferredRank ; ps:P108 wd:Q20 ; pq:P580 2019 .
wds:a2 a wikibase:Statement ; wikibase:rank wikibase:NormalRank ; ps:P108 wd:Q21 ; pq:P580 2012 .
wds:a3 a wikibase:Statement ; wikibase:rank wikibase:DeprecatedRank ; ps:P108 wd:Q22 ; pq:P580 2010 .
wds:b1 a wikibase:Statement ; wikibase:rank wikibase:NormalRank ; ps:P108 wd:Q21 ; pq:P580 2021 .
"""

DIRECT: Final = """
wd:Q10 wdt:P108 wd:Q20 . wd:Q11 wdt:P108 wd:Q21 .
"""
