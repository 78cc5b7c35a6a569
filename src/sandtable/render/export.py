"""SVG to PNG and PDF, with the package's own fonts and nothing from the net.

PNG comes from resvg (a small wheel without system libraries), PDF from typst, which uses the same
SVG engine and keeps the drawing as lines and letters; both are optional extras.
"""

from __future__ import annotations

import tempfile
from base64 import b64encode
from functools import cache
from importlib import resources
from pathlib import Path

from sandtable.kernel.errors import BadMessage

FAMILIES = {
    "barlow-condensed": "Barlow Condensed",
    "barlow-semi-condensed": "Barlow Semi Condensed",
    "ibm-plex-mono": "IBM Plex Mono",
    "ibm-plex-sans": "IBM Plex Sans",
    "source-serif-4": "Source Serif 4",
}
ALIASES = {"Barlow Condensed": "Sandtable Figures", "Barlow Semi Condensed": "Sandtable Labels"}
"""typst reads "Condensed" as a width and not as part of a name."""
LARGEST = 12_000


def data_uri(raw: bytes, kind: str = "image/webp") -> str:
    """A picture inside a document."""
    return f"data:{kind};base64,{b64encode(raw).decode()}"


def write(svg: str, to: Path, width: int | None = None) -> None:
    """Save a drawing in the format that the file's name asks for."""
    match to.suffix.lower():
        case ".svg":
            raw = svg.encode()
        case ".png":
            raw = png(svg, width)
        case ".pdf":
            raw = pdf(svg)
        case other:
            raise BadMessage(
                f"cannot write {other or 'a file without ending'}; use .svg, .png or .pdf"
            )
    to.write_bytes(raw)


def png(svg: str, width: int | None = None) -> bytes:
    """A picture, as wide as asked."""
    if width is not None and not 1 <= width <= LARGEST:
        raise BadMessage(f"a picture cannot be {width} pixels wide; use 1 to {LARGEST}")
    try:
        import resvg_py
    except ImportError:
        raise _missing("PNG", "resvg-py") from None
    raw = resvg_py.svg_to_bytes(
        svg_string=_renamed(svg),
        width=width,
        skip_system_fonts=True,
        font_files=[str(f) for f in _fonts()],
    )
    return bytes(raw)


def pdf(svg: str) -> bytes:
    """One page of the drawing's own size."""
    try:
        import typst
    except ImportError:
        raise _missing("PDF", "typst") from None
    with tempfile.TemporaryDirectory() as folder:
        drawing = Path(folder) / "map.svg"
        drawing.write_text(_renamed(svg), encoding="utf-8")
        page = Path(folder) / "map.typ"
        page.write_text(
            '#set page(width: auto, height: auto, margin: 0pt)\n#image("map.svg")\n',
            encoding="utf-8",
        )
        raw = typst.compile(
            str(page),
            root=folder,
            format="pdf",
            font_paths=[str(_fonts()[0].parent)],
            ignore_system_fonts=True,
        )
    assert isinstance(raw, bytes)
    return raw


def _renamed(svg: str) -> str:
    for name, alias in ALIASES.items():
        svg = svg.replace(name, alias)
    return svg


@cache
def _fonts() -> tuple[Path, ...]:
    """The page's fonts unpacked for programs that do not read WOFF2."""
    try:
        from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
    except ImportError:
        raise _missing("PNG and PDF", "fonttools[woff]") from None
    folder = Path(_folder().name)
    for file in sorted(resources.files("sandtable.web.fonts").iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".woff2"):
            continue
        with resources.as_file(file) as source:
            font = TTFont(source)
        font.flavor = None
        face = file.name.split("-latin-")[0]
        # Some files name each weight as a family of its own; a drawing asks for family and weight.
        for record in list(font["name"].names):
            if record.nameID in (1, 16):
                record.string = ALIASES.get(FAMILIES[face], FAMILIES[face])
        font.save(folder / f"{file.name.removesuffix('.woff2')}.ttf")
    return tuple(sorted(folder.glob("*.ttf")))


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="sandtable-fonts-")


def _missing(what: str, package: str) -> BadMessage:
    return BadMessage(f"{what} needs {package}; install it with: pip install 'sandtable[render]'")
