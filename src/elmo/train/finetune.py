"""Fine-tuning: a model goes on learning from the text of a domain."""

from pathlib import Path

import torch

from elmo.model.bilm import BiLM
from elmo.model.language_model import LanguageModel
from elmo.model.softmax import Softmax
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus.corpus import Corpus
from elmo.train.loop import Settings, train
from elmo.train.perplexity import Perplexity
from elmo.train.pretrain import Pretraining, Recipe, Rows, begin, finish
from elmo.train.runtime import Runtime


def finetuning_recipe(
    bilm: BiLM, *, epochs: float = 1.0, learning_rate: float = 1e-3, rows: int = 16, evaluate_every: int = 200
) -> Recipe:
    """What suits a model that has learned most of it already: one pass, small steps."""
    if not bilm.token_layer.trainable:
        raise ValueError("a model with characters of its own (ELMoForManyLangs) cannot be trained here")
    return Recipe(
        model=bilm.config,
        rows=Rows(steps=64, rows=rows, dropout=0.1, samples=8192, precision="bfloat16"),
        training=Settings(
            learning_rate=learning_rate, warmup_steps=20, epochs=epochs, evaluate_every=evaluate_every, log_every=10
        ),
    )


def finetune(
    bilm: BiLM,
    softmax: Softmax | None,
    corpus: Corpus,
    recipe: Recipe,
    folder: Path,
    runtime: Runtime,
    *,
    seed: int,
    resume: bool = False,
) -> tuple[Perplexity, Perplexity]:
    """Train on, write the model to ``folder``, and give the held-out perplexity before and after.

    A model that came without a softmax gets a fresh one over the corpus' own vocabulary.
    """
    begin(folder, recipe, corpus, seed, resume)
    if softmax is None:
        torch.manual_seed(seed)
        # A model that looks words up predicts the words it knows; one vocabulary serves both.
        known = bilm.token_layer.vocabulary
        softmax = Softmax(known if isinstance(known, Vocabulary) else corpus.vocabulary, bilm.config.lstm.output_dim)
    model = LanguageModel(bilm, softmax, recipe.rows.dropout)
    job = Pretraining(model, corpus, recipe.rows, runtime, seed=seed, title="finetune")
    before = job.measure()
    train(job, recipe.training, folder, runtime, seed=seed, resume=resume)
    after = job.measure()
    finish(folder, model, corpus.facts, after)
    return before, after
