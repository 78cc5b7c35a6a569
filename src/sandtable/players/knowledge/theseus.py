"""What wargamers know of Operation Theseus: objectives that fade, lanes, command, and losses."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from math import inf
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.players.effort import NEVER, Effort
from sandtable.players.knowledge.reasons import figures
from sandtable.players.knowledge.theseus_absurd import (
    BLIND,
    blunders,
    follies,
    must_hold,
    uncovered,
)
from sandtable.players.knowledge.theseus_reasons import meant, still_open, tactic
from sandtable.players.knowledge.theseus_staff import (
    FAR,
    Orders,
    best_left,
    best_strike,
    fed_hexes,
    fed_on_foot,
    hunger,
    march,
    mine_chances,
    objective_now,
    orders_of,
    pieces_of,
    power,
    profit,
    round_about,
    spots,
)
from sandtable.players.knowledge.theseus_vicinity import RANGE, SHARE, unpacked, vicinity
from sandtable.players.knowledge.weights import Fitted
from sandtable.titles.theseus import reach as marches
from sandtable.titles.theseus.actions import (
    Activate,
    ActivateUnit,
    Air,
    Assault,
    Assign,
    Attack,
    AttackWith,
    Breach,
    BreakUp,
    Challenge,
    Decline,
    DigIn,
    Displace,
    Done,
    Dummy,
    End,
    Enter,
    FallBack,
    Follow,
    Halt,
    Hold,
    HoldWith,
    Join,
    Keep,
    Lose,
    Move,
    MoveStack,
    Pass,
    React,
    Refit,
    Remove,
    Replace,
    Reroll,
    RetreatTo,
    Schwerpunkt,
    Stand,
    Strike,
    To,
    Top,
    Transfer,
    Withdraw,
)
from sandtable.titles.theseus.activation import Acting, FormationActivation
from sandtable.titles.theseus.choices import Escalation
from sandtable.titles.theseus.combat import Combat
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.reaction import ReactionOffer
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, INFANTRY, SIDES
from sandtable.titles.theseus.sequence import Initiative
from sandtable.titles.theseus.snafu import Roll
from sandtable.titles.theseus.stacking import fits
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.victory import losses, objective_value, score
from sandtable.titles.theseus.withdrawal import RetreatBefore

SLACK = 2
"""How far units may run ahead of their HQ's reach: it can follow."""
HOPELESS = -0.3
"""The balance of hits below which no attack is ever made."""
MARGIN = 2
"""How near to the end of its supply an HQ may stand before an enemy's move would cut it off."""
MARCH = 0.2
"""What a hex nearer to the formation's goal is worth."""
NEED = 0.2
"""5.8 How much each Strength Point of a unit needs its HQ: out of command it hardly acts."""
NEARNESS = [0.85**far for far in range(FAR + 1)]
"""What a unit so many hexes from an objective counts as on its way to it."""
LURE = 0.25
"""What a point that nobody guards is worth to whoever could fetch it."""
LURING = [0.8**far for far in range(FAR + 1)]
"""How much of it draws a unit so many hexes away."""
CLOSE = [0.6**far for far in range(FAR + 1)]
"""The same for a unit that fights for an objective."""
PRIZE = 3
"""The points for which the Axis breaks ranks in the second half of a game, if nobody holds them."""
EASE = 0.25
"""What is left then of the price of disorder and hunger."""
STRONG = 9
"""The worth above which a unit is too good to guard a trail."""
FEW = 4
"""Action Points that an activation brings on average."""
TRIFLE = 0.1
"""The gain below which a march is not begun."""
GATE = 14
"""How near to its objective a formation opens any minefield in its way."""
LUCKY = {"combat": range(8, 11), "action points": range(9, 11), "breach": range(1, 4)}
"""5.2 Enemy dice worth the marker."""
SAPPERS = INFANTRY | {"engineer"}
"""7.4 Types that can breach."""


MOST: dict[type[Action], float] = {Attack: 2.5, AttackWith: 2.1, MoveStack: 1.6, Move: 1.1}
"""The highest temptation that such an action can have."""
TRIED: dict[type[Action], int] = {Attack: 1, MoveStack: 2, AttackWith: 3, Move: 4}
"""What is looked at last when the most tempting action is asked for: what takes longest."""


class Field:
    """What draws a side's units while the enemy stands as he does."""

    def __init__(self, game: Game, side: int) -> None:
        data, foe = game.data, 1 - side
        size = data.board.size
        self.against: dict[int, float] = {}
        self.prizes: dict[int, float] = {}
        for at, (hex, objective) in enumerate(game.script.objectives):
            more = objective_now(game, objective.values) - game.scored[at]
            kept = float(game.scored[at]) if objective.keep else 0.0
            if side == AXIS:
                value = max(float(more), 0.5 * kept)
            else:
                value = 0.4 * best_left(game, at)
                # 10.2 Who comes last into such a place takes all its points away.
                value += kept if game.last_in[at] == AXIS else 0.2 * kept
            if value > 0:
                self.prizes[hex] = value
        pull = fire = 0
        for hex, stack in game.at.items():
            if data.side_of[stack[0]] != foe:
                continue
            units = [unit for unit in stack if unit < data.count]
            total = sum([power(game, unit) for unit in units])
            self.against[hex] = total
            shaken = sum([game.pieces[unit].disrupted for unit in units])
            value = (0.3 + 0.12 * total) * (1 + 0.5 * shaken) / (1 + 0.05 * total)
            felt, shot = vicinity(data, hex)
            pull += round(256 * (value if units else 1.2)) * felt
            fire += round(4 * total) * shot
        self.pull = [each / (4 * 256 * SHARE) for each in unpacked(pull, size)]
        self.fire = [each / (4 * RANGE) for each in unpacked(fire, size)]
        if game.script.solo >= 0 and game.script.goal >= 0:
            far = data.board.ring(game.script.goal)
            for other in range(size):
                self.pull[other] += 4 * 0.85 ** far[other]


def field_of(game: Game, side: int) -> Field:
    """The field, remembered while the enemy is what and where he is."""
    pieces = game.pieces
    foes = [
        (pieces[each].hex, pieces[each].strength, pieces[each].disrupted)
        for each in pieces_of(game.data, 1 - side)
    ]
    key = ("field", side, game.turn, tuple(foes), tuple(game.scored), tuple(game.last_in))
    found: Field | None = game.memory.get(key)
    if found is None:
        found = game.memory[key] = Field(game, side)
    return found


class Traits(NamedTuple):
    """What does not depend on the place that a unit goes to."""

    pull: float
    """How much enemies and objectives draw it."""
    goal: int
    way: tuple[int, ...]
    near: int
    """5.8 Where its HQ's orders reach, and where they nearly do."""
    nearly: int
    reach: int
    far: tuple[int, ...]
    """How far the HQ is, if it has one."""
    sapper: bool
    guard: float
    """How fit it is to stand guard: the strong have better things to do."""


class Party(NamedTuple):
    """The same for units that move together."""

    units: tuple[int, ...]
    power: float
    sappers: bool
    post: int
    """An HQ among them."""


class Thumb:
    """Tactics in one position, each with the temptation it gives an action."""

    def __init__(self, game: Game, keen: bool = False, digs: bool = True) -> None:
        self.game = game
        self._keen, self._digs = keen, digs
        self.here = game.situation
        self.side = SIDES.index(game.actor) if game.actor else AXIS
        self._stay: float | None = None
        self._needs: dict[int, list[tuple[int, float, int]]] = {}
        self._ways: dict[int, tuple[int, ...]] = {}
        self._stacks: dict[int, float] = {}
        self._traits: dict[int, Traits] = {}
        self._parties: dict[tuple[int, ...], Party] = {}
        self._fed: dict[int, int] = {}
        self._hungry: dict[int, tuple[int, ...]] = {}
        self._on_foot: int | None = None

    @cached_property
    def field(self) -> Field:
        """What draws this side's units."""
        return field_of(self.game, self.side)

    @cached_property
    def orders(self) -> Orders:
        """Where its formations are to go."""
        return orders_of(self.game, self.side, self._keen, self._digs)

    @cached_property
    def ease(self) -> float:
        """How much orders and supply still matter: less where a prize lies open, late in a game."""
        game, foes = self.game, self.here.combat[COMMONWEALTH]
        if self.side != AXIS or 2 * game.turn <= game.script.file.last_turn:
            return 1.0
        prizes = self.field.prizes.items()
        return EASE if any(worth >= PRIZE and not foes >> at & 1 for at, worth in prizes) else 1.0

    @cached_property
    def lures(self) -> dict[int, tuple[float, tuple[int, ...]]]:
        """Objectives that nobody holds: what they are worth to us, and the march to them."""
        game, here, side = self.game, self.here, self.side
        found: dict[int, tuple[float, tuple[int, ...]]] = {}
        if not self._keen:
            return found
        held = here.combat[AXIS] | here.combat[COMMONWEALTH]
        for at, (hex, objective) in enumerate(game.script.objectives):
            if side == AXIS:
                worth = objective_now(game, objective.values) - game.scored[at]
            else:
                worth = best_left(game, at)
            if objective.keep and (game.last_in[at] == AXIS) == (side == COMMONWEALTH):
                worth += game.scored[at]
            if worth > 0 and not held >> hex & 1:
                way = march(game.data, hex, here.mines[1 - side], here.combat[1 - side])
                found[hex] = LURE * worth, way
        return found

    def tempts(self, action: Action) -> float:
        """One action's temptation."""
        game = self.game
        match action:
            case To(hex):
                return self._to(hex)
            case Halt():
                # A march that goes nowhere wastes its Action Point.
                step = game.step
                return 0.05 if isinstance(step, Movement) and step.moved else -0.25
            case Move(unit):
                return self._move(unit)
            case MoveStack(hex):
                found = self._stack(hex)
                return found + 0.2 if found > NEVER else NEVER
            case Attack(hex, target):
                return self._attack(self._able(hex), hex, target)
            case AttackWith(unit, target):
                return self._attack((unit,), game.pieces[unit].hex, target) - 0.4
            case Assault():
                return 0.6
            case Join():
                return 0.5
            case Activate(formation):
                return self._activate(formation) if self.busy(formation) else NEVER
            case ActivateUnit(unit):
                return 0.2 + 0.3 * self._restless((unit,))
            case End():
                return -0.2
            case Refit(unit):
                return 0.4 + 0.06 * game.pieces[unit].strength
            case Breach(unit):
                return self._breach(unit)
            case DigIn(hex):
                return self._dig(hex)
            case Top():
                return -1.0
        return self._answer(action)

    def _answer(self, action: Action) -> float:
        """Interrupts, losses, retreats and everything done between battles."""
        game = self.game
        match action:
            case Pass():
                return -0.5 if game.turn < game.script.file.last_turn else -2.5
            case Transfer():
                return -0.4  # Who waits can still act later, who passes cannot.
            case React(formation):
                if not self.can_react(formation):
                    return -1.0
                return 0.2 + 0.2 * self._activate(formation)
            case Decline() | Stand() | Done():
                return 0.0
            case Keep():
                return 0.1
            case Reroll() | Follow():
                return 0.0
            case Withdraw():
                return self._withdraw()
            case Strike(kind):
                return self._strike(kind)
            case Air(number):
                return 0.25 * number
            case Lose(unit):
                return -0.2 * game.effectiveness(unit) - 0.1 * (game.pieces[unit].strength == 1)
            case Hold():
                return 0.1 + self.field.prizes.get(self._fought_over(), 0.0)
            case FallBack() | HoldWith():
                return 0.0
            case RetreatTo(hex):
                room = -1.5 if game.combat_units(hex) else 0.0
                return room + self.field.pull[hex] - 0.2 * self.field.fire[hex]
            case Displace(piece, hex) | Enter(piece, hex):
                total = 1.0 + self.field.pull[hex] - 0.1 * self.field.fire[hex]
                if piece >= game.data.count:
                    total -= self._bare(piece, hex) + self._hunger(hex, piece)
                return total
            case Assign(unit, formation):
                return self._assign(unit, formation)
            case Replace():
                return 0.8
            case Dummy() | Challenge():
                return -0.6
            case BreakUp():
                return -1.0
            case Remove(unit):
                return -float(game.pieces[unit].strength)
            case Schwerpunkt(formation):
                pieces = game.formation_pieces(formation)
                return 0.03 * sum(power(game, u) for u in pieces if u < game.data.count)
        return 0.0

    # Whom to use.

    def _activate(self, formation: int) -> float:
        """A formation is worth what its units can do, while it has levels to spare.

        Levels beyond what a turn gives back are lost, and those below it act with fewer points
        and leave nothing to react with, so all formations share the work of a turn.
        """
        game, data = self.game, self.game.data
        goal = self.orders.goal.get(formation, -1)
        way = self.way(goal)
        lively = strength = lure = 0.0
        for piece in game.formation_pieces(formation):
            if piece >= data.count or game.pieces[piece].disrupted:
                continue
            hex = game.pieces[piece].hex
            worth = power(game, piece)
            strength += worth
            lively += worth * min(1.5, self.field.pull[hex])
            if goal >= 0 and way[hex] > 0:
                lively += 0.5 * worth
            for prize, near in self.lures.values():
                lure = max(lure, prize * LURING[near[hex]])
        total = lure + (lively / strength * min(1.5, strength / 25) if strength else -0.5)
        if goal >= 0 and (goal == self.orders.lane or self.orders.posts.get(goal, 0.0) >= 1):
            total += 0.8
        facts = data.hqs[formation]
        spare = game.levels[formation] - self._reserve(formation)
        total += 0.15 * spare if spare > 0 else 0.4 * spare - 0.7
        hq = data.hq_of(formation)
        if not self.here.in_supply(game, hq):
            # 5.7.5, 6.3.3 Emergency Supply is spent once; then all levels go.
            # In the last turn nothing is saved for later.
            if not self._keen or game.turn < game.script.file.last_turn:
                total -= 4.0 if game.pieces[hq].spent else 0.4
        elif facts.kind != "leg" and self._far_from_supply(facts.command)[game.pieces[hq].hex] > 0:
            total += 0.5
        return total

    def busy(self, formation: int) -> bool:
        """6.3 Whether its units would do anything with a few Action Points for the level spent."""
        game = self.game.copy()
        game.set_points(self.side, FEW)
        acting = Acting(self.side, formation)
        game.stack = (*game.stack[:1], acting)
        mind = Thumb(game, self._keen, self._digs)
        idle = mind.tempts(End())
        return any(mind.tempts(each) > idle for each in acting.each(game))

    def can_react(self, formation: int) -> bool:
        """6.5 Whether a formation has a level to spare, and supply or its Emergency Supply."""
        game = self.game
        hq = game.data.hq_of(formation)
        fed = self.here.in_supply(game, hq) or not game.pieces[hq].spent
        return fed and game.levels[formation] > self._reserve(formation)

    def _reserve(self, formation: int) -> int:
        """9.1.1 The level to end a turn with: more than that is lost in recovery."""
        facts, game = self.game.data.hqs[formation], self.game
        if game.turn >= game.script.file.last_turn:
            return 0
        return facts.level - facts.recovery

    def _assign(self, unit: int, formation: int) -> float:
        """The engineers go with the Schwerpunkt; everybody else stays where he stands."""
        game = self.game
        parent = game.pieces[unit].parent
        if unit == game.data.hecker and formation == game.schwerpunkt != parent:
            return 0.8
        return 0.3 if parent < 0 else -0.8

    def _acts(self, piece: int) -> bool:
        game, step = self.game, self.game.step
        if game.pieces[piece].disrupted:
            return False
        if isinstance(step, Acting) and not step.units:
            return game.pieces[piece].parent == step.formation
        return True

    def _able(self, hex: int) -> list[int]:
        game = self.game
        return [
            each for each in game.at.get(hex, ()) if each < game.data.count and self._acts(each)
        ]

    def _move(self, unit: int) -> float:
        """A unit alone; where its whole stack wants to go, nobody asks it."""
        game = self.game
        hex = game.pieces[unit].hex
        if unit < game.data.count and len(self._acting(hex)) > 1:
            together = self._stack(hex)
            if together > 0:
                return together - 0.4
        return max(NEVER, self._restless((unit,)) - 0.3)

    def _acting(self, hex: int) -> list[int]:
        return [each for each in self.game.at.get(hex, ()) if self._acts(each)]

    def _stack(self, hex: int) -> float:
        """How much better a place a stack could find."""
        found = self._stacks.get(hex)
        if found is None:
            found = self._stacks[hex] = self._restless(self._acting(hex))
        return found

    def _restless(self, pieces: Sequence[int]) -> float:
        """How much better a place within reach is than this one."""
        game = self.game
        if not pieces:
            return -1.0
        if self._needed(pieces):
            return NEVER
        hex = game.pieces[pieces[0]].hex
        reach = marches.march(game, pieces, marches.allowance(game, pieces), True, "action").cost
        here = self._stand(hex, pieces)
        # A general looks at every place for an HQ: the better one may lie behind a worse.
        closely = self._keen and self._digs and pieces[0] >= game.data.count
        places = (round_about if closely else spots)(game.data, hex)
        best = max(
            (
                self._stand(other, pieces, here)
                for other in (*places, *self.lures)
                if other in reach and not self.crowded(pieces, other)
            ),
            default=here,
        )
        # A march that gains nothing wastes its Action Point.
        return min(1.4, 2.0 * (best - here)) if best > here + TRIFLE else -1.0

    def _needed(self, pieces: Sequence[int]) -> bool:
        """Whether an objective would be left empty that counts and that nobody threatens."""
        game = self.game
        hex = game.pieces[pieces[0]].hex
        at = next((n for n, (goal, _) in enumerate(game.script.objectives) if goal == hex), -1)
        if at < 0 or not set(game.combat_units(hex)).issubset(pieces):
            return False
        if min(pieces) >= game.data.count:
            return False
        # 10.2 Who comes last into such a place has its points.
        earned = self.side == AXIS and game.script.objectives[at][1].keep and game.scored[at] > 0
        return earned or must_hold(game, self.side, at)

    def _in_the_way(self, hex: int, unit: int, start: int) -> bool:
        """Whether a minefield lies between a unit and the objective it is to take."""
        goal = self.orders.goal.get(self.game.pieces[unit].parent, -1)
        if goal < 0 or goal == self.orders.lane:
            return False
        way = self.way(goal)
        return way[hex] < way[start] <= GATE

    # Where to stand.

    def way(self, goal: int) -> tuple[int, ...]:
        """The march to a goal, round minefields and the enemy."""
        if goal < 0:
            return ()
        found = self._ways.get(goal)
        if found is None:
            here, foe = self.here, 1 - self.side
            mines = here.mines[COMMONWEALTH]
            found = march(self.game.data, goal, mines, here.combat[foe], here.zoc[foe])
            self._ways[goal] = found
        return found

    def _place(self, hex: int, piece: int) -> float:
        """What a hex is worth to a piece before it is known what stands there."""
        game = self.game
        if piece >= game.data.count:
            return self._command_post(hex, piece)
        traits = self._traits.get(piece) or self._describe(piece)
        total = self.field.pull[hex] * traits.pull
        if not traits.near >> hex & 1:
            # 5.8 The price of standing where the HQ's orders do not reach.
            if traits.nearly >> hex & 1:
                total -= 0.4 * self.ease
            else:
                total -= self.ease * (0.9 + min(2.0, 0.2 * max(0, traits.far[hex] - traits.reach)))
        prize = self.field.prizes.get(hex, 0.0)
        if prize:
            # One strong garrison is enough; a general's is as strong as what is near.
            held = sum(power(game, u) for u in game.combat_units(hex) if u != piece)
            enough = max(6.0, self.field.fire[hex]) if self._keen and self.side == AXIS else 6.0
            total += prize * 0.2 if held >= enough else prize + 0.8
        guard = self.orders.posts.get(hex, 0.0)
        if guard and not self._guarded(hex, piece):
            total += guard if guard >= 1 else guard * traits.guard
        for worth, way in self.lures.values():
            total += worth * LURING[way[hex]]
        if traits.goal >= 0:
            total -= MARCH * traits.way[hex]
            if traits.goal == hex == self.orders.lane:
                total += 1.0 if traits.sapper else -1.0
        return total

    def _guarded(self, hex: int, piece: int) -> bool:
        """Whether others stand where supply has to pass: in a lane as strong as what is near."""
        game = self.game
        there = [unit for unit in game.combat_units(hex) if unit != piece]
        if not self._keen or hex not in game.breached:
            return bool(there)
        return sum(power(game, unit) for unit in there) > self.field.fire[hex]

    def _describe(self, unit: int) -> Traits:
        """What is the same wherever a unit goes."""
        game, data = self.game, self.game.data
        parent = game.pieces[unit].parent
        card = game.card[unit]
        # Commonwealth infantry holds its boxes and leaves the chase to others.
        pull = 0.4 if self.side == COMMONWEALTH and card.leg_infantry else 1.0
        goal = self.orders.goal.get(parent, -1)
        near = nearly = data.board.all
        reach = 0
        far: tuple[int, ...] = ()
        if parent >= 0 and game.hex_of_hq(parent) >= 0:
            reach = data.hqs[parent].command
            layers = self.here.command_layers(game, parent, reach + SLACK)
            near, nearly = layers[reach], layers[reach + SLACK]
            far = data.board.ring(game.hex_of_hq(parent))
        sapper = card.type in SAPPERS
        guard = 0.3 if power(game, unit) > STRONG else 1.0
        found = Traits(pull, goal, self.way(goal), near, nearly, reach, far, sapper, guard)
        self._traits[unit] = found
        return found

    def _party(self, pieces: tuple[int, ...]) -> Party:
        """The same for a stack."""
        found = self._parties.get(pieces)
        if found is None:
            game, count = self.game, self.game.data.count
            units = tuple(unit for unit in pieces if unit < count)
            found = Party(
                units,
                sum(power(game, unit) for unit in units),
                all(game.card[unit].type in SAPPERS for unit in units),
                next((piece for piece in pieces if piece >= count), -1),
            )
            self._parties[pieces] = found
        return found

    def _command_post(self, hex: int, hq: int) -> float:
        """An HQ stays fed, near its units and behind them, never alone at the front."""
        data = self.game.data
        formation = hq - data.count
        far = data.board.ring(hex)
        reach = data.hqs[formation].command
        total = 0.1 * self.field.pull[hex]
        for other, need, cover in self._charges(formation):
            if cover >> hex & 1:
                total += need
            else:
                total += need * (0.7 - 0.1 * min(8, max(0, far[other] - reach)))
            total -= 0.01 * far[other]
        goal = self.orders.goal.get(formation, -1)
        if goal >= 0:
            total -= 0.5 * MARCH * self.way(goal)[hex]
        total -= self._bare(hq, hex)
        if self.here.mines[1 - self.side] >> hex & 1:
            total -= 1.0
        total -= self.ease * self._hunger(hex, hq)
        return total - 0.03 * self.field.fire[hex]

    def _bare(self, piece: int, hex: int) -> float:
        """The price of an HQ's place beside the enemy with no unit of ours in it."""
        hq = piece >= self.game.data.count
        return 1.5 if hq and uncovered(self.game, hex, self.side) else 0.0

    def _charges(self, formation: int) -> list[tuple[int, float, int]]:
        """5.8, 9.1.3 Where a formation's units stand, how much each needs its HQ, and where it."""
        if formation not in self._needs:
            game, data = self.game, self.game.data
            passable = self.here.passable[self.side]
            reach = data.hqs[formation].command
            found = []
            for unit in game.formation_pieces(formation):
                if unit < data.count:
                    piece = game.pieces[unit]
                    need = NEED * piece.strength * (2.0 if piece.disrupted else 1.0)
                    need += 0.5 * (piece.hex == self.orders.lane)
                    cover = data.board.flood(1 << piece.hex, passable, data.any_exits, reach)
                    found.append((piece.hex, need, cover))
            self._needs[formation] = found
        return self._needs[formation]

    def _hunger(self, hex: int, hq: int) -> float:
        """5.7 The price of an HQ's place from which it would not reach a road of supply."""
        facts = self.game.data.hqs[hq - self.game.data.count]
        if facts.kind == "leg":
            if self._on_foot is None:
                self._on_foot = fed_on_foot(self.game, self.side)
            return 0.0 if self._on_foot >> hex & 1 else 1.5
        far = self._far_from_supply(facts.command)[hex]
        # A ridge, a minefield or the enemy may lie between two hexes side by side.
        fed = self._fed[facts.command] >> hex & 1
        return 0.3 * far if fed and far <= MARGIN else 1.5 + 0.15 * far

    def _far_from_supply(self, steps: int) -> tuple[int, ...]:
        """5.7 How far every hex is from where an HQ of this reach is fed with ease."""
        if steps not in self._fed:
            self._fed[steps] = fed_hexes(self.game, self.side, steps)
            self._hungry[steps] = hunger(self.game, self.side, steps)
        return self._hungry[steps]

    def _to(self, hex: int) -> float:
        """A step on the way is worth the difference of the two places."""
        step = self.game.step
        if not isinstance(step, Movement):
            return 0.0
        if self.crowded(step.units, hex) or self._foolish(step.units, hex):
            return NEVER
        if self._stay is None:
            first = self.game.pieces[step.units[0]].hex
            self._stay = self._stand(first, step.units)
        # Whoever has arrived does not wander on for a trifle.
        return 2.0 * (self._stand(hex, step.units, self._stay) - self._stay) - 0.3 * step.moved

    def _foolish(self, pieces: Sequence[int], hex: int) -> bool:
        """An HQ out of supply or alone beside the enemy, or a drive into mines nobody enters."""
        game, data = self.game, self.game.data
        here = self.here
        if here.mines[1 - self.side] >> hex & 1:
            return mine_chances(game, tuple(pieces))[0] < BLIND
        post = next((piece for piece in pieces if piece >= data.count), -1)
        if post < 0:
            return False
        if len(pieces) == 1 and self._bare(post, hex):
            return True
        return self._hunger(hex, post) >= 1.5 and here.in_supply(game, post)

    def crowded(self, pieces: Sequence[int], hex: int) -> bool:
        """5.3.1 Whether a hex would be overstacked, which disrupts everybody in it."""
        game, data = self.game, self.game.data
        there = game.at.get(hex, ())
        if not there or data.side_of[there[0]] != self.side:
            return False
        stack = {*there, *pieces}
        if sum(piece >= data.count for piece in stack) > 1:
            return True
        return not fits(game, [piece for piece in stack if piece < data.count], self.side)

    def _stand(self, hex: int, pieces: Sequence[int], stay: float = 0.0) -> float:
        """What a hex is worth to a stack; `stay` is what the one it comes from is worth."""
        game, data = self.game, self.game.data
        units, mine, sappers, post = self._party(tuple(pieces))
        if not units:
            return self._place(hex, pieces[0])
        total = self._place(hex, units[0])
        mined = self.here.mines[1 - self.side] >> hex & 1
        if mined and game.script.solo >= 0 and sappers:
            total += 1.5  # 10.1 Every breach is a point.
        elif mined and sappers and self._in_the_way(hex, units[0], game.pieces[units[0]].hex):
            total += 1.0
        if hex == self.orders.lane and not sappers:
            total -= 1.5
        if post >= 0:
            total -= self._hunger(hex, post)
        if hex in game.at:
            mine += sum(power(game, unit) for unit in game.combat_units(hex) if unit not in units)
        beside = data.beside[hex] & self.here.combat[1 - self.side]
        if beside:
            against = max(self.field.against.get(at, 0.0) for at in bits(beside))
            total += 0.35 if mine >= 1.3 * against else -0.4
        else:
            total -= 0.03 * max(0.0, self.field.fire[hex] - mine)
        if mined and hex != game.pieces[units[0]].hex:
            enters, lost = mine_chances(game, tuple(pieces))
            total = stay + enters * (total - stay) - 0.3 * lost
            total -= 0.5 * (1 - enters)
        if self.here.mines[self.side] >> hex & 1:
            total += 0.8 if game.card[units[0]].type in INFANTRY else 0.2
        return total

    # Fighting.

    def _points(self) -> int:
        """What the activation can still spend."""
        game = self.game
        for step in reversed(game.stack):
            if isinstance(step, Acting):
                return step.points(game)
        return 1

    def _attack(self, units: Sequence[int], hex: int, target: int) -> float:
        """Concentrate on what the exact modifiers favour, and refuse bad odds."""
        if not units:
            return -1.0
        game = self.game
        gain = best_strike(game, self.side, units, hex, target, self._points())
        if gain <= 0:
            return NEVER if gain < HOPELESS else gain - 0.6
        prize = self.field.prizes.get(target, 0.0) + 2 * self.orders.posts.get(target, 0.0)
        if game.data.beside[target] & self._gates():
            prize += 1.0
        if target in self.orders.menaces:
            prize += 3.0
        worth = 0.45 * gain * (1 + 0.2 * prize)
        return min(2.5, 0.2 + worth)

    def _gates(self) -> int:
        """The hexes our supply has to pass."""
        return sum(1 << hex for hex in self.orders.posts)

    def _strike(self, kind: str) -> float:
        """Pay for a better attack where it buys more hits than it costs points."""
        step = self.game.step
        assert isinstance(step, Escalation)
        extra = ("hasty", "regular", "prepared").index(kind)
        air = min(extra + 1, self.game.air) if self.side == AXIS else 0
        battle = replace(step.battle, kind=kind, air=air)
        return 0.6 * profit(self.game, battle) - 0.2 * extra

    def _withdraw(self) -> float:
        """Retreat before combat when the fight would be lost and the place is not worth it."""
        step = self.game.step
        if not isinstance(step, RetreatBefore):
            return -0.2
        battle = step.battle
        if self.field.prizes.get(battle.target, 0.0) > 1:
            return -0.6
        threat = profit(self.game, replace(battle, kind="regular"))
        return 0.3 * threat - 0.3

    def _fought_over(self) -> int:
        """The hex of the battle that goes on."""
        for step in reversed(self.game.stack):
            if isinstance(step, Combat):
                return step.battle.target
        return -1

    def _breach(self, unit: int) -> float:
        """7.4 Open a lane where supply is to follow, not any minefield."""
        hex = self.game.pieces[unit].hex
        if hex == self.orders.lane or self.game.script.solo >= 0:
            return 1.2
        goal = self.orders.goal.get(self.game.pieces[unit].parent, -1)
        return 0.9 if goal >= 0 and self.way(goal)[hex] <= GATE else 0.1

    def _dig(self, hex: int) -> float:
        """7.7 Dig in where the enemy is near and we mean to stay."""
        fire = self.field.fire[hex]
        if fire < 0.5:
            return -0.5
        if self._keen and self._stack(hex) > 0:
            return -0.5  # Whoever drives off digs for nothing.
        keep = self.field.prizes.get(hex, 0.0)
        return (0.3 if self.side == COMMONWEALTH else -0.1) + 0.05 * fire + 0.1 * keep


FEATURES = (
    "score", "score_late", "prospects", "risk", "axis_armour", "axis_foot", "cw_armour",
    "cw_foot", "axis_shaken", "cw_shaken", "axis_losses", "cw_losses", "axis_levels", "cw_levels",
    "axis_unfed", "cw_unfed", "trails", "air", "one",
)  # fmt: skip

FORESIGHT = frozenset(["prospects", "risk", "trails"])
"""What only generals weigh, beside the enemy's supply and levels."""


class Place:
    """An objective as the evaluation sees it: what it may still bring, and what may be lost."""

    __slots__ = ("against", "coming", "far", "inside", "kept", "to_come", "way")

    def __init__(self, way: tuple[int, ...], far: tuple[int, ...], to_come: int, kept: int) -> None:
        self.way, self.far, self.to_come, self.kept = way, far, to_come, kept
        self.coming = self.inside = self.against = 0.0

    def prospect(self) -> float:
        """Points still to come, by the strength on the way and against it."""
        return self.to_come * self.coming / (self.coming + 1.5 * self.against + 20)

    def risk(self) -> float:
        """10.2 Points that count only while the enemy does not come in again."""
        return self.kept * self.against / (self.against + self.inside + 8)


class Theseus(Fitted):
    """Knowledge of the title; the Axis is the first side."""

    title: ClassVar[str] = "theseus"
    keen: ClassVar[bool] = False
    """Whether it is a general's: objectives that nobody holds are seen, and trails secured."""
    names: ClassVar[tuple[str, ...]] = FEATURES
    look: ClassVar[Effort] = Effort(plans=2, worlds=1, rounds=0, heat=0.15)
    search: ClassVar[Effort] = Effort(plans=4, worlds=2, units=1, rounds=0, heat=0.15)
    interrupted: ClassVar[bool] = True
    arrivals: ClassVar[tuple[type[Action], ...]] = (Enter,)
    whim: ClassVar[float | None] = 0.3
    whim_of: ClassVar[dict[Side, float]] = {SIDES[COMMONWEALTH]: 2.5}
    signs: ClassVar[dict[str, int]] = {
        "score": 1, "score_late": 1, "prospects": 1, "risk": -1, "axis_armour": 1,
        "axis_foot": 1, "cw_armour": -1, "cw_foot": -1, "axis_shaken": -1, "cw_shaken": 1,
        "axis_losses": -1, "cw_losses": 1, "axis_levels": 1, "cw_levels": -1, "axis_unfed": -1,
        "cw_unfed": 1, "trails": 1, "air": 1,
    }  # fmt: skip

    words: ClassVar[dict[str, str]] = {
        "score": "more/fewer Victory Points for the Axis",
        "score_late": "more/fewer Victory Points for the Axis",
        "prospects": "better/poorer Axis chances to take objectives",
        "risk": "more/less danger to objectives that the Axis holds",
        "axis_armour": "stronger/weaker Axis tanks",
        "axis_foot": "stronger/weaker Axis infantry",
        "cw_armour": "stronger/weaker Commonwealth tanks",
        "cw_foot": "stronger/weaker Commonwealth infantry",
        "axis_shaken": "more/less Axis strength disrupted",
        "cw_shaken": "more/less Commonwealth strength disrupted",
        "axis_losses": "higher/lower losses of DAK and XX Corps",
        "cw_losses": "higher/lower Commonwealth motorised losses",
        "axis_levels": "more/fewer Axis Activation Levels",
        "cw_levels": "more/fewer Commonwealth Activation Levels",
        "axis_unfed": "worse/better Axis supply",
        "cw_unfed": "worse/better Commonwealth supply",
        "trails": "a longer/shorter reach of Axis supply",
        "air": "more/fewer Axis air units",
    }

    @cached_property
    def schooled(self) -> dict[Side, Theseus]:
        return {SIDES[AXIS]: Schooled()}

    @cached_property
    def keener(self) -> Theseus | None:
        return None if self.keen else Keen()

    def mind(self, game: Game) -> Thumb:
        """What it makes of a position at a glance."""
        return Thumb(game, self.keen)

    @cached_property
    def prior(self) -> list[list[float]]:
        """Weights set by hand, to which those that are fitted are drawn."""
        return self.read_weights("theseus.hand.toml")

    @cached_property
    def plain(self) -> dict[Side, list[list[float]]]:
        """Those of most of a game, for either side without foresight and the enemy's supply."""
        unseen = {
            side: FORESIGHT | {f"{prefix}_unfed", f"{prefix}_levels"}
            for side, prefix in zip(SIDES, ("cw", "axis"), strict=True)
        }
        early = dict(zip(self.names, self.prior[0], strict=True))
        return {
            side: [[0.0 if name in unseen[side] else early[name] for name in self.names]]
            for side in SIDES
        }

    def weighs(self, side: Side) -> list[list[float]]:
        return self.weights if self.keen else self.plain[side]

    def value(self, game: Game, side: Side) -> float:
        """The chance to win as an officer sees it: points, strength and its own supply."""
        return self.chance(game, side, self.plain[side])

    def judge(self, game: Game, side: Side) -> float:
        """The same with what may still be won or lost."""
        return self.chance(game, side, self.weights)

    def unit(self, game: Game) -> Hashable:
        """An activation, from the choice of the formation to its end."""
        level = sum(game.levels)
        for step in game.stack:
            if isinstance(step, Acting | FormationActivation):
                level += isinstance(step, Acting) and not step.single
                break
        else:
            if len(game.stack) > 1 and not isinstance(game.stack[1], Initiative):
                return game.turn, level, game.passed, type(game.stack[1]).__name__
        return game.turn, level, game.passed

    def phase(self, game: Game) -> int:
        """The last turn is a phase of its own: only points count."""
        last = game.script.file.last_turn
        done = game.turn / last
        return 0 if done <= 0.34 else 1 if done <= 0.75 else 2 if done < 1 else 3

    def priors(self, game: Game, actions: Sequence[Action]) -> list[float]:
        mind = self.mind(game)
        return [mind.tempts(action) for action in actions]

    def favourite(self, game: Game, actions: Sequence[Action]) -> int:
        """The most tempting action; those that cannot be it are not looked at."""
        mind = self.mind(game)
        most, best = -inf, 0
        order = sorted(range(len(actions)), key=lambda at: TRIED.get(type(actions[at]), 0))
        for at in order:
            action = actions[at]
            if MOST.get(type(action), inf) < most:
                continue
            found = mind.tempts(action)
            if found > most or (found == most and at < best):
                most, best = found, at
        return best

    def tactic(self, game: Game, action: Action, plan: Sequence[Action] = ()) -> str:
        return tactic(self.mind(game), action, plan)

    def chances(self, game: Game, action: Action, plan: Sequence[Action] = ()) -> str:
        """Those of the kind of attack that the plan goes on to choose; none if it is open."""
        mind = self.mind(game)
        if not isinstance(action, Attack | AttackWith | Assault):
            return super().chances(game, action, plan)
        if still_open(mind, action, plan):
            return ""
        return figures(meant(mind, action, plan), game.actor)

    def measure(self, game: Game, side: Side, effort: Effort) -> Effort:
        """Officers of the Commonwealth weigh whether to react or to withdraw, and nothing else.

        So officers are nearly even; the printed rule favours the Commonwealth if all weigh all.
        """
        asked = isinstance(game.step, ReactionOffer | RetreatBefore)
        weighs = self.keen or side == SIDES[AXIS] or asked
        return effort if weighs else replace(effort, plans=1)

    def idle(self, plan: Sequence[Action]) -> bool:
        """5.2 The marker that is kept changes nothing."""
        return isinstance(plan[0], Keep) or super().idle(plan)

    def obvious(self, game: Game, actions: Sequence[Action]) -> Action | None:
        """Rules where a search would hear nothing but the noise of dice."""
        step = game.step
        if isinstance(step, Roll):
            # 5.2 The marker is for dice that matter.
            return Reroll() if step.value in LUCKY.get(step.purpose, ()) else Keep()
        reactions = [each.formation for each in actions if isinstance(each, React)]
        if reactions and Decline() in actions:
            # 6.5 Levels that the next turn does not give back are for one's own activations.
            mind = self.mind(game)
            if not any(mind.can_react(formation) for formation in reactions):
                return Decline()
        return None

    def blunders(self, game: Game, action: Action) -> Iterator[str]:
        """What is absurd about an action."""
        return blunders(game, action)

    def follies(self, before: Game, after: Game, side: Side) -> Iterator[str]:
        """What is absurd about a planning unit as a whole."""
        return follies(before, after, side)

    def features(self, game: Game) -> list[float]:
        data = game.data
        file, last = game.script.file, game.script.file.last_turn
        left = (last + 1 - game.turn) / last
        # 10.2, 10.3 What counts is how far the points are from a draw.
        points = sum(line.value for line in score(game, True))
        points -= next(level.at_least for level in file.level if not level.winner)
        strength = {(side, tank): 0.0 for side in (AXIS, COMMONWEALTH) for tank in (False, True)}
        shaken = [0.0, 0.0]
        cards = game.card
        mines = game.situation.mines[COMMONWEALTH]
        places = []
        for at, (hex, objective) in enumerate(game.script.objectives):
            had = game.scored[at]
            has = max(had, objective_value(game, hex, objective.values))
            points += has - had
            to_come = max(0, objective_now(game, objective.values) - has)
            kept = has if objective.keep and game.last_in[at] == AXIS else 0
            if objective.keep and not kept:
                to_come += had  # 10.2 What was lost again can be won back.
            if to_come or kept:
                places.append(Place(march(data, hex, mines), data.board.ring(hex), to_come, kept))
        for unit, piece in enumerate(game.pieces[: data.count]):
            here = piece.hex
            if here < 0:
                continue
            side = data.side_of[unit]
            worth = power(game, unit)
            strength[side, cards[unit].arm == "tank"] += worth
            if piece.disrupted:
                shaken[side] += piece.strength
            if side == AXIS:
                for place in places:
                    place.coming += worth * NEARNESS[place.way[here]]
                    place.inside += worth * CLOSE[place.far[here]]
            else:
                for place in places:
                    place.against += worth * CLOSE[place.far[here]]
        prospects = sum(place.prospect() for place in places)
        risk = sum(place.risk() for place in places)
        levels, unfed = [0.0, 0.0], [0.0, 0.0]
        for formation, hq in enumerate(data.hqs):
            side = SIDES.index(hq.side)
            post = data.hq_of(formation)
            if game.pieces[post].hex < 0:
                continue
            level = game.levels[formation]
            if not game.situation.in_supply(game, post):
                unfed[side] += 1 + 2 * (level == 0) if game.turn < last else 1
            elif game.turn < last:
                # 9.1.1 What a turn gives back is free to spend.
                level = min(level + hq.recovery, hq.level)
            levels[side] += level
        lost = {each.who: losses(game, each.who) for each in file.losses}
        german = sum(value for who, value in lost.items() if who != "commonwealth_motorised")
        return [
            points / 10 * left,
            points / 10 * (1 - left),
            prospects / 10,
            risk / 10,
            strength[AXIS, True] / 60 * left,
            strength[AXIS, False] / 60 * left,
            strength[COMMONWEALTH, True] / 60 * left,
            strength[COMMONWEALTH, False] / 60 * left,
            shaken[AXIS] / 20,
            shaken[COMMONWEALTH] / 20,
            german / 30,
            lost.get("commonwealth_motorised", 0) / 30,
            levels[AXIS] / 20,
            levels[COMMONWEALTH] / 20,
            unfed[AXIS] / 4,
            unfed[COMMONWEALTH] / 4,
            game.situation.connected(game, AXIS, False).bit_count() / 100,
            game.air / 5,
            1.0,
        ]


class Schooled(Theseus):
    """What officers of the Axis know: to secure the trail and to gather, as generals do."""

    def mind(self, game: Game) -> Thumb:
        axis = game.actor == SIDES[AXIS]
        return Thumb(game, keen=axis, digs=not axis)


class Keen(Theseus):
    """What generals know."""

    keen: ClassVar[bool] = True


KNOWLEDGE = Theseus()
