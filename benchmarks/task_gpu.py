"""Measure the training speed of question answering on a GPU, and compare the fused GRU with that of cuDNN.

    python benchmarks/task_gpu.py [--elmo medium] [--batch 64] [--batches 50] [--device cuda]

The questions and passages are random words, as long as those of SQuAD. The table shows the time per step, the number of
questions per second, and the norm of the gradients of the first batch, which both ways must agree on.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

import elmo
from elmo.datasets.squad import Passage, Question
from elmo.tasks.inputs import TaskInputs
from elmo.tasks.layer_cache import LayerCache
from elmo.tasks.layers import Encoder
from elmo.tasks.recipe import read_task_recipe
from elmo.tasks.squad import QAModel, QuestionAnswering
from elmo.train.averaging import MovingAverage
from elmo.train.runtime import fast_products, seed_step

VOCABULARY = 20_000
LONGEST = 400


def made_up(count: int, words: int) -> list[Question]:
    """Return questions about passages of about so many words, shortest first, so that batches need little padding."""
    random = np.random.default_rng(0)

    def draw(length: int) -> tuple[str, ...]:
        return tuple(f"w{number}" for number in (VOCABULARY * random.random(length) ** 4).astype(int))

    questions = []
    for length in sorted(random.lognormal(np.log(words), 0.4, count).clip(2, LONGEST).astype(int).tolist()):
        passage = draw(length)
        spans = tuple((place, place + 1) for place in range(length))
        first = int(random.integers(length))
        about = Passage(" ".join(passage), passage, spans)
        questions.append(Question("", "", draw(12), about, (), (first, first + 1)))
    return questions


def main() -> None:
    """Measure both ways and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--elmo", help="Name or folder of a biLM (default: none, for the baseline).")
    parser.add_argument("--batch", type=int, default=64, help="Questions per batch.")
    parser.add_argument("--batches", type=int, default=50, help="Number of batches to measure.")
    parser.add_argument("--words", type=int, default=130, help="Median length of a passage.")
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    device, task = torch.device(options.device), QuestionAnswering()
    recipe = read_task_recipe(task)
    questions = made_up(options.batch * options.batches, options.words)
    batches = [questions[start : start + options.batch] for start in range(0, len(questions), options.batch)]
    np.random.default_rng(1).shuffle(batches)  # type: ignore[arg-type]
    torch.manual_seed(0)
    layers = None if options.elmo is None else LayerCache(elmo.load(options.elmo, device=options.device).bilm)
    words = [f"w{number}" for number in range(VOCABULARY)]
    dim = recipe.inputs.dim
    inputs = TaskInputs(words, recipe.inputs, None if layers is None else recipe.elmo, layers, dim=dim, learned=())
    model = QAModel(inputs, recipe.model).to(device).train()
    inputs.prepare(sequence for question in questions for sequence in task.sequences(question))
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.Adam(parameters, 1e-4, fused=device.type == "cuda")
    average = MovingAverage(model, 0.999)

    def step(number: int, batch: list[Question]) -> torch.Tensor:
        seed_step(1, number)
        optimizer.zero_grad(set_to_none=True)
        model(batch).backward()
        norm = nn.utils.clip_grad_norm_(parameters, 5.0)
        optimizer.step()
        average.update(number + 1)
        return norm

    start = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    print("| GRU | ms per step | questions/s | gradient norm |\n|---|---|---|---|")
    with fast_products(device):
        for name, fused in (("fused", True), ("cuDNN", False)):
            model.load_state_dict(start)
            for encoder in model.modules():
                if isinstance(encoder, Encoder):
                    encoder.fused = fused
            norm = float(step(0, batches[0]))
            for number, batch in enumerate(batches[:5]):  # compiles kernels and fills the pools of memory
                step(number, batch)
            if device.type == "cuda":
                torch.cuda.synchronize()
            began = time.perf_counter()
            for number, batch in enumerate(batches):
                step(number, batch)
            if device.type == "cuda":
                torch.cuda.synchronize()
            seconds = time.perf_counter() - began
            milliseconds, rate = 1e3 * seconds / len(batches), len(questions) / seconds
            print(f"| {name} | {milliseconds:.1f} | {rate:,.0f} | {norm:.4f} |")
    if device.type == "cuda":
        print(f"\nlargest amount of GPU memory: {torch.cuda.max_memory_allocated() / 1e9:.1f} GB")


if __name__ == "__main__":
    main()
