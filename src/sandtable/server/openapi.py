"""The HTTP interface as an OpenAPI description, made from the table of endpoints."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

import sandtable
from sandtable.server.api.asking import Endpoint

ERROR = {
    "type": "object",
    "required": ["error", "rule"],
    "properties": {"error": {"type": "string"}, "rule": {"type": ["string", "null"]}},
}
PATTERNS = {
    "game": "^[A-Za-z0-9_-]{1,40}$",
    "title": "^[a-z]{1,40}$",
    "key": "^[A-Za-z0-9_.-]{1,80}$",
}
NUMBERS = ("at", "since")


def describe(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The whole description."""
    endpoints = list(endpoints)
    bodies = [each.body for each in endpoints if each.body not in (None, str)]
    _, components = msgspec.json.schema_components(
        bodies, ref_template="#/components/schemas/{name}"
    )
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sandtable",
            "version": sandtable.__version__,
            "description": "Board wargames on the desert war. See docs/server.md for websockets.",
        },
        "paths": paths,
        "components": {
            "schemas": {**components, "Error": ERROR},
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "description": "A seat's token."}
            },
        },
    }


def _operation(each: Endpoint) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": PATTERNS[name]},
        }
        for name in re.findall(r"{(\w+)}", each.path)
    ]
    for name in each.query:
        schema: dict[str, Any] = {"type": "string", "maxLength": 100}
        if name in NUMBERS:
            schema = {"type": "integer", "minimum": 0, "maximum": 10**8}
        elif name == "theme":
            schema = {"type": "string", "enum": ["day", "night"]}
        parameters.append({"name": name, "in": "query", "schema": schema})
    content: dict[str, Any] = {
        "schema": {} if each.returns == "application/json" else {"type": "string"}
    }
    operation: dict[str, Any] = {
        "operationId": each.name,
        "summary": each.text,
        "parameters": parameters,
        "responses": {
            "200": {"description": "Done.", "content": {each.returns: content}},
            "default": {
                "description": "One line: what, where, what to do.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    }
    if each.seat:
        operation["security"] = [{}, {"seat": []}]
    if each.body is str:
        text = {"text/plain": {"schema": {"type": "string"}}}
        operation["requestBody"] = {"required": True, "content": text}
    elif each.body is not None:
        reference = {"$ref": f"#/components/schemas/{each.body.__name__}"}
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": reference}},
        }
    return operation
