"""Real HTTP servers for applications, on this machine."""

import socket
import threading
import time

import pytest
import uvicorn


@pytest.fixture
def serving():
    """Start applications on free ports: ``url = serving(app)``."""
    running = []

    def start(app):
        listener = socket.create_server(("127.0.0.1", 0))
        instance = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=instance.run, kwargs={"sockets": [listener]})
        thread.start()
        running.append((instance, thread))
        while not instance.started:
            time.sleep(0.01)
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield start
    for instance, thread in running:
        instance.should_exit = True
        thread.join()
