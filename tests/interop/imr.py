# SPDX-License-Identifier: Apache-2.0
"""Servers that `callis imr` starts when they are called: killed, stopped and held back, and what clients see of it.

Servers of callis tell the repository when they are ready. Those of omniORB have an endpoint that it looks at; their objects are known
to clients by references of the repository, or, with --own-references, by the server's own, which publish the repository's address.
"""
import os
import pathlib
import re
import signal
import subprocess
import time

from harness.ports import fixed_port
from harness.process import Failure
from harness.reference import Reference
from interop import whereabouts
from interop.whereabouts import Client, Server, check

TIMEOUT = 60
THING = "IDL:Whereabouts/Thing:1.0"


def add_options(tests):
    parser = tests.add_parser("imr", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--own-references", action="store_true")
    whereabouts.add_options(parser)
    parser.set_defaults(run=run)


class Repository:
    def __init__(self, options, processes):
        self._callis, self.port = options.callis, fixed_port()
        server = processes.start("imr", [options.callis, "imr", "serve", "--allow", "admin=any",
                                         "-ORBEndpoint", f"tcp:127.0.0.1:{self.port}"])
        server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)

    def tell(self, *words):
        command = [self._callis, "imr", words[0], "--imr", f"corbaloc::127.0.0.1:{self.port}/ImplRepoService", *words[1:]]
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TIMEOUT, check=False)
        if done.returncode != 0:
            raise Failure(f"callis imr {' '.join(map(str, words))} ended with {done.returncode}: {done.stdout}")
        return done.stdout

    def status(self, field):
        found = re.search(rf"^  {field} +(.*)$", self.tell("status", "life"), re.MULTILINE)
        return found.group(1) if found else ""


def key_text(key):
    return "".join(f"%{byte:02x}" for byte in key)


def key_of(options, processes, server_options):
    """The key of the server's object, and its reference, as a server tells that nobody has told of a repository."""
    server = Server(options, processes, "for its key", more=server_options)
    text = server.reference("lasting/inner", "kept")
    server.end()
    return Reference(text).object_key, text


def command_of(options, port, server_options):
    # The server ends with its input.
    program = pathlib.Path(options.programs) / f"whereabouts_server_{'imr' if options.server == 'callis' else 'omni'}"
    own = ["-ORBEndpoint", "tcp:127.0.0.1:0"] if options.server == "callis" else ["-ORBendPoint", f"giop:tcp:127.0.0.1:{port}"]
    words = [str(program), "life", "/dev/null", *own, *server_options]
    return ["/bin/sh", "-c", "sleep 1000 | " + " ".join(words)]


def run(options, processes):
    repository, port = Repository(options, processes), fixed_port()
    published = ["-ORBendPointPublish", f"giop:tcp:127.0.0.1:{repository.port}"] if options.own_references else []
    key, own = key_of(options, processes, published)
    knows = [] if options.server == "callis" else ["--endpoint", f"127.0.0.1:{port}"]
    if options.own_references:
        knows += ["--key-prefix", key.hex()]
    command = ["--stop-deadline", "1", "--env", "PATH=/usr/bin:/bin", "--", *command_of(options, port, published)]
    repository.tell("add", "life", *knows, *command)
    reference = own if options.own_references else repository.tell("ior", "life", key_text(key), "--type", THING).strip()

    client = Client(options, processes)
    client.refer(thing=reference)
    said = "said life:kept"
    client.expect("who thing", said)
    check("state", repository.status("state"), "running")
    client.expect("who thing", said)

    os.killpg(int(repository.status("process")) if options.server == "omni" else group_of(repository), signal.SIGKILL)
    wait_for_end(repository)
    comes_back(client, said)

    repository.tell("stop", "life")
    check("state", repository.status("state"), "stopped")
    comes_back(client, said)

    repository.tell("add", "life", "--replace", "--activation", "by-hand", *knows, *command)
    repository.tell("stop", "life")
    answer = client.ask("who thing")
    if answer.startswith("raised COMM_FAILURE"):  # sent before the end of the connection was seen
        answer = client.ask("who thing")
    check("who thing", answer, "raised TRANSIENT", "NO")
    repository.tell("start", "life")
    client.expect("who thing", said)
    repository.tell("stop", "life")
    repository.tell("rm", "life")
    client.end()


def group_of(repository):
    return os.getpgid(int(repository.status("process")))


def wait_for_end(repository):
    deadline = time.monotonic() + TIMEOUT
    while repository.status("state") == "running":
        if time.monotonic() > deadline:
            raise Failure("the repository does not see that the server has ended")


def comes_back(client, said):
    answer = client.ask("who thing")
    if answer.startswith("raised COMM_FAILURE"):  # sent before the end of the connection was seen
        answer = client.ask("who thing")
    check("who thing", answer, said)
