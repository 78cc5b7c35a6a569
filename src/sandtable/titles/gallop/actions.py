"""Every choice a player of The Gazala Gallop can make."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.actions import Action, Space, UnitId


class Place(Action, frozen=True):
    """V.A, V.B Set up a unit (or a dummy) in a hex."""

    verb: ClassVar[str] = "place"
    unit: UnitId
    hex: Space


class PickWeather(Action, frozen=True):
    """VIII Pick the number of the sandstorm and that of the rainstorm."""

    verb: ClassVar[str] = "weather"
    sandstorm: int
    rainstorm: int


class Besiege(Action, frozen=True):
    """XIV.B.6 Turn the garrison of Tobruk face down and spread it anew."""

    verb: ClassVar[str] = "redeploy"


class Post(Action, frozen=True):
    """XIV.B.6 Send a unit of the garrison, or a dummy, to a hex of the perimeter."""

    verb: ClassVar[str] = "post"
    unit: UnitId
    hex: Space


class Activate(Action, frozen=True):
    """V.A, V.B Wake an Allied unit."""

    verb: ClassVar[str] = "activate"
    unit: UnitId


class Gallop(Action, frozen=True):
    """XIII.E Abandon the Gazala line."""

    verb: ClassVar[str] = "gallop"


class Arrive(Action, frozen=True):
    """VII.B Bring a reinforcement on at an eastern supply source."""

    verb: ClassVar[str] = "arrive"
    unit: UnitId
    hex: Space


class Airstrike(Action, frozen=True):
    """X.B.1 Send the air unit to attack the units in a hex."""

    verb: ClassVar[str] = "airstrike"
    hex: Space


class Airlift(Action, frozen=True):
    """X.B.2 Send Luftwaffe Afrika to resupply the units in a hex."""

    verb: ClassVar[str] = "airlift"
    hex: Space


class Intercept(Action, frozen=True):
    """X.B.3 Send the air unit against the enemy's."""

    verb: ClassVar[str] = "intercept"


class Loiter(Action, frozen=True):
    """X.B.1 Keep the air unit over its target for the enemy player-turn."""

    verb: ClassVar[str] = "loiter"


class MoveTo(Action, frozen=True):
    """XIII.A Move a unit to a hex by the cheapest way."""

    verb: ClassVar[str] = "move"
    unit: UnitId
    hex: Space


class Route(Action, frozen=True):
    """XIII.D Let the route of a Crusader brigade lead through a hex, before it moves."""

    verb: ClassVar[str] = "route"
    unit: UnitId
    hex: Space


class Truck(Action, frozen=True):
    """XIII.A.2.c Put a walking infantry unit on truck convoys for this turn."""

    verb: ClassVar[str] = "truck"
    unit: UnitId


class Attack(Action, frozen=True):
    """XIV.A Begin an attack on a hex."""

    verb: ClassVar[str] = "attack"
    hex: Space


class Also(Action, frozen=True):
    """XIV.A.4 Attack another hex in the same battle."""

    verb: ClassVar[str] = "also"
    hex: Space


class Join(Action, frozen=True):
    """XIV.B.1 Add a unit to the attack with some or all of its attack factors."""

    verb: ClassVar[str] = "join"
    unit: UnitId
    factors: int


class Cancel(Action, frozen=True):
    """XIV.A.6 Call off an attack before it is resolved."""

    verb: ClassVar[str] = "cancel"


class Resolve(Action, frozen=True):
    """XIV.C Fight the battle."""

    verb: ClassVar[str] = "resolve"


class Stand(Action, frozen=True):
    """XIV.B.5 Order a defending unit not to retreat."""

    verb: ClassVar[str] = "stand"
    unit: UnitId


class Drive(Action, frozen=True):
    """XIV.D.1 Say how many hexes the losing units must retreat."""

    verb: ClassVar[str] = "drive"
    hexes: int


class RetreatTo(Action, frozen=True):
    """XIV.D.2 Retreat a unit one hex."""

    verb: ClassVar[str] = "retreat"
    unit: UnitId
    hex: Space


class Convoy(Action, frozen=True):
    """XV.A.4 Send a truck convoy to a unit beyond its supply line."""

    verb: ClassVar[str] = "convoy"
    unit: UnitId


class Lose(Action, frozen=True):
    """XII.B Give up a unit of a hex that is stacked too high."""

    verb: ClassVar[str] = "lose"
    unit: UnitId


class Done(Action, frozen=True):
    """VI Go on without doing (any more of) this."""

    verb: ClassVar[str] = "done"


ACTIONS: tuple[type[Action], ...] = (
    Place,
    PickWeather,
    Besiege,
    Post,
    Activate,
    Gallop,
    Arrive,
    Airstrike,
    Airlift,
    Intercept,
    Loiter,
    MoveTo,
    Route,
    Truck,
    Attack,
    Also,
    Join,
    Cancel,
    Resolve,
    Stand,
    Drive,
    RetreatTo,
    Convoy,
    Lose,
    Done,
)
