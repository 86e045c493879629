# SPDX-License-Identifier: Apache-2.0
"""Ports that a test may choose itself, and use again after its server has ended."""
import pathlib
import random
import socket

from harness.process import Failure

FIRST = 10240


def fixed_port():
    """A port of the loopback interface that is free and that the kernel gives nobody who asks for any."""
    given_from = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for port in random.sample(range(FIRST, given_from), 100):
        try:
            socket.create_server(("127.0.0.1", port)).close()
            return port
        except OSError:
            continue
    raise Failure("no free port")
