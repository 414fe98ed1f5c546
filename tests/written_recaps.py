"""Recaps of games that nobody played, in the wording of such recaps, with what they tell.

An event is ``type team | player | yards | quarter``; ``-`` is what the text leaves open.
"""

from __future__ import annotations

from typing import NamedTuple


class WrittenRecap(NamedTuple):
    text: str
    events: tuple[tuple[str, str, str | None, int | None, int | None], ...]
    game: dict[str, str | bool | None]
    scores: dict[str, int]


TYPES = {"td": "touchdown", "fg": "field_goal", "sf": "safety"}


def _events(lines: str) -> tuple[tuple[str, str, str | None, int | None, int | None], ...]:
    found = []
    for line in lines.strip().splitlines():
        first, player, yards, quarter = (part.strip() for part in line.split("|"))
        type, _, team = first.partition(" ")
        found.append(
            (
                TYPES[type],
                team,
                None if player == "-" else player,
                None if yards == "-" else int(yards),
                None if quarter == "-" else int(quarter),
            )
        )
    return tuple(found)


def _recap(text: str, events: str, game: str = "", scores: str = "") -> WrittenRecap:
    """``game`` is ``winner loser home away [overtime]``, ``scores`` ``Team 24 Team 20``."""
    named: dict[str, str | bool | None] = {}
    words = game.split()
    for name, word in zip(("winner", "loser", "home", "away"), words, strict=False):
        if word != "?":
            named[name] = None if word == "-" else word
    if words:
        named["overtime"] = True if words[-1] == "overtime" else None
    points = scores.split()
    totals = {team: int(number) for team, number in zip(points[::2], points[1::2], strict=True)}
    return WrittenRecap(" ".join(text.split()), _events(events), named, totals)


RECAPS = {
    "harbor": _recap(
        """Coming off their road loss to the Jets, the Bears went home for a Week 4 NFC North clash with the
        Minnesota Vikings. In the first quarter, Chicago drew first blood as kicker Arlo Finch nailed a 37-yard
        field goal. The Vikings answered with QB Dane Mercer completing a 14-yard TD pass to WR Toby Crane. In the
        second quarter, the Bears retook the lead with RB Lyle Hobbs getting a 3-yard TD run. Minnesota closed out the
        half with kicker Otto Beck getting a 41-yard field goal. In the third quarter, Chicago added onto its lead
        with Finch kicking a 22-yard and a 48-yard field goal. In the fourth quarter, the Vikings tried to rally as
        Mercer hooked up with Crane again on a 20-yard TD pass, but the Bears pulled away with CB Jalen Root returning
        an interception 55 yards for a touchdown. With the win, Chicago improved to 3-1.""",
        """fg Bears | Arlo Finch | 37 | 1
        td Vikings | Toby Crane | 14 | 1
        td Bears | Lyle Hobbs | 3 | 2
        fg Vikings | Otto Beck | 41 | 2
        fg Bears | Arlo Finch | 22 | 3
        fg Bears | Arlo Finch | 48 | 3
        td Vikings | Toby Crane | 20 | 4
        td Bears | Jalen Root | 55 | 4""",
        "Bears Vikings Bears Vikings",
        "Bears 23 Vikings 17",
    ),
    "respectively": _recap(
        """The Seahawks traveled to Candlestick Park to take on the San Francisco 49ers. Seattle trailed early as
        49ers kicker Ben Ruiz made field goals of 23, 31 and 45 yards in the first quarter. In the second quarter,
        quarterback Hal Stover threw touchdown passes of 8 and 17 yards to tight end Milo Grant and wide receiver
        Dex Payne, respectively. After a scoreless third quarter, the Seahawks got on the board in the fourth quarter
        when running back Cal Waters scored on a 2-yard run. With the loss, the Seahawks fell to 2-5.""",
        """fg 49ers | Ben Ruiz | 23 | 1
        fg 49ers | Ben Ruiz | 31 | 1
        fg 49ers | Ben Ruiz | 45 | 1
        td 49ers | Milo Grant | 8 | 2
        td 49ers | Dex Payne | 17 | 2
        td Seahawks | Cal Waters | 2 | 4""",
        "49ers Seahawks 49ers Seahawks",
        "49ers 23 Seahawks 7",
    ),
    "caught-from": _recap(
        """Trying to snap a three-game losing skid, the Browns hosted the Pittsburgh Steelers on Sunday. Cleveland
        struck first when Ray Cobb caught a 25-yard touchdown pass from Nick Dorsey. In the second quarter Pittsburgh
        tied the game on a 1-yard touchdown run by Earl Knox, and took the lead on Jon Pryor's 50-yard field goal as time expired
        in the half. Knox added a 12-yard touchdown run in the third quarter. Pryor missed a 44-yard field goal attempt
        early in the fourth quarter, and the Browns cut the lead to 17-14 on a 6-yard touchdown pass from
        Dorsey to Bo Tanner. The Steelers held on for the 17-14 victory.""",
        """td Browns | Ray Cobb | 25 | -
        td Steelers | Earl Knox | 1 | 2
        fg Steelers | Jon Pryor | 50 | 2
        td Steelers | Earl Knox | 12 | 3
        td Browns | Bo Tanner | 6 | 4""",
        "Steelers Browns Browns Steelers",
        "Steelers 17 Browns 14",
    ),
    "overtime-kick": _recap(
        """Hoping to rebound from their loss to the Eagles, the Giants flew to FedEx Field for an NFC East rematch with
        the Washington Redskins. In the first quarter, New York took the early lead as kicker Sam Ibarra got a 30-yard field
        goal. In the second quarter, the Redskins took the lead with RB Kurt Dell getting a 9-yard TD run. In the third quarter,
        the Giants tied the game with QB Abe Lund completing a 15-yard TD pass to TE Gus Farr, yet Washington regained the lead with kicker Vic Salas nailing a 27-yard field goal. In the fourth
        quarter, the Redskins added a 19-yarder from Salas, but New York sent the game into overtime with Ibarra's 33-yard field goal.
        In overtime, the Redskins won the game as Salas booted the game-winning 46-yard field goal.""",
        """fg Giants | Sam Ibarra | 30 | 1
        td Redskins | Kurt Dell | 9 | 2
        td Giants | Gus Farr | 15 | 3
        fg Redskins | Vic Salas | 27 | 3
        fg Redskins | Vic Salas | 19 | 4
        fg Giants | Sam Ibarra | 33 | 4
        fg Redskins | Vic Salas | 46 | 5""",
        "Redskins Giants Redskins Giants overtime",
        "Redskins 16 Giants 13",
    ),
    "overtime-touchdown": _recap(
        """The Titans visited the Houston Texans in Week 9. In the first quarter, Tennessee scored first on a 4-yard touchdown run by
        rookie running back Ike Marsh. The Texans tied it in the second quarter as quarterback Wes Hart found wide receiver
        Lon Abbott for a 33-yard touchdown. Neither team scored until overtime, when Marsh ran 21 yards for the winning touchdown.
        With the win, the Titans improved to 5-3.""",
        """td Titans | Ike Marsh | 4 | 1
        td Texans | Lon Abbott | 33 | 2
        td Titans | Ike Marsh | 21 | 5""",
        "Titans Texans Texans Titans overtime",
        "Titans 13 Texans 7",
    ),
    "safety-and-pick": _recap(
        """After an embarrassing home loss to the Raiders, the Chiefs stayed at home to face the Denver Broncos. In the first
        quarter, Kansas City delivered the game's opening strike as defensive end Omar Tate sacked quarterback Cy Webb in
        the end zone for a safety. Denver would respond with linebacker Lou Frye intercepting a Hank Doyle pass and returning
        it 42 yards for a touchdown. The Chiefs would regain the lead in the second quarter as Doyle completed a 6-yard touchdown pass to
        tight end Ron Sykes (with Doyle completing the two-point conversion pass to wide receiver Pat Nye). The Broncos would tie the game late in the half as
        kicker Ed Lowe made a 29-yard field goal. Kansas City would pull away in the fourth quarter as
        running back Tim Oakes got a 1-yard and a 16-yard touchdown run.""",
        """sf Chiefs | Omar Tate | - | 1
        td Broncos | Lou Frye | 42 | 1
        td Chiefs | Ron Sykes | 6 | 2
        fg Broncos | Ed Lowe | 29 | 2
        td Chiefs | Tim Oakes | 1 | 4
        td Chiefs | Tim Oakes | 16 | 4""",
        "Chiefs Broncos Chiefs Broncos",
        "Chiefs 24 Broncos 10",
    ),
    "two-browns": _recap(
        """Coming off a bye week, the Colts flew to Cincinnati for a duel with the Bengals. In the first quarter, Indianapolis
        drew first blood as QB Pete Hale completed a 44-yard TD pass to WR Art Brown. In the second quarter, the Bengals got on the
        board as kicker Leo Brown got a 38-yard field goal. The Colts answered with Hale hooking up with Brown on a 5-yard TD
        pass. In the third quarter, Cincinnati crept closer as Brown nailed a 51-yard field goal. In the fourth quarter, Indianapolis
        sealed the win with FB Max Ott getting a 1-yard TD run.""",
        """td Colts | Art Brown | 44 | 1
        fg Bengals | Leo Brown | 38 | 2
        td Colts | Art Brown | 5 | 2
        fg Bengals | Leo Brown | 51 | 3
        td Colts | Max Ott | 1 | 4""",
        "Colts Bengals Bengals Colts",
        "Colts 21 Bengals 6",
    ),
    "former-team": _recap(
        """Following their bye week, the Packers hosted the Detroit Lions at Lambeau Field. Green Bay got off to a fast start in
        the first quarter as former Lions running back Abe Nunez scored from 11 yards out. Detroit replied with former Packers kicker
        Kip Rowan booting a 52-yard field goal. In the second quarter, the Packers increased their lead when Clay Innis threw a 60-yard
        touchdown strike to Ty Barlow. The Lions missed a field goal before halftime. In the third quarter, Rowan hit from
        35 yards, but his 40-yard field goal in the fourth quarter was blocked. The Packers won 14-6.""",
        """td Packers | Abe Nunez | 11 | 1
        fg Lions | Kip Rowan | 52 | 1
        td Packers | Ty Barlow | 60 | 2
        fg Lions | Kip Rowan | 35 | 3""",
        "Packers Lions Packers Lions",
        "Packers 14 Lions 6",
    ),
    "returns": _recap(
        """The Dolphins began their season on the road against the Buffalo Bills. Buffalo's Roy Vance returned the opening kickoff
        101 yards for a touchdown. Miami evened the score later in the first quarter when safety Del Quinn recovered a fumble
        and returned it 18 yards for a touchdown. In the second quarter the Bills' Hugo Lane took a punt back 74 yards for a
        score, and in the third quarter cornerback Ivan Moss of the Dolphins had a 30-yard interception return for a touchdown. Bills kicker Cole Tripp kicked a
        25-yard field goal with two seconds left in the fourth quarter to give Buffalo a 17-14 win.""",
        """td Bills | Roy Vance | 101 | 1
        td Dolphins | Del Quinn | 18 | 1
        td Bills | Hugo Lane | 74 | 2
        td Dolphins | Ivan Moss | 30 | 3
        fg Bills | Cole Tripp | 25 | 4""",
        "Bills Dolphins Bills Dolphins",
        "Bills 17 Dolphins 14",
    ),
    "short-runs": _recap(
        """In their home opener, the Cardinals faced the St. Louis Rams. Arizona took a 7-0 lead in the first quarter when running
        back Dion Pace plunged in from 1 yard out. St. Louis made it 7-3 with a 44-yard Lance Boyd field goal. In the second quarter, Arizona quarterback Scott
        Mays scored on a 5-yard scramble, and the Rams answered with a 2-yard touchdown plunge by Guy Tobin. In the third quarter Mays
        ran it in from 8 yards out. The Rams' Boyd made a 38-yard field goal in the fourth quarter, but the Cardinals held on for a 21-13 win.""",
        """td Cardinals | Dion Pace | 1 | 1
        fg Rams | Lance Boyd | 44 | 1
        td Cardinals | Scott Mays | 5 | 2
        td Rams | Guy Tobin | 2 | 2
        td Cardinals | Scott Mays | 8 | 3
        fg Rams | Lance Boyd | 38 | 4""",
        "Cardinals Rams Cardinals Rams",
        "Cardinals 21 Rams 13",
    ),
    "elided": _recap(
        """Coming off their Monday Night win over the Falcons, the Saints stayed home for a duel with the Tampa Bay Buccaneers. New Orleans
        took the lead in the first quarter as wide receiver Rex Fields caught a 29-yard touchdown pass from quarterback Ned Cole,
        followed by an 80-yard punt return for a touchdown. The Buccaneers answered in the second quarter with quarterback Ali Burke's 12-yard touchdown pass to
        wide receiver Kai Stone, followed by kicker Von Petty's 28-yard field goal. The Saints would extend their lead in the fourth quarter with Cole throwing a 7-yard
        touchdown pass to running back Les Dunn and a 3-yard touchdown pass to fullback Moe Hays.""",
        """td Saints | Rex Fields | 29 | 1
        td Saints | Rex Fields | 80 | 1
        td Buccaneers | Kai Stone | 12 | 2
        fg Buccaneers | Von Petty | 28 | 2
        td Saints | Les Dunn | 7 | 4
        td Saints | Moe Hays | 3 | 4""",
        "Saints Buccaneers Saints Buccaneers",
        "Saints 28 Buccaneers 10",
    ),
    "nullified": _recap(
        """The Jaguars flew to Heinz Field to play the Pittsburgh Steelers. In the first quarter, Steelers running back Al Drake had a 70-yard
        touchdown run nullified by a holding penalty, and Pittsburgh settled for a 33-yard field goal by Gil Sutter. In the second quarter, Jacksonville quarterback
        Ty Gomes was stopped short of the goal line on fourth down. In the third quarter, Jaguars tight end Rob Kerr dropped a sure
        touchdown, but kicker Ira Walsh made a 21-yard field goal. In the fourth quarter, Sutter's potential game-winning 47-yard field goal was wide left, and Walsh
        kicked the game-winning 24-yard field goal as time expired.""",
        """fg Steelers | Gil Sutter | 33 | 1
        fg Jaguars | Ira Walsh | 21 | 3
        fg Jaguars | Ira Walsh | 24 | 4""",
        "Jaguars Steelers Steelers Jaguars",
        "Jaguars 6 Steelers 3",
    ),
    "ampersands": _recap(
        """Coming off their victory over the Titans, the Chargers went on the road for an AFC West rematch with the Oakland Raiders. In the first quarter,
        San Diego trailed early as Raiders kicker Jed Colby got a 43-yard & a 20-yard field goal. In the second quarter, the
        Chargers took the lead as QB Rafe Hunt completed a 58-yard TD pass to WR Curt Ames & RB Ben Lott got a 4-yard TD run. In the third quarter,
        Oakland tried to come back as QB Sid Vaughn completed a 9-yard TD pass to TE Nat Price, but San Diego responded with kicker Ken Ashe
        getting a 39-yard field goal. In the fourth quarter, the Chargers put the game away with Hunt completing a 10-yard & a 22-yard TD pass to Ames.""",
        """fg Raiders | Jed Colby | 43 | 1
        fg Raiders | Jed Colby | 20 | 1
        td Chargers | Curt Ames | 58 | 2
        td Chargers | Ben Lott | 4 | 2
        td Raiders | Nat Price | 9 | 3
        fg Chargers | Ken Ashe | 39 | 3
        td Chargers | Curt Ames | 10 | 4
        td Chargers | Curt Ames | 22 | 4""",
        "Chargers Raiders Raiders Chargers",
        "Chargers 31 Raiders 13",
    ),
    "running-scores": _recap(
        """The Patriots played the New York Jets at Gillette Stadium. The Jets scored first when Ward Ellis kicked a 28-yard field goal
        for a 3-0 lead. New England went ahead 7-3 on Lee Conway's 15-yard touchdown catch from Jim Bright. In the second quarter, Ellis tied... no points.
        In the second quarter, Bright threw a 1-yard touchdown pass to Conway to make the score 14-3. In the third quarter, the Jets cut the lead to 14-10 when Phil Rhodes scored on
        a 20-yard run. Patriots kicker Saul Dean's 36-yard field goal with 1:52 left in the fourth quarter made the final score 17-10.""",
        """fg Jets | Ward Ellis | 28 | -
        td Patriots | Lee Conway | 15 | -
        td Patriots | Lee Conway | 1 | 2
        td Jets | Phil Rhodes | 20 | 3
        fg Patriots | Saul Dean | 36 | 4""",
        "Patriots Jets ? ?",
        "Patriots 17 Jets 10",
    ),
    "along-with": _recap(
        """Still looking for their first win of the season, the Lions flew to Soldier Field for a Week 5 duel with the Chicago Bears. In the first quarter,
        Detroit's struggles continued as QB Kell Orton completed a 12-yard TD pass to WR Devin Hurst, along with a 59-yard TD pass to TE
        Greg Oaks. In the second quarter, the Lions continued to struggle as RB Matt Fort of the Bears got a 1-yard TD run. In the third quarter, Detroit finally
        got on the board as QB Dan Orley completed a 12-yard TD pass to WR Cal Jonas. Chicago answered with CB Charlie Tilman returning a fumble 26 yards for a touchdown.
        With the loss, Detroit fell to 0-4.""",
        """td Bears | Devin Hurst | 12 | 1
        td Bears | Greg Oaks | 59 | 1
        td Bears | Matt Fort | 1 | 2
        td Lions | Cal Jonas | 12 | 3
        td Bears | Charlie Tilman | 26 | 3""",
        "Bears Lions Bears Lions",
        "Bears 28 Lions 7",
    ),
    "decided-by-kicks": _recap(
        """The Falcons and the Carolina Panthers met in Charlotte. In the first quarter, Atlanta got a 3-yard touchdown run from Cory Bell. In the second quarter, the
        Panthers replied with two field goals by Stan Webber, from 22 and 37 yards. In the third quarter, Bell ran for an 8-yard touchdown. In the fourth
        quarter, Webber made field goals from 41 and 19 yards.""",
        """td Falcons | Cory Bell | 3 | 1
        fg Panthers | Stan Webber | 22 | 2
        fg Panthers | Stan Webber | 37 | 2
        td Falcons | Cory Bell | 8 | 3
        fg Panthers | Stan Webber | 41 | 4
        fg Panthers | Stan Webber | 19 | 4""",
        "- - ? ?",
        "Falcons 14 Panthers 12",
    ),
    "blocked": _recap(
        """Looking to improve on their 4-2 record, the Ravens went to Cleveland for a divisional duel with the Browns. In the first quarter, Baltimore scored when
        linebacker Jarvis Cole blocked a punt and recovered it in the end zone for a touchdown. In the second quarter, the Browns got a 24-yard field goal from
        Russ Dillon, while the Ravens got a 1-yard quarterback sneak for a touchdown by Troy Sims (with a blocked extra point). In the fourth quarter, Cleveland's Josh Cribb returned
        a missed field goal 105 yards for a touchdown. Baltimore won, 13-10.""",
        """td Ravens | Jarvis Cole | - | 1
        fg Browns | Russ Dillon | 24 | 2
        td Ravens | Troy Sims | 1 | 2
        td Browns | Josh Cribb | 105 | 4""",
        "Ravens Browns Browns Ravens",
        "Ravens 13 Browns 10",
    ),
    "city-pair": _recap(
        """Coming off a 24-10 home win over the Rams, the Cowboys traveled to the Meadowlands to play the New York Giants. Dallas took the opening drive 80 yards, capped by Marlon
        Barnes' 2-yard touchdown run. The Giants tied the score in the second quarter on Eli Marsh's 23-yard touchdown pass to Amari Tolbert. Dallas kicker Nico
        Fogel gave the Cowboys a 10-7 lead with a 33-yard field goal just before halftime. New York went ahead 14-10 in the third quarter when Brad
        Jacks bulled over from 4 yards out. Tony Roman threw a 10-yard touchdown pass to tight end Jay Witt with six minutes remaining in the game. The Cowboys won 17-14.""",
        """td Cowboys | Marlon Barnes | 2 | 1
        td Giants | Amari Tolbert | 23 | 2
        fg Cowboys | Nico Fogel | 33 | 2
        td Giants | Brad Jacks | 4 | 3
        td Cowboys | Jay Witt | 10 | 4""",
        "Cowboys Giants Giants Cowboys",
        "Cowboys 17 Giants 14",
    ),
    "shutout": _recap(
        """Hoping to build on their win over the Cardinals, the Eagles stayed at Lincoln Financial Field for an NFC East duel with the Washington Redskins. In the first quarter,
        Philadelphia got the early lead as QB Don McCabe completed an 11-yard TD pass to WR Kev Curtis. In the second quarter, the Eagles increased their lead with kicker Dave Aker
        getting a 47-yard field goal, followed by McCabe and RB Bri Westbury connecting on a 32-yard TD pass. From there on out, Philadelphia's defense took over. With the win, the Eagles improved to 2-0.""",
        """td Eagles | Kev Curtis | 11 | 1
        fg Eagles | Dave Aker | 47 | 2
        td Eagles | Bri Westbury | 32 | 2""",
        "Eagles Redskins Eagles Redskins",
        "Eagles 17 Redskins 0",
    ),
    "first-names": _recap(
        """The Vikings flew to Lambeau Field for a NFC North rumble with the Green Bay Packers. In the first quarter, Minnesota took flight as RB Adrian Poole got a 1-yard TD run and kicker Ryan Longley made a 25-yard field goal. The Packers replied with
        QB Aaron Rhodes completing a 3-yard TD pass to FB John Kuhlman. In the second quarter, Green Bay took the lead with kicker Mason Crisp hitting a 52-yard field goal, but the Vikings regained the lead with QB Brad Farrow completing a 14-yard TD pass to WR Percy Harlan.
        In the third quarter, Poole increased Minnesota's lead with a 23-yard TD run. In the fourth quarter, Rhodes tossed his second TD pass of the game, a 10-yarder to TE Jermichael Finch. The Vikings won the game 24-17.""",
        """td Vikings | Adrian Poole | 1 | 1
        fg Vikings | Ryan Longley | 25 | 1
        td Packers | John Kuhlman | 3 | 1
        fg Packers | Mason Crisp | 52 | 2
        td Vikings | Percy Harlan | 14 | 2
        td Vikings | Adrian Poole | 23 | 3
        td Packers | Jermichael Finch | 10 | 4""",
        "Vikings Packers Packers Vikings",
        "Vikings 24 Packers 17",
    ),
    "told-kicks": _recap(
        """The Texans hosted the Jacksonville Jaguars at Reliant Stadium. In the first quarter, the Texans' Steve Slay caught a 17-yard touchdown pass from Matt Shore, and Kris Bram added the extra point. In the second quarter, the Jaguars scored on
        Fred Tate's 1-yard run, but Josh Scoby missed the extra point. In the third quarter, Jaguars' quarterback Dave Gerrard scrambled 15 yards for a touchdown; the two-point conversion attempt failed. In the fourth quarter Bram kicked a 39-yard field goal. The Jaguars won 12-10.""",
        """td Texans | Steve Slay | 17 | 1
        td Jaguars | Fred Tate | 1 | 2
        td Jaguars | Dave Gerrard | 15 | 3
        fg Texans | Kris Bram | 39 | 4""",
        "Jaguars Texans Texans Jaguars",
        "Jaguars 12 Texans 10",
    ),
    "hit-for": _recap(
        """Coming off their first loss of the season, the Broncos flew to Arrowhead Stadium for a showdown with the Kansas City Chiefs. Denver would strike first in the first quarter as quarterback Kyle Orten hit wide receiver Brand Marsh on a 9-yard touchdown pass.
        The Chiefs would take the lead in the second quarter with running back Jamal Chase's 14-yard and 2-yard touchdown runs. The Broncos would tie the game in the third quarter with running back Knox Moren getting a 6-yard touchdown run. Kansas City would regain the lead in the fourth quarter with
        kicker Ryan Suckett making a 23-yard field goal, but the Broncos got the last laugh as Orten found wide receiver Eddie Royce on a 15-yard touchdown pass.""",
        """td Broncos | Brand Marsh | 9 | 1
        td Chiefs | Jamal Chase | 14 | 2
        td Chiefs | Jamal Chase | 2 | 2
        td Broncos | Knox Moren | 6 | 3
        fg Chiefs | Ryan Suckett | 23 | 4
        td Broncos | Eddie Royce | 15 | 4""",
        "Broncos Chiefs Chiefs Broncos",
        "Broncos 21 Chiefs 17",
    ),
    "both": _recap(
        """The Bills traveled to Miami to play the Dolphins. In the first quarter, Buffalo's Marsh Lynn and Fred Jacks each scored on 1-yard touchdown runs. In the second quarter, the Dolphins' Dan Carter kicked field goals of 31 and 44 yards, and in the third quarter, Ronnie Bowen ran for a
        16-yard touchdown. In the fourth quarter, Ryan Lind's 30-yard field goal made it 17-13, which was the final score.""",
        """td Bills | Marsh Lynn | 1 | 1
        td Bills | Fred Jacks | 1 | 1
        fg Dolphins | Dan Carter | 31 | 2
        fg Dolphins | Dan Carter | 44 | 2
        td Dolphins | Ronnie Bowen | 16 | 3
        fg Bills | Ryan Lind | 30 | 4""",
        "Bills Dolphins Dolphins Bills",
        "Bills 17 Dolphins 13",
    ),
    "stadium-names": _recap(
        """After their road win over the Saints, the Panthers returned to Bank of America Stadium for a Week 11 duel with the Dallas Cowboys. In the first quarter, Carolina scored first with kicker John Kasper nailing a 34-yard field goal. In the second quarter, the Cowboys took the lead as
        RB Marion Barr got a 1-yard TD run, followed by QB Tony Rome completing a 27-yard TD pass to WR Terrell Owings. In the third quarter, the Panthers tried to come back as RB DeAngelo Willis got a 56-yard TD run. In the fourth quarter, Carolina took the lead for good with
        QB Jake Delmar completing a 65-yard TD pass to WR Steve Smart. With the win, the Panthers improved to 8-3.""",
        """fg Panthers | John Kasper | 34 | 1
        td Cowboys | Marion Barr | 1 | 2
        td Cowboys | Terrell Owings | 27 | 2
        td Panthers | DeAngelo Willis | 56 | 3
        td Panthers | Steve Smart | 65 | 4""",
        "Panthers Cowboys Panthers Cowboys",
        "Panthers 17 Cowboys 14",
    ),
    "long-gain": _recap(
        """The Rams hosted the Arizona Cardinals. In the first quarter, a 45-yard pass from Marc Bolger to Isaac Bryce set up a 2-yard touchdown run by Steven Jacks. In the second quarter, Cardinals quarterback Kurt Wahl was intercepted at the goal line, but a 98-yard drive that ended with a 20-yard pass
        to Larry Fitz tied the game. The Rams took a 10-7 halftime lead when Jeff Wilks kicked a 40-yard field goal. In the third quarter, Edge James ran for 12 yards to the 5-yard line, and two plays later caught a 5-yard touchdown pass from Wahl. The Cardinals won 14-10 and improved to 3-5.""",
        """td Rams | Steven Jacks | 2 | 1
        td Cardinals | Larry Fitz | 20 | 2
        fg Rams | Jeff Wilks | 40 | 2
        td Cardinals | Edge James | 5 | 3""",
        "Cardinals Rams Rams Cardinals",
        "Cardinals 14 Rams 10",
    ),
    "plain-prose": _recap(
        """The Colts opened the season at home against the Jacksonville Jaguars. Jacksonville kicker Josh Stowe opened the scoring with a 32-yard field goal in the first quarter. Early in the second quarter, Payton Mann capped a long drive with a 7-yard touchdown pass to Reg Wayland, and late in the quarter he threw another touchdown, this one a 35-yard strike to
        Pierre Garson. Maurice Jonas-Dean scored for the Jaguars from a yard out in the third quarter. Adam Vinton's 20-yard field goal early in the fourth quarter sealed the 17-10 victory for the Colts.""",
        """fg Jaguars | Josh Stowe | 32 | 1
        td Colts | Reg Wayland | 7 | 2
        td Colts | Pierre Garson | 35 | 2
        td Jaguars | Maurice Jonas-Dean | 1 | 3
        fg Colts | Adam Vinton | 20 | 4""",
        "Colts Jaguars Colts Jaguars",
        "Colts 17 Jaguars 10",
    ),
    "modern": _recap(
        """The Seahawks scored first, on Stephen Haus's 31-yard field goal with 6:21 left in the first quarter. The Cardinals responded with a 12-play, 80-yard drive that culminated in a 3-yard touchdown pass from Carson Pike to Larry Fitzer, giving Arizona a 7-3 lead. Seattle
        retook the lead midway through the second quarter when Marsh Lindsay rushed in from 14 yards out. With 20 seconds left in the half, Arizona kicker Chandler Cato was good from 51 yards to tie the score at 10. In the third quarter, Russ Wilder scrambled for a 6-yard touchdown, putting the Seahawks ahead 17-10.
        Both teams traded field goals in the fourth: Haus from 27 yards and Cato from 44. Seattle won 20-13.""",
        """fg Seahawks | Stephen Haus | 31 | 1
        td Cardinals | Larry Fitzer | 3 | 1
        td Seahawks | Marsh Lindsay | 14 | 2
        fg Cardinals | Chandler Cato | 51 | 2
        td Seahawks | Russ Wilder | 6 | 3
        fg Seahawks | Stephen Haus | 27 | 4
        fg Cardinals | Chandler Cato | 44 | 4""",
        "Seahawks Cardinals ? ?",
        "Seahawks 20 Cardinals 13",
    ),
    "with-passive": _recap(
        """Coming off an impressive comeback win against the Chargers, the Patriots flew to Ralph Wilson Stadium for their AFC East duel with the Buffalo Bills. New England's lead came early in the first quarter when a 13-yard touchdown pass was caught by Randy Moore from quarterback Tom Brand. The Bills tied the game with a 37-yard touchdown pass from Trent Edman to Lee Evander. In the second quarter a 28-yard field goal was kicked by Steve Gost of the Patriots,
        and a 1-yard touchdown run was scored by Lance Maron. In the third quarter, Buffalo's only points came when Rian Lindel hit a 43-yard field goal. With the win, New England improved to 6-2 while the Bills fell to 3-5.""",
        """td Patriots | Randy Moore | 13 | 1
        td Bills | Lee Evander | 37 | 1
        fg Patriots | Steve Gost | 28 | 2
        td Patriots | Lance Maron | 1 | 2
        fg Bills | Rian Lindel | 43 | 3""",
        "Patriots Bills Bills Patriots",
        "Patriots 17 Bills 10",
    ),
    "defense-scores": _recap(
        """Still searching for their first win, the Rams went on the road for a Week 8 match-up against the Detroit Lions. In the first quarter, St. Louis took an early lead as kicker Josh Brant got a 41-yard field goal. Detroit answered with a safety when Rams quarterback Marc Bulow was sacked in the end zone by linebacker Ernie Sanders. In the second quarter, the Rams faked a field goal, with Brant throwing a 36-yard touchdown pass to tight end Daniel Fell. In the third quarter,
        rookie running back Kevin Smalls of the Lions had a 26-yard touchdown run (with a failed 2-point conversion). In the fourth quarter, St. Louis sealed the victory as running back Steve Jackman got a 25-yard TD run.""",
        """fg Rams | Josh Brant | 41 | 1
        sf Lions | Ernie Sanders | - | 1
        td Rams | Daniel Fell | 36 | 2
        td Lions | Kevin Smalls | 26 | 3
        td Rams | Steve Jackman | 25 | 4""",
        "Rams Lions Lions Rams",
        "Rams 17 Lions 8",
    ),
    "long-list": _recap(
        """Hoping to rebound from their embarrassing loss to the Browns on Monday night, the Giants went home for an NFC duel with the San Francisco 49ers. In the first quarter, New York got off to a rough start as 49ers QB J.T. O'Shea completed a 30-yard TD pass to WR Bryant Jansen, yet the Giants answered with RB Brandon Jakes getting a 26-yard TD run. In the second quarter, New York took the lead as QB Eli Manson completed a 6-yard TD pass to WR Plax Burrow, while kicker John Carnes got a 48-yard field goal.
        In the third quarter, San Francisco tried to keep pace as kicker Joe Neddy got a 40-yard field goal, but the Giants kept pounding away as Jakes got a 2-yard TD run, while Carnes made a 26-yard field goal. In the fourth quarter, the 49ers' final response was O'Shea hooking up with WR Josh Morgan on a 30-yard TD pass, while the Giants pulled away as DT Jeff Robb blocked a punt out of the end zone for a safety.""",
        """td 49ers | Bryant Jansen | 30 | 1
        td Giants | Brandon Jakes | 26 | 1
        td Giants | Plax Burrow | 6 | 2
        fg Giants | John Carnes | 48 | 2
        fg 49ers | Joe Neddy | 40 | 3
        td Giants | Brandon Jakes | 2 | 3
        fg Giants | John Carnes | 26 | 3
        td 49ers | Josh Morgan | 30 | 4
        sf Giants | Jeff Robb | - | 4""",
        "Giants 49ers Giants 49ers",
        "Giants 29 49ers 17",
    ),
    "words-for-numbers": _recap(
        """In Week 12 the Buccaneers hosted the Atlanta Falcons. Tampa Bay opened the scoring with a two-yard touchdown run by Carl Williamson in the first quarter. Atlanta tied it on a seven-yard pass from Matt Ryder to Roddy Walsh. Early in the second quarter Connor Barton kicked a fifty-one-yard field goal for the Bucs. Falcons running back Mike Turnell scored two touchdowns in the second half, on runs of one and four yards, and the Falcons won 21-10.""",
        """td Buccaneers | Carl Williamson | 2 | 1
        td Falcons | Roddy Walsh | 7 | 1
        fg Buccaneers | Connor Barton | 51 | 2
        td Falcons | Mike Turnell | 1 | -
        td Falcons | Mike Turnell | 4 | -""",
        "Falcons Buccaneers Buccaneers Falcons",
        "Falcons 21 Buccaneers 10",
    ),
    "former-and-other-teams": _recap(
        """The Vikings, who had lost to the Bears the week before, flew to Lincoln Financial Field to take on the Philadelphia Eagles on Sunday Night Football. Former Jets and Packers quarterback Brett Farlow opened the scoring for Minnesota with a 14-yard touchdown pass to Sid Rice. In the second quarter, the Eagles' DeSean Jacobs returned a punt 65 yards for a touchdown. In the third quarter, Ryan Longwood put the Vikings back on top with a 37-yard field goal. In the fourth quarter, former Cowboys kicker David Akron tied it for Philadelphia from 22 yards, before Adrian Pederson won the game with a 5-yard run.""",
        """td Vikings | Sid Rice | 14 | -
        td Eagles | DeSean Jacobs | 65 | 2
        fg Vikings | Ryan Longwood | 37 | 3
        fg Eagles | David Akron | 22 | 4
        td Vikings | Adrian Pederson | 5 | 4""",
        "Vikings Eagles Eagles Vikings",
        "Vikings 17 Eagles 10",
    ),
}
