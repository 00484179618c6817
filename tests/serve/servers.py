"""A small model and servers that speak real HTTP."""

import contextlib
import socket
import threading
from collections.abc import Iterator

import torch
import uvicorn
from fastapi import FastAPI

import elmo
from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.model.softmax import Softmax
from elmo.serve.server import http_protocol
from elmo.text.vocabulary import Vocabulary

CORPUS = ["the dorn brint Mavo , tel", "tel tel brint a lusk", "Brint the lusk , a dorn of Mavo", "brint dorn lusk tel"]


def random_model() -> elmo.Embedder:
    """Create a random model that can predict words."""
    vocabulary = Vocabulary(["<S>", "</S>", "<UNK>", *dict.fromkeys(" ".join(CORPUS).split())])
    config = BiLMConfig(CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), LSTMConfig(16, 8))
    with torch.random.fork_rng():
        torch.manual_seed(0)
        bilm = elmo.BiLM(config, vocabulary)
        bilm.init_weights()
        return elmo.Embedder(bilm.eval(), softmax=Softmax(vocabulary, 8).eval())


@contextlib.contextmanager
def running(app: FastAPI, read_timeout: float = 10.0) -> Iterator[int]:
    """Run an application with uvicorn, as ``elmo serve`` does, and yield the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, http=http_protocol(read_timeout), ws="none", log_level="critical")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive(), "the server did not stop"
