# SPDX-License-Identifier: Apache-2.0
"""`callis ifr`, read by other ORBs' stubs of the Interface Repository; fed with the files of these tests."""
import pathlib
import shutil
import signal
import subprocess
import tempfile

from harness import ports
from harness.process import Failure
from interop import jacorb, mixed, peers
from interop.echo import TIMEOUT

HERE = pathlib.Path(__file__).resolve().parent
FILES = ("mixed", "values", "any", "contexts")


def add_options(tests):
    parser = tests.add_parser("ifr", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--jacorb", required=True, type=pathlib.Path)
    parser.add_argument("--client", required=True, choices=("omni", "jacorb", "combat", "callis"))
    parser.set_defaults(run=run)


def serve(processes, options, store, port):
    server = processes.start("ifr", [options.callis, "ifr", "--allow", "admin=any", "--store", store, "-ORBEndpoint", f"tcp:127.0.0.1:{port}"])
    return server, server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]


def shell(options, *words, status=0):
    done = subprocess.run([options.callis, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT,
                          check=False)
    if done.returncode != status:
        raise Failure(f"callis {' '.join(words)} ended with {done.returncode}: {done.stdout}")
    return done.stdout


def read(processes, options, client, reference, *words):
    """The lines that a client prints."""
    if client == "jacorb":
        command = jacorb.command(options.jacorb, "ifr.Reader", [reference, *words])
    else:
        command = [pathlib.Path(options.programs) / f"ifr_reader_{client}", reference]
    process = processes.start(client, command)
    if process.finish(4 * TIMEOUT) != 0:
        raise Failure(f"the reader of {client} failed: {process.output[-3:]}")
    return process.output


def same(found, expected, who):
    if found != expected:
        different = [pair for pair in zip(found, expected) if pair[0] != pair[1]][:3]
        raise Failure(f"{who} reads {len(found)} lines, callis {len(expected)}; {different}")


def run_combat(options, processes, reference):
    """Combat knows the types of mixed.idl by the repository alone: its own initial reference, or the one that the server names."""
    if not shutil.which("tclsh"):
        raise Failure("tclsh is not installed (tcl-combat)")
    expected = ["item n green -2 1 n", "choices {red 5} {green text}"]
    for server_knows in (False, True):
        known = ["-ORBInitRef", f"InterfaceRepository={reference}"]
        server = processes.start("server", [pathlib.Path(options.programs) / "mixed_server_callis_interpreted",
                                            *peers.options("callis-interpreted"), *(known if server_knows else [])])
        peer = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
        client = processes.start("combat", ["tclsh", mixed.COMBAT / "ifr.tcl", peer, *([] if server_knows else known)])
        if client.finish(TIMEOUT) != 0 or client.output[:2] != expected:
            raise Failure(f"Combat prints {client.output}")
        if len(client.output) != 3 or "IDL:Mixed/Refused:1.0" not in client.output[2]:
            raise Failure(f"Combat does not know the exception: {client.output}")
        # So does callis call, with no IDL.
        word = '[{"discriminator": "red", "value": 5}]'
        words = ["call", peer, "echo_choices", word, *([] if server_knows else ["--ifr", reference])]
        if shell(options, *words).strip() != word.replace(" ", ""):
            raise Failure(shell(options, *words))
        if "Choices echo_choices(in Mixed::Choices some);" not in shell(options, "describe", *words[1:2], *words[4:]):
            raise Failure("callis describe does not show echo_choices")
        server.end_input()
        server.finish(TIMEOUT)


def run(options, processes):
    with tempfile.TemporaryDirectory() as directory:
        store, port = pathlib.Path(directory) / "store.db", ports.fixed_port()
        server, reference = serve(processes, options, store, port)
        for name in FILES:
            shell(options, "ifr", "feed", reference, str(HERE / f"{name}.idl"))
        if options.client == "combat":
            return run_combat(options, processes, reference)
        before = read(processes, options, "callis", reference)
        if len(before) < 100 or before[-1] != "nothing is nil":
            raise Failure(f"{len(before)} lines are read")
        same(read(processes, options, options.client, reference), before, options.client)
        if options.client == "jacorb":
            written = read(processes, options, "jacorb", reference, "write")
            if written[:2] != ["used: BAD_INV_ORDER 1", "twice: BAD_PARAM 2"]:
                raise Failure(f"JacORB was told {written[:2]}")
            before = read(processes, options, "callis", reference)
            same(written[2:], before, "jacorb")
            shown = shell(options, "ifr", "show", reference, "ByJava")
            if "arrange(inout ::ByJava::Pairs all) raises (::ByJava::Wrong)" not in shown:
                raise Failure(shown)
        # What was answered is there after a sudden end, and under the same references.
        server.signal(signal.SIGKILL)
        server.finish(TIMEOUT)
        server, again = serve(processes, options, store, port)
        if again != reference:
            raise Failure("the repository has another reference")
        same(read(processes, options, "callis", f"corbaloc::127.0.0.1:{port}/InterfaceRepository"), before, "after kill -9")
        server.signal(signal.SIGTERM)
        if server.finish(TIMEOUT) != 0:
            raise Failure("the server did not end well")
