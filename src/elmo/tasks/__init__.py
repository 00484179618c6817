"""Task models that read words, with or without ELMo.

A task (``task.py``) reads examples, builds a model and scores its predictions; ``trainer.py`` trains the model, and
``trained.py`` applies it to text::

    task = elmo.load_task("run")
    for entity in task("Ada Lovelace lived in London."):
        print(entity.label, entity.text)
"""
