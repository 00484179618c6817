"""Trained task models: ``elmo.load_task(NAME)`` finds them here."""

from pathlib import Path

SQUAD = Path(__file__).parent / "squad"
SNLI = Path(__file__).parent / "snli"
SRL = Path(__file__).parent / "srl"
COREF = Path(__file__).parent / "coref"
NER = Path(__file__).parent / "ner"
SST = Path(__file__).parent / "sst"
