"""3.0, 4.0 The printed facts: Areas and Zones, units, set-up and tables, checked on loading."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from sandtable.boards.areas import AreaBoard
from sandtable.boards.bits import mask_of
from sandtable.boards.paths import BoardError
from sandtable.kernel.actions import Lexicon, Names, Space, UnitId
from sandtable.kernel.packs import Data as BaseData
from sandtable.kernel.packs import Pack, Status
from sandtable.kernel.views import Piece

ALLIED, AXIS, NOBODY = 0, 1, -1
SIDES = ("allied", "axis")
SIDE_NAMES = ("the Allies", "the Axis")

Kind = Literal["infantry", "armor", "at", "armored_car"]
Nation = Literal["british", "indian", "australian", "german", "italian"]
SideName = Literal["allied", "axis"]


class SpaceFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """3.1.1, 3.1.2, 3.1.3, 3.1.5 An Area or Zone with its identifier."""

    id: str
    name: str
    tem: int
    control: SideName
    status: Status
    tem_status: Status
    anchor: tuple[float, float]
    zone: bool = False
    stutzpunkt: bool = False
    vp: int = 0
    polygon: tuple[tuple[float, float], ...] = ()
    note: str = ""


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """The degrees that the Areas fill."""

    north: float
    south: float
    west: float
    east: float


class MapFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of map.toml."""

    frame: Frame
    boundary_status: Status
    open: tuple[tuple[str, str], ...]
    escarpment: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    space: tuple[SpaceFacts, ...]


class UnitFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """4.1, 4.2, 4.3 A counter as printed."""

    id: str
    name: str
    side: SideName
    kind: Kind
    nation: Nation
    cv: tuple[int, int]
    mf: int
    formation: str
    size: str
    status: Status
    values: Status
    note: str = ""

    @property
    def armored(self) -> bool:
        """4.2 Tanks and armored cars are armor."""
        return self.kind in ("armor", "armored_car")


class UnitsFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of units.toml."""

    unit: tuple[UnitFacts, ...]


class TablesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """3.2, 3.3, 3.4 The tracks and the support markers, from tables.toml."""

    status: Status
    days: tuple[str, ...]
    impulses: int
    impulses_status: Status
    stacking: int
    allied_artillery: int
    axis_artillery: int


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """Units that start in a space."""

    space: str
    units: tuple[str, ...]


class Free(Struct, frozen=True, forbid_unknown_fields=True):
    """Units that the owner places."""

    units: tuple[str, ...]
    spaces: tuple[str, ...]
    historical: tuple[str, ...]


class Consolidated(Struct, frozen=True, forbid_unknown_fields=True):
    """19.3 What the consolidated 4th Royal Tank Regiment replaces."""

    remove: tuple[str, ...]
    add: str
    spaces: tuple[str, ...]


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a file in scenarios/."""

    name: str
    text: str
    setup: tuple[Setup, ...]
    free: tuple[Free, ...]
    consolidated_4rtr: Consolidated


class Data(BaseData):
    """Everything printed, ready for quick questions."""

    def __init__(self, pack: Pack) -> None:
        self.map = pack.read("map.toml", MapFile)
        self.unit_facts = pack.read("units.toml", UnitsFile).unit
        self.tables = pack.read("tables.toml", TablesFile)
        self.scenario = pack.read("scenarios/june.toml", ScenarioFile)
        self.spaces = self.map.space
        lexicon = Lexicon(
            {
                UnitId: Names("unit", [unit.id for unit in self.unit_facts]),
                Space: Names("Area or Zone", [space.id for space in self.spaces]),
            }
        )
        super().__init__(pack, lexicon)
        self.pieces: dict[tuple[object, ...], Piece] = {}
        """Counters as players have seen them, so that each look is made once."""
        self._check(pack)
        self.board = _board(pack, self.map)
        self.near = self.board.exits({"open", "link"})
        """For each space, the set of spaces a unit could move to directly (3.1)."""
        self.beyond_scarp = self.board.exits({"escarpment"})
        self.zones = sum(1 << at for at, space in enumerate(self.spaces) if space.zone)
        self.areas = self.board.all & ~self.zones
        self.sources = tuple(
            sum(
                1 << at
                for at, space in enumerate(self.spaces)
                if space.zone and space.control == side
            )
            for side in SIDES
        )
        """14.2 Red letters serve the Allies, black letters the Axis."""
        self.frontier_zones = self.mask("A", "B", "C", "D")
        self.western_zones = self.mask("E", "F", "G")
        self.tobruk = self.space("H")
        self.buq_buq = self.space("A")
        self.halfaya = self.space("6")
        self.musaid = self.space("17")
        self.panzer_area = self.space("18")
        self.side_of = tuple(SIDES.index(unit.side) for unit in self.unit_facts)
        self.german = tuple(unit.nation == "german" for unit in self.unit_facts)
        self.garrison = frozenset(
            self.unit(name)
            for group in self.scenario.setup
            if group.space == "H"
            for name in group.units
            if self.side_of[self.unit(name)] == ALLIED
        )
        """13.3.3 The Allied units that set up in Zone H."""
        self.divisions = tuple(
            frozenset(
                UnitId(at) for at, unit in enumerate(self.unit_facts) if unit.formation == name
            )
            for name in ("15th Panzer Division", "5th Light Division")
        )
        """16.0 The units held back on June 15."""

    def unit(self, name: str) -> UnitId:
        """The number of a unit."""
        return UnitId(self.lexicon.units().find(name))

    def space(self, name: str) -> Space:
        """The number of an Area or Zone."""
        return Space(self.lexicon.spaces().find(name))

    def mask(self, *names: str) -> int:
        """The set of some spaces."""
        return mask_of(self.space(name) for name in names)

    def called(self, space: Space) -> str:
        """How a space is spoken of: "Halfaya Pass (6)"."""
        facts = self.spaces[space]
        return f"{facts.name} ({facts.id})"

    def _check(self, pack: Pack) -> None:
        for space in self.spaces:
            if not 0 <= space.tem <= 9 or not 0 <= space.vp <= 9:
                raise pack.wrong("map.toml", f"space {space.id}: tem and vp must be 0 to 9")
        for name in "A B C D E F G H 6 17 18".split():
            if name not in self.lexicon.spaces().index:
                raise pack.wrong("map.toml", f"space {name} is missing; the rules name it")
        for unit in self.unit_facts:
            if not all(0 <= value <= 20 for value in (*unit.cv, unit.mf)):
                raise pack.wrong("units.toml", f"unit {unit.id}: cv and mf must be 0 to 20")
        placed: list[str] = []
        for group in self.scenario.setup:
            self._known(pack, group.units, (group.space,))
            placed += group.units
        for free in self.scenario.free:
            self._known(pack, free.units, (*free.spaces, *free.historical))
            placed += free.units
            if not free.spaces or len(free.historical) != len(free.units):
                raise pack.wrong(
                    "scenarios/june.toml",
                    "free units need spaces, and one historical space for each of them",
                )
        option = self.scenario.consolidated_4rtr
        self._known(pack, (*option.remove, option.add), option.spaces)
        twice = {name for name in placed if placed.count(name) > 1}
        if twice:
            raise pack.wrong("scenarios/june.toml", f"{min(twice)} is placed twice; keep one")
        missing = {unit.id for unit in self.unit_facts} - {*placed, option.add}
        if missing:
            raise pack.wrong("scenarios/june.toml", f"{min(missing)} is not placed anywhere")
        if not 1 <= self.tables.impulses <= 20 or len(self.tables.days) < 4:
            raise pack.wrong("tables.toml", "needs 1 to 20 impulses and at least four days")

    def _known(self, pack: Pack, units: tuple[str, ...], spaces: tuple[str, ...]) -> None:
        for name in units:
            if name not in self.lexicon.units().index:
                raise pack.wrong("scenarios/june.toml", f"no unit is called {name!r}")
        for name in spaces:
            if name not in self.lexicon.spaces().index:
                raise pack.wrong("scenarios/june.toml", f"no Area or Zone is called {name!r}")


def _board(pack: Pack, file: MapFile) -> AreaBoard:
    """3.1, 3.1.4 Who touches whom, and across what."""
    boundaries = [
        (a, b, kind)
        for kind, pairs in (
            ("open", file.open),
            ("escarpment", file.escarpment),
            ("link", file.links),
        )
        for a, b in pairs
    ]
    try:
        return AreaBoard([space.id for space in file.space], boundaries)
    except BoardError as error:
        raise pack.wrong("map.toml", str(error)) from None
