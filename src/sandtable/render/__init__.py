"""Maps, counters and positions as SVG, drawn from a title's own data and the real geography."""

from sandtable.render.board import board_data, board_svg, relief

__all__ = ["board_data", "board_svg", "relief"]
