import importlib.util
import re
import sys
from pathlib import Path

import pytest

import elmo

FOLDER = Path(elmo.__file__).parent / "interop"


@pytest.mark.parametrize(
    ("adapter", "library", "extra"),
    [
        ("sklearn", "sklearn.base", "sklearn"),
        ("sentence_transformers", "sentence_transformers.base.modules", "sentence-transformers"),
        ("flair", "flair", "flair"),
        ("onnx", "onnx", "onnx"),
        ("spacy", "srsly", "spacy"),
        ("transformers", "transformers", "transformers"),
    ],
)
def test_a_missing_library_names_its_extra(
    adapter: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    spec = importlib.util.spec_from_file_location("fresh", FOLDER / f"{adapter}.py")
    with pytest.raises(ImportError, match=re.escape(f"pip install 'elmo-torch[{extra}]'")):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
