"""The HTTP server behind ``elmo serve`` and ``elmo explore``; ``elmo.serve.app.create_app`` builds your own.

A request passes through these modules in order:

    server        middleware (with access)   routes (with schemas)   batching              Embedder
    connections   hosts, key, limits         validation              one queue per model   inference
"""
