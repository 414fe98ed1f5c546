"""Generated games as N-Quads, a graph each, and rules over them in four languages."""

from __future__ import annotations

import random
from pathlib import Path

NAMES = "urn:readmark:names#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
XSD = "http://www.w3.org/2001/XMLSchema#"
POINTS = (0, 3, 6, 7, 10, 13, 14, 16, 17, 20, 21, 23, 24, 27, 28, 31, 34, 35, 38, 42)


def write_games(file: Path, count: int, *, seed: int = 1) -> int:
    """So many games, about 10.3 triples each; how many triples there are."""
    draw = random.Random(seed)
    lines = 0
    with file.open("w", encoding="utf-8") as sink:
        for number in range(count):
            told = list(_game(number, draw))
            lines += len(told)
            graph = f"<urn:readmark:document:d{number}>"
            sink.writelines(f"{triple} {graph} .\n" for triple in told)
    return lines


def _game(number: int, draw: random.Random) -> list[str]:
    game = f"<{NAMES}Game-{number}>"
    home, away = draw.sample(range(32), 2)
    day = f"{draw.randrange(1980, 2020)}-{draw.randrange(9, 13):02d}-{draw.randrange(1, 29):02d}"
    told = [
        f"{game} <{TYPE}> <{NAMES}NFLGame>",
        f"{game} <{NAMES}homeTeamInGame> <{NAMES}Team-{home}>",
        f"{game} <{NAMES}awayTeamInGame> <{NAMES}Team-{away}>",
        f'{game} <{NAMES}gameDate> "{day}"^^<{XSD}date>',
    ]
    for side, team in enumerate((home, away)):
        score = f"<{NAMES}Score-{number}-{side}>"
        points = draw.choice(POINTS)
        told.append(f"{game} <{NAMES}teamFinalScoreInGame> {score}")
        told.append(f"{score} <{NAMES}teamScoringAll> <{NAMES}Team-{team}>")
        told.append(f'{score} <{NAMES}pointsScored> "{points}"^^<{XSD}integer>')
    if draw.random() < 0.2:
        told.append(f'{game} <{NAMES}hasOvertimePlay> "true"^^<{XSD}boolean>')
    if draw.random() < 0.1:
        periods = draw.choice((4, 4, 5, 6))
        told.append(f'{game} <{NAMES}numberOfPeriods> "{periods}"^^<{XSD}integer>')
    return told


_BOTH = """(?g teamFinalScoreInGame ?s) (?g teamFinalScoreInGame ?u)
 (?s pointsScored ?x) (?u pointsScored ?y) (?x mrq:greaterThan ?y)"""

RULES = f"""
(:theory Games)
(:rule home :if (?g homeTeamInGame ?t) :then (?g teamInGame ?t))
(:rule away :if (?g awayTeamInGame ?t) :then (?g teamInGame ?t))
(:rule scored :if (?g teamFinalScoreInGame ?s) (?s teamScoringAll ?t) :then (?g teamInGame ?t))
(:rule a-score :if (?g teamFinalScoreInGame ?s) :then (?s type TeamSummaryScore))
(:rule a-team :if (?g teamInGame ?t) :then (?t type NFLTeam))
(:rule an-event :if (?g type NFLGame) :then (?g type Event))
(:rule season :if (?g gameDate ?d) (?y mrq:yearOf ?d) :then (?g season ?y))
(:rule winner :if {_BOTH} (?s teamScoringAll ?a) :then (?g gameWinner ?a))
(:rule loser :if {_BOTH} (?u teamScoringAll ?b) :then (?g gameLoser ?b))
(:rule margin :if {_BOTH} (?m mrq:difference ?x ?y) :then (?g margin ?m))
(:rule total
 :if (?g homeTeamInGame ?t) (?g awayTeamInGame ?v)
     (?g teamFinalScoreInGame ?s) (?s teamScoringAll ?t) (?s pointsScored ?x)
     (?g teamFinalScoreInGame ?u) (?u teamScoringAll ?v) (?u pointsScored ?y)
     (?n mrq:sum ?x ?y)
 :then (?g totalPoints ?n))
(:rule overtime
 :if (?g hasOvertimePlay true) :if-not (?g numberOfPeriods ?n) :then (?g numberOfPeriods 5))
(:rule four
 :if (?g numberOfPeriods ?n) (?n mrq:lessThanOrEqualTo 4) (?g hasOvertimePlay true)
 :then (?i contradicts Games))
"""

# Nemo joins faster when a property has a predicate of its own and shared joins are named.
NEMO = """
@prefix n: <urn:readmark:names#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@import q :- nquads{resource="FILE"} .
home(?d,?g,?t) :- q(?d,?g,n:homeTeamInGame,?t) .
away(?d,?g,?t) :- q(?d,?g,n:awayTeamInGame,?t) .
score(?d,?g,?s) :- q(?d,?g,n:teamFinalScoreInGame,?s) .
scoring(?d,?s,?t) :- q(?d,?s,n:teamScoringAll,?t) .
points(?d,?s,?x) :- q(?d,?s,n:pointsScored,?x) .
date(?d,?g,?t) :- q(?d,?g,n:gameDate,?t) .
overtime(?d,?g) :- q(?d,?g,n:hasOvertimePlay,"true"^^<http://www.w3.org/2001/XMLSchema#boolean>) .
said(?d,?g,?n) :- q(?d,?g,n:numberOfPeriods,?n) .
game(?d,?g) :- q(?d,?g,rdf:type,n:NFLGame) .
type(?d,?g,?t) :- q(?d,?g,rdf:type,?t) .
team(?d,?g,?t) :- home(?d,?g,?t) .
team(?d,?g,?t) :- away(?d,?g,?t) .
team(?d,?g,?t) :- score(?d,?g,?s), scoring(?d,?s,?t) .
type(?d,?s,n:TeamSummaryScore) :- score(?d,?g,?s) .
type(?d,?t,n:NFLTeam) :- team(?d,?g,?t) .
type(?d,?g,n:Event) :- game(?d,?g) .
season(?d,?g,INT(SUBSTR(STR(?t), 1, 4))) :- date(?d,?g,?t) .
both(?d,?g,?s,?x,?u,?y) :-
    score(?d,?g,?s), score(?d,?g,?u), points(?d,?s,?x), points(?d,?u,?y), ?x > ?y .
winner(?d,?g,?a) :- both(?d,?g,?s,?x,?u,?y), scoring(?d,?s,?a) .
loser(?d,?g,?b) :- both(?d,?g,?s,?x,?u,?y), scoring(?d,?u,?b) .
margin(?d,?g,?x - ?y) :- both(?d,?g,?s,?x,?u,?y) .
total(?d,?g,?x + ?y) :- home(?d,?g,?t), away(?d,?g,?v),
    score(?d,?g,?s), scoring(?d,?s,?t), points(?d,?s,?x),
    score(?d,?g,?u), scoring(?d,?u,?v), points(?d,?u,?y) .
periods(?d,?g,?n) :- said(?d,?g,?n) .
known(?d,?g) :- said(?d,?g,?n) .
periods(?d,?g,5) :- overtime(?d,?g), ~known(?d,?g) .
four(?d,?g) :- periods(?d,?g,?n), ?n <= 4, overtime(?d,?g) .
"""
NEMO_CONCLUSIONS = {
    "team": "teamInGame",
    "type": "type",
    "season": "season",
    "winner": "gameWinner",
    "loser": "gameLoser",
    "margin": "margin",
    "total": "totalPoints",
    "periods": "numberOfPeriods",
}

_PAIR = """FROM teamFinalScoreInGame a JOIN teamFinalScoreInGame b ON a.g = b.g AND a.s = b.s
 JOIN pointsScored x ON x.g = a.g AND x.s = a.o JOIN pointsScored y ON y.g = b.g AND y.s = b.o"""

SQL = {
    "teamInGame": "SELECT g, s, o FROM homeTeamInGame UNION SELECT g, s, o FROM awayTeamInGame "
    "UNION SELECT f.g, f.s, t.o FROM teamFinalScoreInGame f "
    "JOIN teamScoringAll t ON t.g = f.g AND t.s = f.o",
    "type2": "SELECT g, s, 'NFLGame' AS o FROM type UNION ALL SELECT g, s, 'Event' FROM type "
    "UNION ALL SELECT DISTINCT g, o, 'TeamSummaryScore' FROM teamFinalScoreInGame "
    "UNION ALL SELECT DISTINCT g, o, 'NFLTeam' FROM teamInGame",
    "season": "SELECT g, s, year(o) AS o FROM gameDate",
    "gameWinner": f"SELECT DISTINCT a.g, a.s, t.o {_PAIR} "
    "JOIN teamScoringAll t ON t.g = a.g AND t.s = a.o WHERE x.o > y.o",
    "gameLoser": f"SELECT DISTINCT a.g, a.s, t.o {_PAIR} "
    "JOIN teamScoringAll t ON t.g = b.g AND t.s = b.o WHERE x.o > y.o",
    "margin": f"SELECT DISTINCT a.g, a.s, x.o - y.o AS o {_PAIR} WHERE x.o > y.o",
    "totalPoints": "SELECT DISTINCT h.g, h.s, x.o + y.o AS o FROM homeTeamInGame h "
    "JOIN awayTeamInGame v ON v.g = h.g AND v.s = h.s "
    "JOIN teamFinalScoreInGame a ON a.g = h.g AND a.s = h.s "
    "JOIN teamScoringAll t ON t.g = a.g AND t.s = a.o AND t.o = h.o "
    "JOIN pointsScored x ON x.g = a.g AND x.s = a.o "
    "JOIN teamFinalScoreInGame b ON b.g = h.g AND b.s = h.s "
    "JOIN teamScoringAll u ON u.g = b.g AND u.s = b.o AND u.o = v.o "
    "JOIN pointsScored y ON y.g = b.g AND y.s = b.o",
    "periods": "SELECT g, s, o FROM numberOfPeriods UNION ALL "
    "SELECT g, s, 5 FROM hasOvertimePlay h WHERE NOT EXISTS "
    "(SELECT 1 FROM numberOfPeriods n WHERE n.g = h.g AND n.s = h.s)",
    "four": "SELECT p.g, p.s FROM periods p JOIN hasOvertimePlay h ON h.g = p.g AND h.s = p.s "
    "WHERE p.o <= 4",
}
"""The rules by hand over typed tables (g, s, o) of names as integers, in the order to run."""

SPARQL = [
    f"INSERT {{ GRAPH ?d {{ ?g :teamInGame ?t }} }} WHERE {{ GRAPH ?d {{ {body} }} }}"
    for body in (
        "?g :homeTeamInGame ?t",
        "?g :awayTeamInGame ?t",
        "?g :teamFinalScoreInGame ?s . ?s :teamScoringAll ?t",
    )
] + [
    f"INSERT {{ GRAPH ?d {{ {head} }} }} WHERE {{ GRAPH ?d {{ {body} }} }}"
    for head, body in (
        ("?s a :TeamSummaryScore", "?g :teamFinalScoreInGame ?s"),
        ("?t a :NFLTeam", "?g :teamInGame ?t"),
        ("?g a :Event", "?g a :NFLGame"),
        ("?g :season ?y", "?g :gameDate ?t BIND(xsd:integer(SUBSTR(STR(?t), 1, 4)) AS ?y)"),
        (
            "?g :gameWinner ?a . ?g :gameLoser ?b . ?g :margin ?m",
            "?g :teamFinalScoreInGame ?s . ?s :pointsScored ?x . ?s :teamScoringAll ?a . "
            "?g :teamFinalScoreInGame ?u . ?u :pointsScored ?y . ?u :teamScoringAll ?b . "
            "FILTER(?x > ?y) BIND(?x - ?y AS ?m)",
        ),
        (
            "?g :totalPoints ?n",
            "?g :homeTeamInGame ?t . ?g :awayTeamInGame ?v . ?g :teamFinalScoreInGame ?s . "
            "?s :teamScoringAll ?t . ?s :pointsScored ?x . ?g :teamFinalScoreInGame ?u . "
            "?u :teamScoringAll ?v . ?u :pointsScored ?y . BIND(?x + ?y AS ?n)",
        ),
        (
            "?g :numberOfPeriods 5",
            "?g :hasOvertimePlay true FILTER NOT EXISTS { ?g :numberOfPeriods ?n }",
        ),
    )
]
SPARQL_PREFIXES = f"PREFIX : <{NAMES}> PREFIX xsd: <{XSD}> "
