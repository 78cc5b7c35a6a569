"""Staff work for Operation Theseus: marches, supply, lanes, missions and what a battle costs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.players.knowledge.theseus_supply import GUARDS, RAID, Trails, trails, trails_of
from sandtable.titles.theseus.combat_odds import settle_choices
from sandtable.titles.theseus.drms import helping, modifiers
from sandtable.titles.theseus.facts import Data
from sandtable.titles.theseus.minefields import ENTERS, LOSES, check_labels
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, INFANTRY, SIDES
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import (
    Battle,
    attack_column,
    defence_column,
    find_column,
    half_strength,
    new_battle,
)

MINED = 5
"""How many hexes of march a minefield is worth going round."""
WATCHED = 2
"""The same for a hex in an enemy Zone of Control."""
FAR = 99
MEAN = 6.0
"""What a unit is worth in a fight, by its looks."""
NEAR = 14
"""From how far a formation is called to a lane or to a trail."""
RELIEF = 3
"""Formations sent to open the trail again."""
GUARDED = 5
"""The most points that draw a formation to an objective, where an enemy may be in it."""
CALL = 3
"""How much more strength a general sends to an objective for each point that it may bring."""
VITAL = 40
"""The worth of a lane that must be opened, whatever others lead to."""
CUTS = 1.2
"""What a hex of trail is worth to the Commonwealth for each HQ that it feeds."""
WORTHY = 2
"""The points for which a trail is opened before anybody needs it."""
AHEAD = 5
"""How near to an objective a trail leads to it."""
BESIDE = 2
"""How near to a trail an enemy is driven off."""
TWICE = 2
"""How many times his strength is sent."""
SAPPERS = 2
"""Formations sent to open a lane; a third made no difference in six games."""


@lru_cache(maxsize=4)
def pieces_of(data: Data, side: int) -> tuple[int, ...]:
    """The pieces of a side, HQs included."""
    return tuple(piece for piece, owner in enumerate(data.side_of) if owner == side)


@lru_cache(maxsize=8192)
def spots(data: Data, hex: int) -> tuple[int, ...]:
    """A few hexes near and a march away, to see which way is better."""
    far = data.board.ring(hex)
    marches = [other for other, away in enumerate(far) if away == 4]
    return (*(other for other, away in enumerate(far) if away == 1), *marches[::2])


@lru_cache(maxsize=8192)
def round_about(data: Data, hex: int) -> tuple[int, ...]:
    """All hexes up to a march away."""
    return tuple(other for other, away in enumerate(data.board.ring(hex)) if 0 < away <= 4)


@lru_cache(maxsize=1024)
def trails_near(data: Data, hex: int, limit: int) -> tuple[int, ...]:
    """The hexes of trails within so many hexes."""
    far = data.board.ring(hex)
    return tuple(road for road in bits(trails(data)) if far[road] <= limit)


@lru_cache(maxsize=1024)
def march(data: Data, hex: int, mines: int, held: int = 0, watched: int = 0) -> tuple[int, ...]:
    """How far every hex is from this one on the march, with what is in the way as detours."""
    neighbours = data.board.neighbours
    price = [1] * data.board.size
    for here in bits(watched):
        price[here] = WATCHED
    for here in bits(mines | held):
        price[here] = MINED
    found = [FAR] * data.board.size
    layers: list[list[int]] = [[] for _ in range(FAR + 1)]
    found[hex] = 0
    layers[0].append(hex)
    for far, layer in enumerate(layers):
        for here in layer:
            if found[here] < far:
                continue
            step = far + price[here]
            if step >= FAR:
                continue
            for there in neighbours[here]:
                if step < found[there]:
                    found[there] = step
                    layers[step].append(there)
    return tuple(found)


def power(game: Game, unit: int) -> float:
    """What a combat unit is worth in a fight: strength by effectiveness."""
    return game.pieces[unit].strength * game.effectiveness(unit) / 4


def objective_now(game: Game, values: Sequence[tuple[int, int, int, int]]) -> int:
    """What an objective would score this turn for a unit In Command."""
    return next((best for first, last, best, _ in values if first <= game.turn <= last), 0)


def best_left(game: Game, at: int) -> int:
    """The most an objective can still add to the score, this turn or later."""
    values = game.script.objectives[at][1].values
    best = max((value for _, last, value, _ in values if last >= game.turn), default=0)
    return max(0, best - game.scored[at])


def stake(game: Game, at: int) -> int:
    """10.2 Axis points that count for who comes in last, where they are lost or threatened."""
    hex, objective = game.script.objectives[at]
    if not objective.keep or (game.last_in[at] == AXIS and not garrison(game, hex)):
        return 0
    return game.scored[at]


def guards_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """The Axis units in each objective."""
    held = game.situation.combat[AXIS]
    return tuple(
        game.combat_units(hex) if held >> hex & 1 else () for hex, _ in game.script.objectives
    )


# What a battle costs.


@lru_cache(maxsize=4)
def mean_multipliers(data: Data, linear: bool) -> dict[str, tuple[float, ...]]:
    """The mean figure of the chits for each column and Effectiveness Rating."""
    chits = data.cups[linear]
    return {
        column: tuple(
            sum(getattr(chit, column)[at] for chit in chits) / len(chits) for at in range(6)
        )
        for column in ("red", "plain", "green")
    }


@lru_cache(maxsize=1024)
def mean_hits(data: Data, column: int, drm: int) -> tuple[float, float]:
    """The mean hits of attacker and defender over the die; a check counts as half a hit."""
    ours = theirs = 0.0
    for face in range(1, 11):
        row = data.crt[max(1, min(face + drm, 20)) - 1]
        cell = data.below_table if column < 0 else row[column]
        ours += cell.attacker + 0.5 * cell.attacker_red
        theirs += cell.defender + 0.5 * cell.defender_red
    return ours / 10, theirs / 10


def mean_strengths(game: Game, battle: Battle) -> tuple[int, int]:
    """Battle Strengths with mean chits, times ten."""
    mean = mean_multipliers(game.data, game.option("linear_chits"))

    def figure(unit: int, column: str) -> float:
        return mean[column][max(2, min(game.effectiveness(unit), 7)) - 2]

    ours = sum(
        half_strength(game, battle, unit, True) * figure(unit, attack_column(battle.kind))
        for unit in battle.units
    )
    theirs = sum(
        half_strength(game, battle, unit, False) * figure(unit, defence_column(game, battle, unit))
        for unit in battle.defenders
    )
    return int(5 * ours), max(1, int(5 * theirs))


def settled(game: Game, battle: Battle) -> Battle:
    """A battle with its choices made and its supporters found, which no kind of attack changes."""
    if battle.helpers is None:
        axis, commonwealth = (helping(game, battle, side) for side in (AXIS, COMMONWEALTH))
        battle = replace(battle, helpers=(axis, commonwealth))
    return settle_choices(game, battle)


def exchange(game: Game, battle: Battle) -> tuple[float, float]:
    """Hits that attacker and defender can expect: exact modifiers, mean chits, every face."""
    drm = sum([each.value for each in modifiers(game, battle)])
    column = find_column(game, battle, *mean_strengths(game, battle))
    return mean_hits(game.data, column, drm)


def profit(game: Game, battle: Battle) -> float:
    """What an attack wins: hits given beyond hits taken, none of them beyond what is there."""
    if not battle.units or not battle.defenders:
        return 0.0
    if any(game.pieces[unit].hex < 0 for unit in (*battle.units, *battle.defenders)):
        return 0.0
    return balance(game, settled(game, battle))


def balance(game: Game, battle: Battle) -> float:
    """The same for a battle whose choices are made."""
    ours, theirs = exchange(game, battle)
    mine = sum([game.pieces[unit].strength for unit in battle.units])
    stock = sum([game.pieces[unit].strength for unit in battle.defenders])
    won = min(theirs, stock + 0.5)
    # A defender about to disappear is worth more than his last points.
    price = 0.15 if game.script.solo >= 0 else 1.1  # 10.1 Only Free French losses count there.
    return won * (1.3 if theirs >= stock else 1.0) - min(ours, mine) * price


def best_strike(
    game: Game, side: int, units: Sequence[int], hex: int, target: int, points: int
) -> float:
    """The best of hasty, regular and prepared attack after paying for it."""
    battle = new_battle(game, side, units, hex, target)
    if not battle.defenders:
        return 0.0
    formation = game.pieces[units[0]].parent
    ready = formation >= 0 and game.situation.in_command(game, units[0])
    kinds = ("hasty", "regular", "prepared")[: min(3, points) if ready else 1]
    best = -9.0
    ready_battle = settled(game, battle)
    for extra, kind in enumerate(kinds):
        air = min(extra + 1, game.air) if side == AXIS else 0
        best = max(best, balance(game, replace(ready_battle, kind=kind, air=air)) - 0.3 * extra)
    if len(kinds) == 1:
        # Nothing can be added once it is declared: be sure even of enemies at full strength.
        best = min(best, profit(game, replace(battle, face_value=True)))
    return best


def mine_chances(game: Game, units: tuple[int, ...]) -> tuple[float, float]:
    """The share of a stack that would enter a minefield, and the strength it would lose."""
    labels = [check_labels(game, units, unit) for unit in units if unit < game.data.count]
    if not labels:
        return 0.0, 0.0
    enters = sum(line.count(ENTERS) for line in labels) / 10
    return enters / len(labels), sum(line.count(LOSES) for line in labels) / 10


# Supply and lanes.


def fed_hexes(game: Game, side: int, steps: int) -> int:
    """5.7 Hexes from which a motorised HQ of this reach would trace supply, ridges left aside."""
    here = game.situation
    return fed_from(game.data, here.connected(game, side, False), here.passable[side], steps)


@lru_cache(maxsize=1024)
def fed_from(data: Data, reach: int, passable: int, steps: int) -> int:
    """The same from these roads."""
    spread = data.board.spread
    for _ in range(steps - 1):
        reach |= spread(reach, data.open_exits) & passable
    fed: int = reach | spread(reach, data.any_exits)
    return fed


@lru_cache(maxsize=256)
def away_from(data: Data, mask: int) -> tuple[int, ...]:
    """How far every hex is from these, up to a dozen."""
    found = [12] * data.board.size
    seen = 0
    for far in range(12):
        for hex in bits(mask & ~seen):
            found[hex] = far
        seen |= mask
        mask |= data.board.spread(mask)
    return tuple(found)


def fed_on_foot(game: Game, side: int) -> int:
    """Where the HQ of a leg formation is fed: by a road, or in and beside a box (5.7)."""
    data = game.data
    found = fed_hexes(game, side, 1)
    if side == COMMONWEALTH:
        boxes = data.boxes & game.situation.mines[COMMONWEALTH]
        found |= boxes | data.board.spread(boxes)
    return found


def hunger(game: Game, side: int, steps: int) -> tuple[int, ...]:
    """By the reach of an HQ: how far each hex is from where it would be fed with ease."""
    return away_from(game.data, fed_hexes(game, side, steps - 2))


def lanes(game: Game) -> dict[int, float]:
    """Minefields on a trail whose breach would bring Axis supply nearer to the objectives."""
    data, here = game.data, game.situation
    roads = here.connected(game, AXIS, False)
    mines = here.mines[COMMONWEALTH]
    front = data.board.spread(roads, data.road_exits) & mines & ~here.combat[COMMONWEALTH]
    # 7.4 Where the enemy watches them all, a breach is only a little harder.
    front = front & ~(here.zoc[COMMONWEALTH] & ~here.combat[AXIS]) or front
    if not front:
        return {}
    free = data.board.all & ~here.occupied[COMMONWEALTH] & ~mines
    goals = [(hex, best_left(game, at)) for at, (hex, _) in enumerate(game.script.objectives)]
    found = lanes_from(data, roads, front, free, tuple(goals))
    if found:
        return found
    # An enemy on the trail behind a minefield can be driven off, if there is no other way.
    return lanes_from(data, roads, front, data.board.all & ~mines, tuple(goals))


@lru_cache(maxsize=256)
def lanes_from(
    data: Data, roads: int, front: int, free: int, goals: tuple[tuple[int, int], ...]
) -> dict[int, float]:
    """The same among the minefields in front of these roads."""
    worth: dict[int, float] = {}
    before = data.board.flood(roads, free, data.road_exits)
    known = bits(before)
    was = {
        hex: min((data.board.ring(hex)[road] for road in known), default=FAR) for hex, _ in goals
    }
    for lane in bits(front):
        after = data.board.flood(roads | 1 << lane, free | 1 << lane, data.road_exits)
        gained = bits(after & ~before)
        if len(gained) < 3:
            continue
        gain = 0.0
        for hex, value in goals:
            far = data.board.ring(hex)
            now = min(far[road] for road in gained)
            gain += (value + 0.2) * max(0, was[hex] - max(now, 8))
        if gain > 0:
            worth[lane] = gain
    return worth


# Missions.


def stacks(game: Game, side: int) -> tuple[tuple[int, int, bool], ...]:
    """5.3.4 What everybody sees of a side: where it stands, how high, whether motorised on top."""
    found = []
    for hex in bits(game.situation.combat[side]):
        units = game.combat_units(hex)
        found.append((hex, len(units), game.card[units[0]].motorised))
    return tuple(found)


def garrison(game: Game, hex: int) -> float:
    """The Commonwealth's strength in and around a hex, for all that is seen of it."""
    far = game.data.board.ring(hex)
    return sum(
        MEAN * count / (1 + far[other] / 2)
        for other, count, _ in stacks(game, COMMONWEALTH)
        if far[other] <= 3
    )


def printed_power(game: Game, unit: int) -> float:
    """What a combat unit is worth at its best."""
    card = game.card[unit]
    return card.strength * card.effectiveness[0] / 4


class Orders:
    """Where each formation of a side is to go, and why; the same while nothing big changes."""

    def __init__(self, game: Game, side: int, keen: bool = False, digs: bool = True) -> None:
        self.keen = keen
        """Whether they aim far, see the full worth of what nobody holds, and secure the trail."""
        self.digs = digs
        """Whether lanes are opened for a formation that starves beyond the minefields."""
        self.goal: dict[int, int] = {}
        self.lane = -1
        self.posts: dict[int, float] = {}
        """Hexes to stand in so that supply passes, and what one unit there is worth."""
        self.menaces: set[int] = set()
        """Enemies beside the trail who must be driven off."""
        data = game.data
        formations = [
            each
            for each, hq in enumerate(data.hqs)
            if hq.side == SIDES[side] and game.hex_of_hq(each) >= 0
        ]
        if game.script.solo >= 0:
            self.goal = {each: game.script.goal for each in formations if side == AXIS}
        elif side == AXIS:
            self._attack(game, formations)
        else:
            self._defend(game, formations)

    def _attack(self, game: Game, formations: list[int]) -> None:
        """The Axis: the nearest open a lane and clear the trail, the rest goes for objectives."""
        data = game.data
        mines = game.situation.mines[COMMONWEALTH]
        roads = game.situation.connected(game, AXIS, False)
        for hex in game.breached:
            if roads >> hex & 1:
                self.posts[hex] = 0.6
        opened = any(self.posts)
        strong = {
            each: sum(printed_power(game, u) for u in game.formation_pieces(each) if u < data.count)
            for each in formations
        }
        self._feed(game, strong)
        found = lanes(game)
        if found:
            self.lane = max(found, key=lambda hex: found[hex])
            opened = opened and found[self.lane] < VITAL
            far = data.board.ring(self.lane)
            sappers = sorted(
                (far[game.hex_of_hq(each)] - self._skill(game, each), each)
                for each in formations
                if far[game.hex_of_hq(each)] <= NEAR
                # One lane is enough for those who are to win the battle behind it.
                and (not opened or data.hqs[each].kind == "leg")
                and any(
                    unit < data.count and game.card[unit].type in INFANTRY
                    for unit in game.formation_pieces(each)
                )
            )
            for _, each in sappers[:SAPPERS]:
                if each not in self.goal:
                    self.goal[each] = self.lane
        sent: dict[int, float] = {}
        watched: dict[int, int] = {}
        held = {hex: garrison(game, hex) for hex, _ in game.script.objectives}
        stakes = [stake(game, at) if self.keen else 0 for at in range(len(held))]
        for at, guards in enumerate(guards_of(game)):
            if stakes[at]:
                sent[game.script.objectives[at][0]] = sum(printed_power(game, u) for u in guards)
        for each in sorted(formations, key=lambda f: -strong[f]):
            if each in self.goal:
                continue
            leg = data.hqs[each].kind == "leg"
            best = (0.1, -1)
            for at, (hex, _) in enumerate(game.script.objectives):
                value = best_left(game, at) + stakes[at]
                if value <= 0:
                    continue
                way = march(data, hex, mines)[game.hex_of_hq(each)]
                if leg and way > 22:
                    continue
                need = 15 + 1.5 * held[hex] + (CALL * value if self.keen else 0)
                taken = sent.get(hex, 0.0)
                free = max(0.0, 1 - (taken / need) ** 2 / 1.3)
                worth = min(value, GUARDED)
                if self.keen and not game.situation.combat[COMMONWEALTH] >> hex & 1:
                    worth = value
                delay = way / 10 if self.keen else (way / 10) ** 1.5
                want = (worth - 0.4) ** 0.7 * free / (1 + delay)
                best = max(best, (want, hex))
            if best[1] >= 0:
                self.goal[each] = best[1]
                sent[best[1]] = sent.get(best[1], 0.0) + strong[each]
            elif self.posts:
                # Who has nothing else to do guards the trail.
                far = data.board.ring(game.hex_of_hq(each))
                post = min(self.posts, key=lambda hex: far[hex] + 4 * watched.get(hex, 0))
                if far[post] <= NEAR:
                    self.goal[each] = post
                    watched[post] = watched.get(post, 0) + 1

    def _feed(self, game: Game, strong: dict[int, float]) -> None:
        """Clear the trail of whoever cuts it, and guard it where he would do so next."""
        data, here = game.data, game.situation
        mines = here.mines[COMMONWEALTH]
        ways = trails_of(game, AXIS)
        raiders = [
            (data.board.ring(hex), RAID if motorised else RAID // 2, MEAN * count)
            for hex, count, motorised in stacks(game, COMMONWEALTH)
        ]

        def danger(hex: int) -> float:
            return served[hex] * sum(
                force / (1 + far[hex]) for far, reach, force in raiders if far[hex] <= reach
            )

        served: dict[int, int] = {}
        beyond: dict[int, int] = {}
        calls: dict[int, float] = {}
        for each in strong:
            if data.hqs[each].kind == "leg":
                continue
            post = game.hex_of_hq(each)
            far = data.board.ring(post)
            hungry = not here.in_supply(game, data.hq_of(each))
            way = ways.way(trails_near(data, post, data.hqs[each].command))
            cuts = [hex for hex in way if hex in ways.block]
            # All of it has to be cleared: along the trail, and from there to the HQ.
            gaps = (cuts or self._cross_country(game, post)) if hungry else []
            if not self.digs and any(mines >> hex & 1 for hex in gaps):
                continue  # It has to come back: an army that digs for it takes nothing elsewhere.
            for hex in gaps:
                calls[hex] = calls.get(hex, 0.0) + 1
            for hex in way:
                served[hex] = served.get(hex, 0) + 1
            lane = max((at for at, hex in enumerate(way) if hex in game.breached), default=-1)
            for hex in way[: lane + 1]:
                beyond[hex] = beyond.get(hex, 0) + 1
        if self.keen and not calls:
            calls = self._ahead(game, ways)
        for hex, count in calls.items():
            self.posts[hex] = 1.0 + 0.4 * count
        if calls:
            gate = max(calls, key=lambda hex: (calls[hex], -ways.cost.get(hex, FAR)))
            far = data.board.ring(gate)
            able = sorted(
                (far[game.hex_of_hq(each)], each)
                for each in strong
                if game.levels[each] > 1 or here.in_supply(game, data.hq_of(each))
            )
            for away, each in able[:RELIEF]:
                if away <= NEAR:
                    self.goal[each] = gate
        if self.keen:
            self._clear(game, strong, beyond)
        guarded: list[int] = []
        for risk, hex in sorted(((danger(hex), hex) for hex in served), reverse=True):
            if len(guarded) == GUARDS or not risk:
                break
            if hex not in self.posts and all(data.board.ring(hex)[other] >= 2 for other in guarded):
                guarded.append(hex)
                self.posts[hex] = 0.2 + 0.1 * served[hex]

    def _clear(self, game: Game, strong: dict[int, float], trail: dict[int, int]) -> None:
        """Drive off who stands by the trail beyond a lane, before the rest marches on."""
        ring = game.data.board.ring
        found = []
        for hex, count, _ in stacks(game, COMMONWEALTH):
            far = ring(hex)
            weight = sum(fed / (1 + far[at]) for at, fed in trail.items() if far[at] <= BESIDE)
            if weight:
                found.append((weight, hex, TWICE * MEAN * count))
        for _, hex, need in sorted(found, reverse=True):
            self.menaces.add(hex)
            far = ring(hex)
            sent = sum(strong[each] for each, goal in self.goal.items() if far[goal] <= 1)
            for away, each in sorted((far[game.hex_of_hq(each)], each) for each in strong):
                if sent >= need or away > NEAR:
                    break
                if each not in self.goal and game.levels[each]:
                    self.goal[each] = hex
                    sent += strong[each]

    def _ahead(self, game: Game, ways: Trails) -> dict[int, float]:
        """5.7.4 What cuts the trails to the objectives first, though nobody is hungry yet."""
        data, mines = game.data, game.situation.mines[COMMONWEALTH]
        found: dict[int, float] = {}
        for at, (hex, _) in enumerate(game.script.objectives):
            if best_left(game, at) + stake(game, at) < WORTHY:
                continue
            way = ways.way(trails_near(data, hex, AHEAD))
            if any(mines >> each & 1 for each in way if each in ways.block):
                continue  # Whatever else is cleared, a lane must be opened first.
            cut = next((each for each in reversed(way) if each in ways.block), -1)
            if cut >= 0:
                found[cut] = found.get(cut, 0.0) + 1
        return found

    def _cross_country(self, game: Game, post: int) -> list[int]:
        """5.7.4 What lies between an HQ and the nearest trail that is fed."""
        data, here = game.data, game.situation
        mines, foes = here.mines[COMMONWEALTH], here.combat[COMMONWEALTH]
        far = march(data, post, mines, foes, here.zoc[COMMONWEALTH])
        hex = min(
            bits(here.connected(game, AXIS, False)), key=lambda trail: far[trail], default=post
        )
        found = []
        while hex != post:
            if not here.passable[AXIS] >> hex & 1:
                found.append(hex)
            hex = min(data.board.neighbours[hex], key=lambda near: far[near])
        return found

    def _skill(self, game: Game, formation: int) -> int:
        """7.3.6, 7.4 How many hexes of march a formation's engineers are worth at a minefield."""
        data = game.data
        hecker = data.hecker >= 0 and game.pieces[data.hecker].parent == formation
        return 4 * data.hqs[formation].engineer + 6 * (game.schwerpunkt == formation) + 4 * hecker

    def _defend(self, game: Game, formations: list[int]) -> None:
        """The Commonwealth: its armour covers what the Axis is nearest to, the rest stays."""
        data = game.data
        enemies = [hex for hex, stack in game.at.items() if data.side_of[stack[0]] == AXIS]
        worth = []
        for at, (hex, objective) in enumerate(game.script.objectives):
            kept = game.scored[at] if objective.keep and game.last_in[at] == AXIS else 0
            value = best_left(game, at) + 2 * kept
            if value > 0 and enemies:
                way = march(data, hex, game.situation.mines[COMMONWEALTH])
                near = min(way[each] for each in enemies)
                worth.append((value**0.6 / (1 + near / 6), hex))
        if self.keen:
            worth += self._cut(game)
        for each in formations:
            if data.hqs[each].kind != "mot" or not worth:
                continue
            far = data.board.ring(game.hex_of_hq(each))
            self.goal[each] = max(worth, key=lambda it: it[0] - 0.03 * far[it[1]])[1]

    def _cut(self, game: Game) -> list[tuple[float, int]]:
        """5.7.4 Where the trails of most Axis HQs run, and he stands there with least."""
        data, here = game.data, game.situation
        ways = trails_of(game, AXIS)
        served: dict[int, int] = {}
        for each, hq in enumerate(data.hqs):
            post = game.hex_of_hq(each)
            if hq.side != SIDES[AXIS] or hq.kind == "leg" or post < 0:
                continue
            for hex in ways.way(trails_near(data, post, hq.command)):
                served[hex] = served.get(hex, 0) + 1
        guards = [(data.board.ring(hex), MEAN * count) for hex, count, _ in stacks(game, AXIS)]
        found = []
        for hex, count in served.items():
            if here.occupied[AXIS] >> hex & 1 or hex in ways.block:
                continue
            against = sum(strong / (1 + far[hex]) for far, strong in guards if far[hex] <= 3)
            found.append((CUTS * count / (1 + against / 20), hex))
        best = sorted(found, reverse=True)[:4]
        for want, hex in best:
            self.posts[hex] = want
        return best[:1]


def orders_of(game: Game, side: int, keen: bool, digs: bool = True) -> Orders:
    """Orders, remembered while nothing changes that they depend on.

    Of the enemy that is what everybody sees: where HQs and stacks are and how high these are.
    """
    here, data, pieces = game.situation, game.data, game.pieces
    own = [
        each.hex if at >= data.count else each.parent if each.hex >= 0 else -2
        for at, each in enumerate(pieces)
        if data.side_of[at] == side
    ]
    foes = stacks(game, 1 - side)
    passable = here.passable[side]
    hungry = side == AXIS and [
        (each, game.levels[each - data.count] > 1)
        for each in pieces_of(data, side)
        if each >= data.count and pieces[each].hex >= 0 and not here.in_supply(game, each)
    ]
    enemy_hqs = side == COMMONWEALTH and tuple(
        pieces[each].hex for each in pieces_of(data, AXIS) if each >= data.count
    )
    cutting = keen and side == COMMONWEALTH and here.passable[AXIS] & trails(data)
    attacking = keen and side == AXIS and (guards_of(game), tuple(map(bool, game.levels)))
    key = (
        "orders", side, keen, digs, enemy_hqs, cutting, attacking, game.turn, tuple(own), foes,
        game.breached, game.blocked, tuple(hungry or ()),
        passable if hungry else passable & trails(data), here.occupied[1 - side] & trails(data),
        here.combat[side] & here.mines[1 - side], tuple(game.scored), tuple(game.last_in),
        game.schwerpunkt,
    )  # fmt: skip
    found: Orders | None = game.memory.get(key)
    if found is None:
        found = game.memory[key] = Orders(game, side, keen, digs)
    return found
