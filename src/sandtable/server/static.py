"""The page's files, from memory, with a tag that changes with their content."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from importlib import resources
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
}
PLACEHOLDER = b"<!doctype html><title>Sandtable</title><p>The page is not installed; use /api.\n"


class File(Struct, frozen=True):
    """A file as it is sent."""

    content: bytes
    packed: bytes | None
    tag: str
    kind: str
    changed: float


class Static:
    """Serves a folder; reads a file again when it has changed."""

    def __init__(self, folder: str = "") -> None:
        top = Path(folder) if folder else Path(str(resources.files("sandtable"))) / "web"
        self.top = top.resolve()
        self._files: dict[str, File] = {}

    def page(self, request: Request) -> Response:
        """The page itself."""
        return self._send(request, "index.html") or Response(PLACEHOLDER, media_type="text/html")

    def file(self, request: Request) -> Response:
        """A file below /static/."""
        found = self._send(request, request.path_params["path"])
        return found or Response(
            '{"error":"no such file","rule":null}', 404, media_type="application/json"
        )

    def _send(self, request: Request, name: str) -> Response | None:
        file = self._read(name)
        if file is None:
            return None
        versioned = bool(request.query_params.get("v"))
        caching = "public, max-age=31536000, immutable" if versioned else "no-cache"
        headers = {"ETag": file.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        headers["Content-Type"] = file.kind
        if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.packed, headers=headers | {"Content-Encoding": "gzip"})
        return Response(file.content, headers=headers)

    def _read(self, name: str) -> File | None:
        if "\0" in name or len(name) > 300:
            return None
        path = (self.top / name).resolve()
        if not path.is_relative_to(self.top) or not path.is_file():
            return None
        changed = path.stat().st_mtime
        known = self._files.get(name)
        if known is not None and known.changed == changed:
            return known
        content = path.read_bytes()
        kind = KINDS.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        squeeze = kind.startswith(("text/", "image/svg", "application/")) and len(content) > 500
        file = File(
            content,
            gzip.compress(content, 6) if squeeze else None,
            f'"{hashlib.sha256(content).hexdigest()[:20]}"',
            kind,
            changed,
        )
        self._files[name] = file
        return file
