# SPDX-License-Identifier: Apache-2.0
"""A service of callis under a client that prints one line for each thing that it tries: what tests of services have in common."""
import subprocess

from harness.process import Failure
from interop.echo import TIMEOUT


def start(processes, callis, name):
    """`callis NAME` at a port of its own, and its reference."""
    service = processes.start(name, [callis, name, "--allow", "admin=any", "-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBLog", "info"])
    return service, service.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1].strip()


def address(service):
    """HOST:PORT that its references carry, by its log."""
    said = "references carry tcp:"
    return [line for line in service.output if said in line][-1].split(said)[1].strip()


def check(program, reference, expected):
    """Runs the client, which is to end well and to print just that."""
    client = subprocess.run([program, reference], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)
    if client.stdout != expected or client.returncode != 0:
        raise Failure(f"{program} ended with {client.returncode} and said\n{client.stdout}\nnot\n{expected}")
