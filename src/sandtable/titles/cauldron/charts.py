"""8.0, 11.0 The player chart: movement costs, attack costs and the combat results table."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from sandtable.kernel import packs
from sandtable.titles.cauldron import files
from sandtable.titles.cauldron.printed import CLASSES, INTENSITIES, Cell, Result


class Charts:
    """What tables.toml says, ready for use."""

    pack: packs.Pack
    tables: files.TablesFile

    def read_tables(self) -> None:
        """8.0, 11.0 The movement and attack costs, scaled to whole numbers, and the CRT."""
        movement = self.tables.movement
        costs = {
            (ground, name): self._fraction(getattr(getattr(movement, ground), name))
            for ground in ("desert", "ridge", "track", "road")
            for name in CLASSES
        }
        self.scale = scale = lcm(*(each.denominator for each in costs.values()))
        whole = {key: int(each * scale) for key, each in costs.items()}
        self.points = whole
        self.way_cost = {
            name: {kind: whole[kind, name] for kind in ("track", "road")} for name in CLASSES
        }
        self.leave_zoc = movement.extra.leave_zoc * scale
        self.mine_cost = movement.extra.allied_minefield * scale
        attack = self.tables.attack
        self.attack_cost = {
            (level, name): getattr(getattr(attack, level), name) * scale
            for level in INTENSITIES
            for name in CLASSES
        }
        self.attack_modifier = {level: getattr(attack, level).modifier for level in INTENSITIES}
        crt = self.tables.crt
        self.columns = tuple(self._odds(each) for each in crt.columns)
        if list(self.columns) != sorted(self.columns):
            raise self.pack.wrong("tables.toml", "crt columns must rise from left to right")
        if len(crt.rows) != 11 or any(len(row) != len(crt.columns) for row in crt.rows):
            raise self.pack.wrong(
                "tables.toml", f"crt needs 11 rows of {len(crt.columns)} cells, one a column"
            )
        self.crt = tuple(tuple(self._cell(text) for text in row) for row in crt.rows)
        self.turn_names = tuple(each.name for each in self.tables.turn)

    def _fraction(self, points: files.Points) -> Fraction:
        try:
            found = Fraction(points)
        except (ValueError, ZeroDivisionError):
            found = Fraction(0)
        if not 0 < found <= 99:
            raise self.pack.wrong(
                "tables.toml", f"movement cost {points!r} is no number of points such as 2 or '1/2'"
            )
        return found

    def show_points(self, scaled: int) -> str:
        """Movement points as a player counts them."""
        whole, part = divmod(scaled, self.scale)
        if not part:
            return str(whole)
        return f"{whole or ''} {Fraction(part, self.scale)}".strip()

    def points_left(self, scaled: int) -> str:
        """The same with the noun."""
        one = scaled == self.scale
        return f"{self.show_points(scaled)} movement {'point' if one else 'points'} left"

    def _odds(self, text: str) -> Fraction:
        a, _, b = text.partition("-")
        if not (a.isdigit() and b.isdigit() and int(a) and int(b)):
            raise self.pack.wrong("tables.toml", f"crt column {text!r} is no odds such as 2-1")
        return Fraction(int(a), int(b))

    def _cell(self, text: str) -> Cell:
        attacker, slash, defender = text.partition("/")
        if not slash:
            raise self.pack.wrong("tables.toml", f"crt cell {text!r} has no '/'")
        return Cell(text, self._result(attacker, text), self._result(defender, text))

    def _result(self, half: str, text: str) -> Result:
        rest = half.lstrip("*")
        if rest not in ("", "-", "D", "R", "DR") or (rest == "-" and half != "-"):
            raise self.pack.wrong("tables.toml", f"crt cell {text!r}: use *, D, R or -")
        return Result(half.count("*"), "D" in rest, "R" in rest)
