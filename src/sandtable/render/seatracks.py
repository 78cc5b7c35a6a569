"""Tracks that lie on free water: impulses with their chances, and what support is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.kernel.views import Track
from sandtable.render.geometry import number, text
from sandtable.render.markers import PLANE
from sandtable.render.palette import FIGURES, LABELS, NATIONS, Theme
from sandtable.render.spec import MapSpec

GUN = (
    '<path transform="rotate(-28)" d="M-2-1.8H13V1.8H-2zM-10-3.4H0V3.4h-10z"/>'
    '<circle cx="-3" cy="5.5" r="5" fill="none" stroke="{ink}" stroke-width="2.4"/>'
)
SQUARE, APART = 38.0, 43.0


def sea_tracks(spec: MapSpec, theme: Theme, tracks: Sequence[Track]) -> str:
    """What a map leaves room for on its sea; nothing where it leaves none."""
    known = {track.id: track for track in tracks}
    if spec.tracks is None or "impulse" not in known:
        return ""
    x, y, w, _ = spec.tracks
    return _boxes(theme, known["impulse"], x, y, w) + _support(theme, known, x + w, y + 66)


def _heading(theme: Theme, x: float, y: float, words: str, anchor: str = "start") -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-family="{LABELS}" '
        f'font-weight="600" font-size="12" letter-spacing="1" fill="{theme.sea_ink}" '
        f'stroke="{theme.sea_shallow}" stroke-width="3" paint-order="stroke">'
        f"{text(words.upper())}</text>"
    )


def _boxes(theme: Theme, track: Track, x: float, y: float, w: float) -> str:
    """A row of boxes, the present one dark, what is printed below each number in small."""
    most = track.maximum or 1
    step, tall = w / most, 40 if track.notes else 28
    words = f"{track.name}, and {track.noted}" if track.noted else track.name
    out = [_heading(theme, x, y + 9, words)]
    for at in range(1, most + 1):
        now, done = at == track.number, at < (track.number or 0)
        fill, ink = (theme.ink, theme.card) if now else (theme.card, theme.ink)
        left, middle = x + (at - 1) * step, x + (at - 1) * step + (step - 2.6) / 2
        out.append(
            f'<rect x="{number(left)}" y="{number(y + 16)}" width="{number(step - 2.6)}" '
            f'height="{tall}" rx="6" fill="{fill}" stroke="{theme.line2}" stroke-width=".8" '
            f'fill-opacity="{0.55 if done else 0.94}"/>'
            f'<text x="{number(middle)}" y="{number(y + 36)}" text-anchor="middle" '
            f'font-family="{FIGURES}" font-weight="700" font-size="18" fill="{ink}">{at}</text>'
        )
        if at <= len(track.notes):
            out.append(
                f'<text x="{number(middle)}" y="{number(y + 50)}" text-anchor="middle" '
                f'font-family="{FIGURES}" font-weight="500" font-size="12" fill="{ink}">'
                f"{text(track.notes[at - 1])}</text>"
            )
    return "".join(out)


def _support(theme: Theme, known: dict[str, Track], right: float, y: float) -> str:
    """A square for each aircraft and gun of a side, struck out once it is spent."""
    sides = {side: list(_squares(known, side)) for side in ("allied", "axis")}
    wide = sum(len(each) for each in sides.values()) * APART + 18
    x = right - wide
    out = [_heading(theme, x, y + 9, "Support")]
    for side, squares in sides.items():
        look = NATIONS["german" if side == "axis" else "british"]
        for sign, spent in squares:
            inner = f'<path d="{PLANE}"/>' if sign == "air" else GUN.format(ink=look.figures)
            strike = (
                f'<path d="M-15 15 15-15" stroke="{theme.threat}" stroke-width="3"/>'
                if spent
                else ""
            )
            fade = ' opacity=".5"' if spent else ""
            out.append(
                f'<g transform="translate({number(x + SQUARE / 2)} {number(y + 36)})"'
                f'{fade}><rect x="-19" y="-19" width="38" '
                f'height="38" rx="{3 if side == "axis" else 11}" fill="{look.ground}" '
                f'stroke="{look.edge}" stroke-width="1.6"/><g fill="{look.figures}" '
                f'transform="translate(0 -1)">{inner}</g>{strike}</g>'
            )
            x += APART
        x += 18
    return "".join(out)


def _squares(known: dict[str, Track], side: str) -> Iterator[tuple[str, bool]]:
    if side == "allied" and "air" in known:
        yield "air", known["air"].value == "used"
    guns = known.get(f"{side}-artillery")
    for at in range((guns.maximum or 0) if guns else 0):
        yield "gun", at >= ((guns.number or 0) if guns else 0)
