#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the socket queues of a program that runs with the library of queues.cpp: those of both ends of a connection
must be as told, other sockets untouched, and a size that is no number must end the program.

    queues_test.py LIBRARY
"""
import os
import subprocess
import sys

# Prints SO_SNDBUF and SO_RCVBUF of client, listener, accepted socket and a datagram socket.
PROGRAM = """
import socket
def show(s):
    print(*(s.getsockopt(socket.SOL_SOCKET, o) for o in (socket.SO_SNDBUF, socket.SO_RCVBUF)))
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
accepted, _ = listener.accept()
for s in (client, listener, accepted, socket.socket(socket.AF_INET, socket.SOCK_DGRAM)):
    show(s)
"""


def run(library, size):
    environment = {**os.environ}
    if library:
        environment.update(LD_PRELOAD=library, BENCH_QUEUE_BYTES=size)
    return subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)


def main():
    library = os.path.abspath(sys.argv[1])
    datagram = run(None, "").stdout.splitlines()[3]
    for size in (8192, 65536):
        got = run(library, str(size))
        expected = [f"{2 * size} {2 * size}"] * 3 + [datagram]  # Linux adds as much for its own needs
        if got.returncode != 0 or got.stdout.splitlines() != expected:
            raise SystemExit(f"{size}: {got.stdout}{got.stderr} instead of {expected}")
    for wrong in ("", "64K", "-1"):
        if run(library, wrong).returncode != 99:
            raise SystemExit(f"BENCH_QUEUE_BYTES={wrong} is taken")


if __name__ == "__main__":
    main()
