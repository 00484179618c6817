"""Six tasks that read words, each with and without ELMo, on the one training loop.

from elmo.tasks.trainer import load_run
trained = load_run("run")
trained.predict(examples)
"""
