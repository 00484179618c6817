"""Split corpora and models into small compressed files, to copy them to another machine, and join them there.

Usage:
python dev/move.py pack-corpus CORPUS PARTS --pieces 4      about 1.3 bytes per word, then compressed with xz
python dev/move.py unpack-corpus PARTS CORPUS
python dev/move.py pack-model RUN PARTS [--part K --of N]   weights in float16, files of 15 MB
python dev/move.py unpack-model PARTS VOCABULARY FOLDER     VOCABULARY is types.txt of the corpus
"""

import argparse
import json
import lzma
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

SMALL_FILES = ("types.txt", "counts.npy", "heldout.ids.npy", "heldout.offsets.npy", "corpus.json")
RUN_FILES = ("config.json", "run.json", "README.md", "log.jsonl", "curve.png")
TWO_BYTES_FROM, THREE_BYTES_FROM = 144, 192
"""First bytes from which on one or two more bytes follow; smaller ones are the id itself."""
ONE_BYTE = TWO_BYTES_FROM
TWO_BYTES = ONE_BYTE + (THREE_BYTES_FROM - TWO_BYTES_FROM) * 256
THREE_BYTES = TWO_BYTES + (256 - THREE_BYTES_FROM) * 65536
"""Ids below these limits take one, two and three bytes."""


def pack_corpus(args: argparse.Namespace) -> None:
    """Encode word ids with one to three bytes, and compress the first, second and third bytes separately.

    Frequent words have small ids, so most words take one byte. Repetitions of a text are left out.
    """
    args.parts.mkdir(parents=True, exist_ok=True)
    for name in SMALL_FILES:
        _write(args.parts / name, (args.corpus / name).read_bytes())
    offsets = np.load(args.corpus / "train.offsets.npy")
    first_pass = len(offsets) - 1 - sum(end - start for start, end in _repeated(args.corpus))
    _write(args.parts / "lengths", np.diff(offsets[: first_pass + 1]).astype("<u4").tobytes())
    ids = np.load(args.corpus / "train.ids.npy", mmap_mode="r")[: offsets[first_pass]]

    def pack(piece: int, part: np.ndarray) -> None:
        x = np.array(part)
        if x.max(initial=0) >= THREE_BYTES:
            raise ValueError(f"a corpus of more than {THREE_BYTES:,} types cannot be packed")
        two, three = (x >= ONE_BYTE) & (x < TWO_BYTES), x >= TWO_BYTES
        middle, high = x - ONE_BYTE, x - TWO_BYTES
        first = np.where(three, THREE_BYTES_FROM + (high >> 16), np.where(two, ONE_BYTE + (middle >> 8), x))
        second = np.where(two, middle & 255, high >> 8 & 255)[two | three]
        for name, numbers in (("a", first), ("b", second), ("c", (high & 255)[three])):
            _write(args.parts / f"ids{piece}{name}", numbers.astype(np.uint8).tobytes())

    with ThreadPoolExecutor(args.threads) as pool:
        list(pool.map(pack, range(args.pieces), np.array_split(ids, args.pieces)))


def unpack_corpus(args: argparse.Namespace) -> None:
    """Restore a corpus from the files of pack-corpus."""
    args.corpus.mkdir(parents=True, exist_ok=True)
    for name in SMALL_FILES:
        (args.corpus / name).write_bytes(_read(args.parts / name))
    lengths = np.frombuffer(_read(args.parts / "lengths"), "<u4").astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    repeated = _repeated(args.corpus)

    def piece(number: int) -> np.ndarray:
        a, b, c = (np.frombuffer(_read(args.parts / f"ids{number}{name}"), np.uint8).astype(np.int32) for name in "abc")
        two, three = (a >= TWO_BYTES_FROM) & (a < THREE_BYTES_FROM), a >= THREE_BYTES_FROM
        second = np.zeros_like(a)
        second[two | three] = b
        ids = a.copy()
        ids[two] = ONE_BYTE + (a[two] - ONE_BYTE << 8) + second[two]
        ids[three] = TWO_BYTES + (a[three] - THREE_BYTES_FROM << 16) + (second[three] << 8) + c
        return ids

    count = len(list(args.parts.glob("ids*a.xz")))
    with ThreadPoolExecutor(8) as pool:
        ids = np.concatenate(list(pool.map(piece, range(count))))
    again = [ids[offsets[start] : offsets[end]] for start, end in repeated]
    np.save(args.corpus / "train.ids.npy", np.concatenate([ids, *again]))
    all_lengths = np.concatenate([lengths, *(lengths[start:end] for start, end in repeated)])
    np.save(args.corpus / "train.offsets.npy", np.concatenate([[0], np.cumsum(all_lengths)]))


def _repeated(corpus: Path) -> list[list[int]]:
    """Return the ranges of sentences that follow the first pass over the text again."""
    repeated: list[list[int]] = json.loads((corpus / "corpus.json").read_text("utf-8")).get("repeated", [])
    return repeated


def pack_model(args: argparse.Namespace) -> None:
    """Write all weights of a run in float16, concatenated in the order of their names."""
    from safetensors.numpy import load_file

    args.parts.mkdir(parents=True, exist_ok=True)
    tensors = {
        f"{file}/{name}": t
        for file in ("model", "softmax")
        for name, t in load_file(args.run / f"{file}.safetensors").items()
    }
    flat = np.concatenate([tensors[name].astype(np.float16).ravel() for name in sorted(tensors)])
    mine = np.array_split(flat, args.of)[args.part]
    for number, piece in enumerate(np.array_split(mine, -(-mine.nbytes // 15_000_000))):
        piece.tofile(args.parts / f"weights-{args.part:02d}-{number:02d}.f16")
    if args.part == 0:
        for name in RUN_FILES:
            if (args.run / name).exists():
                shutil.copy(args.run / name, args.parts / name)


def unpack_model(args: argparse.Namespace) -> None:
    """Restore a model folder from the files of pack-model."""
    import torch

    import elmo
    from elmo.model.softmax import Softmax
    from elmo.text.vocabulary import Vocabulary
    from elmo.weights.folder import write_folder

    config = elmo.BiLMConfig.from_dict(json.loads((args.parts / "config.json").read_text("utf-8")))
    flat = torch.from_numpy(np.concatenate([np.fromfile(p, np.float16) for p in sorted(args.parts.glob("*.f16"))]))
    lines = args.vocabulary.read_text("utf-8").split("\n")
    bilm = elmo.BiLM(config)
    size = (len(flat) - sum(t.numel() for t in bilm.state_dict().values())) // (config.lstm.output_dim + 1)
    softmax = Softmax(Vocabulary(lines[:size]), config.lstm.output_dim)
    modules = {"model": bilm, "softmax": softmax}
    tensors = {f"{file}/{name}": t for file, module in modules.items() for name, t in module.state_dict().items()}
    for name in sorted(tensors):
        count = tensors[name].numel()
        tensors[name].copy_(flat[:count].view_as(tensors[name]))
        flat = flat[count:]
    write_folder(bilm, args.folder, softmax, card=(args.parts / "README.md").read_text("utf-8"))
    for name in RUN_FILES:
        if (args.parts / name).exists() and not (args.folder / name).exists():
            shutil.copy(args.parts / name, args.folder / name)


def _write(path: Path, data: bytes) -> None:
    path.with_name(path.name + ".xz").write_bytes(lzma.compress(data, preset=0))


def _read(path: Path) -> bytes:
    return lzma.decompress(path.with_name(path.name + ".xz").read_bytes())


def main() -> None:
    """Run one of the four commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for function, names in (
        (pack_corpus, ("corpus", "parts")),
        (unpack_corpus, ("parts", "corpus")),
        (pack_model, ("run", "parts")),
        (unpack_model, ("parts", "vocabulary", "folder")),
    ):
        command = commands.add_parser(function.__name__.replace("_", "-"), help=function.__doc__.splitlines()[0])
        command.set_defaults(function=function)
        for name in names:
            command.add_argument(name, type=Path)
        if function is pack_corpus:
            command.add_argument("--pieces", type=int, default=4, help="number of pieces for the ids (default: 4)")
            command.add_argument("--threads", type=int, default=2, help="pieces to compress at once (default: 2)")
        if function is pack_model:
            command.add_argument("--part", type=int, default=0, help="which part to write, from 0 (default: 0)")
            command.add_argument("--of", type=int, default=1, help="number of parts in total (default: 1)")
    args = parser.parse_args()
    args.function(args)


if __name__ == "__main__":
    main()
