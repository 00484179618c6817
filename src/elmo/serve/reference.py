"""The page ``/docs``: every route with its fields and an example, from the OpenAPI schema, as HTML without scripts."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

Schema = Mapping[str, Any]

STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 2rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }
h2 { margin-top: 2.5rem; border-top: 1px solid GrayText; padding-top: 1rem; }
code, pre { font-family: ui-monospace, monospace; }
pre { padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid GrayText; border-radius: 6px; }
table { border-collapse: collapse; width: 100%; overflow-wrap: anywhere; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid GrayText; }
"""
HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
}
"""The page loads nothing, and nothing on it can run."""


def reference_page(openapi: Schema, address: str) -> str:
    """Return the page for a schema; ``address`` is where the examples find the server."""
    schemas = openapi["components"]["schemas"]
    routes = [
        (method, path, operation)
        for path, operations in openapi["paths"].items()
        for method, operation in operations.items()
    ]
    body = [f"<h1>{escape(openapi['info']['title'])} {escape(openapi['info']['version'])}</h1>"]
    body += [f"<p>{escape(openapi['info']['summary'])}</p>", '<p>The schema of all routes: <a href="openapi.json">']
    body += ["openapi.json</a>.</p>", "<ul>"]
    for method, path, operation in routes:
        link = f'<a href="#{operation["operationId"]}"><code>{method.upper()} {escape(path)}</code></a>'
        body.append(f"<li>{link}: {_text(operation['summary'])}</li>")
    body.append("</ul>")
    for method, path, operation in routes:
        body += _route(method, path, operation, schemas, address)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
    title = f"<title>{escape(openapi['info']['title'])} API</title>"
    return f'<!doctype html><html lang="en"><head>{head}{title}</head><body>{"".join(body)}</body></html>'


def _route(method: str, path: str, operation: Schema, schemas: Schema, address: str) -> Iterator[str]:
    """Describe a route: what it does, how to call it, the fields of its body, and its errors."""
    yield f'<h2 id="{operation["operationId"]}"><code>{method.upper()} {escape(path)}</code></h2>'
    yield from (f"<p>{_text(paragraph)}</p>" for paragraph in operation["description"].split("\n\n"))
    key = " \\\n    -H 'Authorization: Bearer KEY'" if "security" in operation else ""
    command = f"curl {address}{path}{key}"
    if "requestBody" in operation:
        schema = _resolve(operation["requestBody"]["content"]["application/json"]["schema"], schemas)
        example = json.dumps(schema["examples"][0], ensure_ascii=False)
        command += f" \\\n    -H 'Content-Type: application/json' \\\n    -d '{example}'"
        yield f"<pre>{escape(command)}</pre><table><tr><th>field<th>type<th>description"
        for name, field in schema["properties"].items():
            default = f" Default: <code>{escape(json.dumps(field['default']))}</code>." if field.get("default") else ""
            required = " Required." if name in schema.get("required", ()) else ""
            description = f"{_text(field.get('description', ''))}{required}{default}"
            yield f"<tr><td><code>{escape(name)}</code><td>{escape(_type(field, schemas))}<td>{description}"
        yield "</table>"
    else:
        yield f"<pre>{escape(command)}</pre>"
    errors = {status: answer for status, answer in operation["responses"].items() if status >= "4"}
    if errors:
        yield "<details><summary>Errors</summary><ul>"
        yield from (f"<li>{status}: {_text(answer['description'])}</li>" for status, answer in errors.items())
        yield "</ul></details>"


def _text(text: str) -> str:
    """Return a line of Markdown as HTML; only code is marked up."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _resolve(schema: Schema, schemas: Schema) -> Schema:
    """Follow a reference to a named schema."""
    return schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _type(schema: Schema, schemas: Schema) -> str:
    """Describe a type in a few words."""
    schema = _resolve(schema, schemas)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(part, schemas) for part in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return " or ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of ({_type(schema['items'], schemas)})"
    return str(schema.get("type", "any"))
