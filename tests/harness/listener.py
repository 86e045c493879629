# SPDX-License-Identifier: Apache-2.0
"""A server written by hand: one connection after the other, in a thread, at a port that the kernel chooses."""
import socket
import threading


class Listener:
    """converse(socket) has each connection, which is closed when it returns. What it raises ends the thread, and is `failure`."""

    def __init__(self, converse, timeout=None):
        self._converse, self._timeout = converse, timeout
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.failure = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()

    def _serve(self):
        try:
            while True:
                try:
                    peer, _ = self._socket.accept()
                except OSError:
                    return
                with peer:
                    peer.settimeout(self._timeout)
                    self._converse(peer)
        except Exception as failure:  # whoever made the listener looks
            self.failure = failure
