"""2.0 The printed facts of the game, loaded from the data files and checked for sense."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.boards import BoardError, mask_of
from sandtable.kernel import packs
from sandtable.kernel.actions import Lexicon, Names, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.cauldron import files
from sandtable.titles.cauldron.printed import (
    ALLIED,
    AXIS,
    SCENARIOS,
    TACTICAL,
    Chit,
    ChitId,
    Formation,
    FormationId,
    Kind,
    Placement,
    ScenarioData,
)
from sandtable.titles.cauldron.terrain import MapFacts


class Data(MapFacts, packs.Data):
    """Everything printed, with ids turned into small numbers."""

    def __init__(self, pack: packs.Pack) -> None:
        self.pack = pack
        self.map = pack.read("map.toml", files.MapFile)
        self.tables = pack.read("tables.toml", files.TablesFile)
        self.read_tables()
        try:
            self.read_map()
        except BoardError as error:
            raise pack.wrong("map.toml", str(error)) from None
        self._read_units(pack.read("units.toml", files.UnitsFile))
        self._read_chits(pack.read("chits.toml", files.ChitsFile))
        board_names = [name or f"?{at}" for at, name in enumerate(self.board.names)]
        super().__init__(
            pack,
            Lexicon(
                {
                    UnitId: Names("unit", [kind.id for kind in self.units]),
                    Space: Names("hex", board_names),
                    FormationId: Names("formation", [each.id for each in self.formations]),
                    ChitId: Names("chit", [each.id for each in self.chits]),
                }
            ),
        )
        try:
            self._read_reinforcements()
            self._read_scenarios()
        except BoardError as error:
            raise pack.wrong("reinforcements.toml or scenarios", str(error)) from None

    # Units and chits.

    def _read_units(self, read: files.UnitsFile) -> None:
        index = {each.id: FormationId(at) for at, each in enumerate(read.formation)}
        members: list[list[UnitId]] = [[] for _ in read.formation]
        kinds: list[Kind] = []
        for entry in read.unit:
            if entry.formation not in index:
                raise self.pack.wrong(
                    "units.toml", f"unit {entry.id} names no formation {entry.formation!r}"
                )
            if not entry.steps:
                raise self.pack.wrong("units.toml", f"unit {entry.id} needs at least one step")
            at = index[entry.formation]
            formation = read.formation[at]
            members[at].append(UnitId(len(kinds)))
            kinds.append(
                Kind(
                    id=entry.id,
                    name=entry.name,
                    long_name=entry.long_name,
                    formation=at,
                    side=formation.side,
                    type=entry.type,
                    movement=entry.movement,
                    steps=entry.steps,
                    bracketed=entry.bracketed,
                    large=formation.large,
                    status=entry.status,
                )
            )
        self.units = tuple(kinds)
        self.unit_index = {kind.id: UnitId(at) for at, kind in enumerate(kinds)}
        self.formation_index = index
        self.formations = tuple(
            Formation(
                each.id,
                each.name,
                each.long_name,
                each.side,
                each.nation,
                each.colour,
                tuple(members[at]),
            )
            for at, each in enumerate(read.formation)
        )
        self.of_side: dict[Side, tuple[UnitId, ...]] = {
            side: tuple(UnitId(at) for at, kind in enumerate(kinds) if kind.side == side)
            for side in (AXIS, ALLIED)
        }
        self.barred_at_first = self._formations(
            ("9-Ind", "69-Inf", "150-Inf", "201-Gd", "1-FF", "Pavia", "Trieste")
        )
        self.once_at_first = self._formations(("15-PZ", "21-PZ"))
        self.no_anti_tank = self._formations(("Pavia", "Brescia", "Trieste"))

    def _formations(self, ids: Sequence[str]) -> frozenset[FormationId]:
        missing = [each for each in ids if each not in self.formation_index]
        if missing:
            raise self.pack.wrong("units.toml", f"formation {missing[0]!r} is missing; add it")
        return frozenset(self.formation_index[each] for each in ids)

    def _read_chits(self, read: files.ChitsFile) -> None:
        chits: list[Chit] = []
        side_of: list[Side] = []
        for each in read.action:
            if len(each.cup) != len(self.tables.turn):
                raise self.pack.wrong(
                    "chits.toml", f"chit {each.id} needs {len(self.tables.turn)} numbers in cup"
                )
            if bool(each.faces) == each.double or max(each.cup) > each.counters:
                raise self.pack.wrong(
                    "chits.toml", f"chit {each.id} needs faces or double, and counters enough"
                )
            for name in (name for face in each.faces for name in face):
                if name not in self.formation_index:
                    raise self.pack.wrong("chits.toml", f"chit {each.id}: no formation {name!r}")
            faces = tuple(tuple(self.formation_index[name] for name in face) for face in each.faces)
            chits.append(Chit(each.id, each.name, faces, each.double, each.cup))
            side_of.append(each.side)
        self.action_chits: dict[Side, tuple[ChitId, ...]] = {
            side: tuple(ChitId(at) for at, owner in enumerate(side_of) if owner == side)
            for side in (AXIS, ALLIED)
        }
        names = {each.type: each.name for each in read.tactical}
        self.tactical: dict[str, ChitId] = {}
        for kind in TACTICAL:
            self.tactical[kind] = ChitId(len(chits))
            chits.append(Chit(kind, names.get(kind, kind), tactical=kind))
        self.tactical_cup: dict[Side, tuple[ChitId, ...]] = {AXIS: (), ALLIED: ()}
        for tactic in read.tactical:
            self.tactical_cup[tactic.side] += (self.tactical[tactic.type],) * tactic.counters
        self.chits = tuple(chits)
        self.chit_index = {each.id: ChitId(at) for at, each in enumerate(chits)}

    # Reinforcements and scenarios.

    def _read_reinforcements(self) -> None:
        read = self.pack.read("reinforcements.toml", files.ReinforcementsFile)
        self.due: dict[UnitId, int] = {}
        self.arrival_hexes: dict[UnitId, int] = {}
        for each in read.arrival:
            units = self._units_of(each.formation, each.units, "reinforcements.toml")
            hexes = self.span(each.hexes)
            for edge in each.edges:
                hexes |= self.edge[edge]
            if not hexes:
                raise self.pack.wrong(
                    "reinforcements.toml", f"{each.formation} has no arrival hexes"
                )
            for unit in units:
                self.due[unit] = each.turn
                self.arrival_hexes[unit] = hexes
        back = {AXIS: self.span(read.returns.axis_hexes), ALLIED: 0}
        for edge in read.returns.allied_edges:
            back[ALLIED] |= self.edge[edge]
        formation_hexes: dict[FormationId, int] = {}
        for unit, hexes in self.arrival_hexes.items():
            formation_hexes[self.units[unit].formation] = hexes
        self.return_hexes: tuple[int, ...] = tuple(
            back[kind.side] | formation_hexes.get(kind.formation, 0) for kind in self.units
        )
        """R33 Where each unit comes back after leaving the map."""

    def _units_of(self, formation: str, ids: Sequence[str], file: str) -> tuple[UnitId, ...]:
        if formation not in self.formation_index:
            raise self.pack.wrong(file, f"no formation is called {formation!r}")
        members = self.formations[self.formation_index[formation]].units
        if not ids:
            return members
        for name in ids:
            if self.unit_index.get(name) not in members:
                raise self.pack.wrong(file, f"{formation} has no unit {name!r}")
        return tuple(self.unit_index[name] for name in ids)

    def _read_scenarios(self) -> None:
        names = [f"scenarios/{each}.toml" for each in SCENARIOS]
        read = [self.pack.read(name, files.ScenarioFile) for name in names]
        if tuple(each.id for each in read) != SCENARIOS:
            raise self.pack.wrong("scenarios", f"the files must keep their ids {SCENARIOS}")
        by_id = {each.id: each for each in read}
        self.scenarios: dict[str, ScenarioData] = {}
        for each in read:
            entries = each.setup
            if each.setup_from:
                if each.setup_from not in by_id:
                    raise self.pack.wrong(
                        f"scenarios/{each.id}.toml", f"no scenario {each.setup_from!r}"
                    )
                entries = by_id[each.setup_from].setup
            if not each.first_turn <= each.last_turn <= len(self.tables.turn):
                raise self.pack.wrong(f"scenarios/{each.id}.toml", "turns are not on the track")
            self.scenarios[each.id] = ScenarioData(
                each,
                tuple(spot for entry in entries for spot in self._placements(each.id, entry)),
                tuple(
                    (self.board.at(name), objective.points)
                    for objective in each.objective
                    for name in objective.hexes
                ),
            )
            self._check_everybody_is_somewhere(each.id)

    def _placements(self, scenario: str, entry: files.SetUpEntry) -> Iterable[Placement]:
        file = f"scenarios/{scenario}.toml"
        if bool(entry.of) == bool(entry.hexes):
            raise self.pack.wrong(file, f"set-up of {entry.formation}: give hexes, or of and range")
        if entry.of:
            # Ruling R24: nobody sets up inside a mined hex, Bir Hacheim excepted.
            hexes = self.board.within(1 << self.board.at(entry.of), entry.range) & ~self.start_boxes
        else:
            hexes = self.span(entry.hexes)
        units = self._units_of(entry.formation, entry.units, file)
        if hexes.bit_count() * entry.stack < len(units):
            raise self.pack.wrong(file, f"set-up of {entry.formation} has too few hexes")
        for unit in units:
            yield Placement(unit, hexes, entry.stack, entry.used)

    @property
    def start_boxes(self) -> int:
        """The mined hexes that are there when the game begins."""
        return mask_of(
            self.board.at(h)
            for each in self.map.minefield
            if each.from_turn == 1
            for h in each.boxes
        )

    def _check_everybody_is_somewhere(self, scenario: str) -> None:
        placed = [spot.unit for spot in self.scenarios[scenario].setup]
        for at, kind in enumerate(self.units):
            count = placed.count(UnitId(at)) + (UnitId(at) in self.due)
            if count != 1:
                raise self.pack.wrong(
                    f"scenarios/{scenario}.toml",
                    f"unit {kind.id} must be set up or arrive exactly once, not {count} times",
                )
