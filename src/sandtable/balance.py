"""A match as a page to read: tables in Markdown and a picture drawn by hand in SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from statistics import median
from urllib.parse import quote

import sandtable
from sandtable.match import Pairing, Result, Share, by_code, shares

WIDTH, BAR, LEFT, TOP = 720, 26, 220, 40
"""The picture: its width, the height of a row, the room for names, the room for the heading."""
INK, FILL, LINE, FAINT = "#3b3428", "#b8894a", "#7a2f22", "#e6dcc6"


def report(pairing: Pairing, results: Sequence[Result], command: str, picture: str) -> str:
    """A balance report: who wins how often, by how much, and how to get the same again."""
    title = sandtable.title(pairing.title)
    options = ", ".join(f"{name}={value}" for name, value in pairing.options.items()) or "none"
    scenario = next(each for each in title.scenarios if each.id == pairing.scenario)
    par = ""
    if pairing.par:
        side, points_ = pairing.par
        par = f" Handicap: {title.side_names[side]} needs more than {points_} points."
    lines = [
        f"# {title.name}: {scenario.name}",
        "",
        f"{by_code(pairing.a, pairing.code)} against {by_code(pairing.b, pairing.commit)}, "
        f"{len(results)} games in pairs with the sides swapped. "
        f"Options: {options}.{par}",
        "",
        f"    {command}",
        "",
        f"![Shares and scores]({quote(picture)})",
        "",
        "| | wins | draws | losses | share | 95 % interval |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
        *(_row(share) for share in shares(pairing, list(results))),
        "",
        "| Ending | games |",
        "| --- | ---: |",
    ]
    ends = Counter((each.winner, each.level) for each in results)
    for (winner, level), number in ends.most_common():
        who = title.side_names[winner] if winner else "draw"
        lines.append(f"| {who}, {level} | {number} |")
    points = sorted(each.points for each in results)
    lengths = sorted(each.decisions for each in results)
    lines += [
        "",
        f"Final score (sum of its lines): {points[0]} to {points[-1]}, "
        f"median {median(points):g}. "
        f"Decisions a game: {lengths[0]} to {lengths[-1]}, median {median(lengths):g}.",
        "",
    ]
    return "\n".join(lines)


def _row(share: Share) -> str:
    low, high = share.interval
    return (
        f"| {share.name} | {share.wins} | {share.draws} | {share.losses} "
        f"| {share.points:.1%} | {low:.1%} to {high:.1%} |"
    )


def chart(pairing: Pairing, results: Sequence[Result]) -> str:
    """Shares with their intervals, and how often each final score came up."""
    title = sandtable.title(pairing.title)
    rows = list(shares(pairing, list(results)))
    scores = Counter(each.points for each in results)
    low, high = min(scores), max(scores)
    step = max(1, -(-(high - low + 1) // 40))
    bins = Counter((score - low) // step for score in scores.elements())
    top = TOP + BAR * len(rows) + 50
    height = top + 160
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fbf7ee"/>',
        f'<text x="12" y="24" font-size="15">{escape(title.name)}, {escape(pairing.scenario)}: '
        f"{escape(pairing.a)} against {escape(pairing.b)}, {len(results)} games</text>",
    ]
    scale = WIDTH - LEFT - 80
    for at, share in enumerate(rows):
        y = TOP + BAR * at
        first, last = (LEFT + scale * each for each in share.interval)
        parts += [
            f'<text x="12" y="{y + 17}">{escape(share.name)}</text>',
            f'<rect x="{LEFT}" y="{y + 5}" width="{scale}" height="16" fill="{FAINT}"/>',
            f'<rect x="{LEFT}" y="{y + 5}" width="{scale * share.points:.1f}" height="16" '
            f'fill="{FILL}"/>',
            f'<line x1="{first:.1f}" x2="{last:.1f}" y1="{y + 13}" y2="{y + 13}" '
            f'stroke="{LINE}" stroke-width="2"/>',
            f'<text x="{LEFT + scale + 10}" y="{y + 17}">{share.points:.1%}</text>',
        ]
    half = LEFT + scale / 2
    parts.append(
        f'<line x1="{half}" x2="{half}" y1="{TOP}" y2="{TOP + BAR * len(rows)}" '
        f'stroke="{INK}" stroke-dasharray="3 3"/>'
    )
    parts.append(f'<text x="12" y="{top - 12}">Final scores</text>')
    wide = (WIDTH - 60) / (max(bins) + 1)
    most = max(bins.values())
    for at, number in sorted(bins.items()):
        tall = 110 * number / most
        parts.append(
            f'<rect x="{30 + wide * at:.1f}" y="{top + 115 - tall:.1f}" '
            f'width="{max(1.0, wide - 2):.1f}" height="{tall:.1f}" fill="{FILL}">'
            f"<title>{low + step * at}: {number}</title></rect>"
        )
    parts += [
        f'<text x="30" y="{top + 135}">{low}</text>',
        f'<text x="{WIDTH - 30}" y="{top + 135}" text-anchor="end">{high}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"
