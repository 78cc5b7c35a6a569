"""Colours and faces: both themes of the map, the nations and the formations."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from sandtable.kernel.errors import BadMessage

ThemeName = Literal["day", "night"]

SERIF = "'Source Serif 4', Georgia, serif"
FIGURES = "'Barlow Condensed', 'Arial Narrow', sans-serif"
LABELS = "'Barlow Semi Condensed', 'Arial Narrow', sans-serif"


class Theme(Struct, frozen=True):
    """The tokens a map is drawn with."""

    name: ThemeName
    ink: str
    ink2: str
    paper: str
    card: str
    well: str
    line: str
    line2: str
    accent: str
    on_accent: str
    legal: str
    glow: str
    threat: str
    supply: str
    ground_low: str
    ground_high: str
    ground_grey: str
    shade: str
    light: str
    sea_shallow: str
    sea_deep: str
    sea_ink: str
    coast: str
    road_case: str
    road: str
    track: str
    scarp: str
    mine: str
    fort: str
    feature: str
    broken: str
    grid: str
    grid_opacity: float
    number: str
    place: str
    halo: str
    border: str
    border_case: str
    held: str
    gold: str
    plain: str
    zone_allied: str
    zone_axis: str


DAY = Theme(
    name="day",
    ink="#2A241C",
    ink2="#574C3C",
    paper="#F6EFE0",
    card="#FFFBF2",
    well="#EDE3CC",
    line="#DCCFB4",
    line2="#B8A684",
    accent="#9A3E15",
    on_accent="#FFFFFF",
    legal="#0B6F7C",
    glow="#12A6B8",
    threat="#B8330F",
    supply="#0A6EA8",
    ground_low="#F2E8D1",
    ground_high="#E2CDA3",
    ground_grey="#D6CAB2",
    shade="#5E4224",
    light="#FFFAEC",
    sea_shallow="#BED3D0",
    sea_deep="#80A6AE",
    sea_ink="#2C5560",
    coast="#3F5F66",
    road_case="#5B3416",
    road="#C9623A",
    track="#6E4A24",
    scarp="#5C4022",
    mine="#8E2A12",
    fort="#241D14",
    feature="#6A4B22",
    broken="#7A5B34",
    grid="#5A4526",
    grid_opacity=0.26,
    number="#6A5534",
    place="#2A2118",
    halo="#F3E8CE",
    border="#4A3416",
    border_case="#FFF8E6",
    held="#D08A1E",
    gold="#F6D79A",
    plain="#EEF0EC",
    zone_allied="#F7EBD0",
    zone_axis="#E2DFD4",
)
NIGHT = Theme(
    name="night",
    ink="#F2E8D2",
    ink2="#CDBFA3",
    paper="#1C1914",
    card="#26221B",
    well="#14120E",
    line="#3B352A",
    line2="#5C5342",
    accent="#F0A060",
    on_accent="#1C1914",
    legal="#4FD0DE",
    glow="#35C6D8",
    threat="#FF7A50",
    supply="#58C7F3",
    ground_low="#3E382E",
    ground_high="#564B38",
    ground_grey="#423E36",
    shade="#0A0704",
    light="#AC9872",
    sea_shallow="#243A40",
    sea_deep="#10222A",
    sea_ink="#8FB9C0",
    coast="#7FA3A8",
    road_case="#17130D",
    road="#D98456",
    track="#C7A877",
    scarp="#D2B98A",
    mine="#CF8B74",
    fort="#F4E9D2",
    feature="#D8BE8C",
    broken="#B89B6B",
    grid="#E8D8B0",
    grid_opacity=0.16,
    number="#D3C29B",
    place="#F7EDD6",
    halo="#2B251B",
    border="#E3CFA2",
    border_case="#17130D",
    held="#E2A23A",
    gold="#6B4F1E",
    plain="#2C2F2E",
    zone_allied="#3A2C1C",
    zone_axis="#262623",
)
THEMES: dict[str, Theme] = {"day": DAY, "night": NIGHT}


class Nation(Struct, frozen=True):
    """Ground, figures and edge of a counter."""

    ground: str
    figures: str
    edge: str


NATIONS = {
    "german": Nation("#626D69", "#FFFFFF", "#333B38"),
    "italian": Nation("#546E40", "#FFFFFF", "#2A3E1F"),
    "british": Nation("#E2C48C", "#2A2118", "#8F6B31"),
    "indian": Nation("#E39B57", "#2A1C0E", "#98561D"),
    "south african": Nation("#D3B1A6", "#2A1C18", "#8E6357"),
    "free french": Nation("#93B7E3", "#14233A", "#4A6E9E"),
    "australian": Nation("#DCD07A", "#2A2612", "#8D8229"),
}
SYMBOL_INK = "#1B1712"
PLAIN_BOX = "#F4F1E6"

# First fit wins, on the formation's name with everything but letters and digits removed.
FORMATIONS = (
    ("21pz", "#F2C94C"),
    ("15pz", "#EF8E7A"),
    ("15schtz", "#D9D4C4"),
    ("90", "#8FC7E8"),
    ("ariete", "#F4F1E6"),
    ("trieste", "#C9B7E8"),
    ("littorio", "#F2B4C8"),
    ("pavia", "#F0D9A8"),
    ("brescia", "#B8DDD0"),
    ("trento", "#E8C0A0"),
    ("sabratha", "#CFCFCF"),
    ("22arm", "#F7DFA0"),
    ("7arm", "#F2B7A0"),
    ("4arm", "#F2B7A0"),
    ("1arm", "#FBF6E8"),
    ("2arm", "#FBF6E8"),
    ("50", "#E8B8B8"),
    ("150", "#E8DDF2"),
    ("69", "#DCCFE8"),
    ("201", "#C8D6F0"),
    ("7mot", "#E8B8B8"),
    ("1atb", "#CFE3C0"),
    ("32atb", "#B8DDD0"),
    ("1sa", "#CFE3C0"),
    ("2sa", "#E8DDF2"),
    ("9ind", "#FFF3D8"),
    ("10ind", "#FBE0C0"),
    ("29ind", "#F4D0B0"),
    ("3ind", "#F7E3B0"),
    ("5ind", "#F7E3B0"),
    ("ff", "#FFFFFF"),
    ("1ff", "#FFFFFF"),
    ("permanent", "#FFFFFF"),
)


def theme_of(name: str) -> Theme:
    """The theme called day or night."""
    if name not in THEMES:
        raise BadMessage(f"no theme is called {name!r}; use {' or '.join(THEMES)}")
    return THEMES[name]


def formation_colour(name: str) -> str:
    """What fills the symbol box of a formation's units."""
    key = "".join(each for each in name.lower() if each.isalnum())
    for start, colour in FORMATIONS:
        if key.startswith(start):
            return colour
    return "#E6DFCC"


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#RRGGBB"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(a: str, b: str, share: float) -> str:
    """A colour on the way from a to b.

    >>> mix("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    parts = (round(x + (y - x) * share) for x, y in zip(rgb(a), rgb(b), strict=True))
    return "#" + "".join(f"{part:02X}" for part in parts)
