"""Maps, counters and positions as SVG, drawn from a title's own data and the real geography."""

from sandtable.render.board import board_data, board_svg, relief
from sandtable.render.counters import art_key, counter_svg
from sandtable.render.position import position_svg
from sandtable.render.reading import reading

__all__ = ["art_key", "board_data", "board_svg", "counter_svg", "position_svg", "reading", "relief"]
