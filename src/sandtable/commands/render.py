"""`sandtable render`: a position as a picture."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from sandtable.commands import add_game, whole_number
from sandtable.commands.show import game_of
from sandtable.kernel.errors import BadMessage
from sandtable.render.export import write
from sandtable.render.palette import THEMES
from sandtable.render.position import position_svg


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("what", help="a title, or a .sand record")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help=".svg, .png or .pdf")
    parser.add_argument("--position", metavar="FILE", help="a position of the title, as TOML")
    parser.add_argument("--at", type=whole_number(0), help="after this many lines of the record")
    parser.add_argument("--side", help="as this side sees it; a spectator if not given")
    parser.add_argument("--theme", choices=tuple(THEMES), default="day", help="colours")
    parser.add_argument("--width", type=whole_number(1), help="of a PNG, in pixels")
    parser.add_argument(
        "--overlay", action="append", default=[], metavar="ID", help="supply, zones and the like"
    )
    parser.add_argument("--no-caption", action="store_true", help="the map alone")
    add_game(parser)


def run(args: Namespace) -> int:
    """Draw the position."""
    game = game_of(args)
    if args.side is not None and args.side not in game.title.sides:
        known = " or ".join(game.title.sides)
        raise BadMessage(f"no side is called {args.side!r}; use {known}")
    drawing = position_svg(
        game, args.side, args.theme, overlays=args.overlay, caption=not args.no_caption
    )
    write(drawing, Path(args.output), args.width)
    print(args.output)
    return 0
