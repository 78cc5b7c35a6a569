"""Signs for states, each with a shape of its own, so that colour only helps."""

from __future__ import annotations

from math import cos, pi, sin

from sandtable.render.palette import FIGURES


def _star(points: int, outer: float, inner: float) -> str:
    return " ".join(
        f"{(inner if at % 2 else outer) * cos(at * pi / points - 0.2):.1f},"
        f"{(inner if at % 2 else outer) * sin(at * pi / points - 0.2):.1f}"
        for at in range(2 * points)
    )


_HALO = 'stroke="#fff" stroke-width="2.4" paint-order="stroke"'
_LINE = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
_LETTER = (
    f'text-anchor="middle" font-family="{FIGURES}" font-weight="800" font-size="17" fill="#fff"'
)

BADGES = {
    # A star with D.
    "disrupted": f'<polygon points="{_star(8, 15.5, 11.2)}" fill="#8E2A12" {_HALO}/>'
    f'<text y="6" {_LETTER}>D</text>',
    # A struck can on an amber square.
    "out of supply": f'<rect x="-14" y="-14" width="28" height="28" rx="5" fill="#F4B63F" {_HALO}/>'
    f'<path d="M-6-6.5h7l4 4V9h-11zM-4-6.5v-3h4v3" {_LINE} stroke="#2A1C08" stroke-width="2.2"/>'
    '<path d="M-10 10.5 10-10.5" stroke="#2A1C08" stroke-width="2.6"/>',
    # A broken chain on a black diamond.
    "isolated": '<rect x="-12.5" y="-12.5" width="25" height="25" transform="rotate(45)" '
    f'fill="#1B1712" {_HALO}/><path transform="rotate(-35)" d="M-3-4h-4.5a4 4 0 0 0 0 8H-3M3-4h4.5'
    f'a4 4 0 0 1 0 8H3" {_LINE} stroke="#F4B63F" stroke-width="2.6"/>',
    # A struck aerial on a white disc.
    "out of command": '<circle r="14" fill="#fff" stroke="#1B1712" stroke-width="2"/>'
    '<path d="M0 9V-3M-4 9h8M-3.5-6.5a5 5 0 0 1 7 0M-6.5-9.5a9.2 9.2 0 0 1 13 0" '
    f'{_LINE} stroke="#1B1712" stroke-width="2"/>'
    '<path d="M-9.5 9.5 9.5-9.5" stroke="#B8330F" stroke-width="2.6"/>',
    # A lock.
    "held": f'<circle r="13" fill="#574C3C" {_HALO}/><path d="M-5-1v-3a5 5 0 0 1 10 0v3" '
    'fill="none" stroke="#fff" stroke-width="2.2"/>'
    '<rect x="-7" y="-1.5" width="14" height="9.5" rx="1.5" fill="#fff"/>',
    # An arrow.
    "schwerpunkt": f'<path d="M0-14 14 0H6v13H-6V0h-8z" fill="#1B1712" {_HALO}/>',
    # Two wheels below a lorry.
    "trucked": f'<path d="M-14-7H4v4h6l4 5v5h-28z" fill="#574C3C" {_HALO}/>'
    '<circle cx="-7" cy="8" r="4" fill="#574C3C" stroke="#fff" stroke-width="2"/>'
    '<circle cx="7" cy="8" r="4" fill="#574C3C" stroke="#fff" stroke-width="2"/>',
    # Two chevrons, hurrying.
    "galloping": f'<rect x="-14" y="-11" width="28" height="22" rx="11" fill="#0A6EA8" {_HALO}/>'
    f'<path d="M-6-5l5 5-5 5M2-5l5 5-5 5" {_LINE} stroke="#fff" stroke-width="2.8"/>',
    # A gap between two brackets.
    "breaching": f'<rect x="-14" y="-12" width="28" height="24" rx="3" fill="#FFF6DC" {_HALO}/>'
    f'<path d="M-5-8h-5V8h5M5-8h5V8H5" {_LINE} stroke="#8E2A12" stroke-width="2.6"/>',
    # A closed eye: the enemy cannot see what this is.
    "hidden": f'<circle r="13" fill="#1B1712" {_HALO}/>'
    f'<path d="M-8-2q8 8 16 0M-5 2l-2 4M0 3.5V8M5 2l2 4" {_LINE} stroke="#fff" stroke-width="2"/>',
    # An empty can in outline: nothing left for an emergency.
    "emergency spent": f'<circle r="13" fill="#FFF6DC" {_HALO}/>'
    f'<path d="M-5-6h6l4 4v9H-5zM-3-6v-3h3v3" {_LINE} stroke="#574C3C" stroke-width="2"/>',
    # One stroke for each action taken.
    "one action": f'<circle r="12" fill="#FFF6DC" {_HALO}/>'
    f'<path d="M0-6V6" {_LINE} stroke="#1B1712" stroke-width="3"/>',
    "two actions": f'<circle r="12" fill="#FFF6DC" {_HALO}/>'
    f'<path d="M-3.5-6V6M3.5-6V6" {_LINE} stroke="#1B1712" stroke-width="3"/>',
}
"""Drawn in the order of this table, at most three on a counter."""

WORDS = {
    "disrupted": "disrupted",
    "out of supply": "out of supply",
    "isolated": "isolated",
    "out of command": "out of command",
    "held": "held",
    "held back": "held",
    "not activated": "held",
    "schwerpunkt": "schwerpunkt",
    "trucked": "trucked",
    "galloping": "galloping",
    "breaching": "breaching",
    "face down": "hidden",
    "emergency supply spent": "emergency spent",
    "act-1": "one action",
    "act-2": "two actions",
}
"""What titles call a state, and the sign it gets."""

PLACES = ((93, 47), (7, 47), (93, 4))


def badge(name: str, x: float, y: float, size: float = 17) -> str:
    """A sign at a point."""
    return f'<g transform="translate({x:g} {y:g}) scale({size / 15:.3f})">{BADGES[name]}</g>'


def badges(states: tuple[str, ...]) -> str:
    """The signs of a counter: right, then left, at mid-height, never over figures."""
    wanted = {WORDS[state] for state in states if state in WORDS}
    shown = [name for name in BADGES if name in wanted]
    turned = {"used", "no-act", "attacked", "moved"} & set(states)
    places = PLACES[:2] if turned else PLACES
    return "".join(badge(name, *place) for name, place in zip(shown, places, strict=False))
