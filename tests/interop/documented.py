"""Run the examples of docs/interop.md in the tests of each adapter."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "interop.md"


def run_examples(title: str) -> list[dict[str, Any]]:
    """Run each Python example under a title and return the variables it defines."""
    section = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    [text] = [part for part in section if part.startswith(f"{title}\n")]
    results = []
    for snippet in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        names: dict[str, Any] = {}
        exec(compile(snippet, f"{PAGE.name}, {title}", "exec"), names)
        results.append(names)
    return results
