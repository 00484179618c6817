"""Task models that read words, with or without ELMo.

A task (``task.py``) reads examples, builds a model and scores its predictions; ``trainer.py`` trains the model::

    from elmo.tasks.trainer import load_run

    trained = load_run("run")
    trained.predict(trained.task.from_text("Ada Lovelace lived in London.", trained.label_sets))
"""
