"""The HTTP server: ``elmo serve``, or ``elmo.serve.app.create_app`` for a server of your own.

A request goes through the files from left to right:

    protocol -> gate -> app (with schemas) -> batching -> Embedder
    (headers)   (key, body, time)             (one thread a model)
"""
