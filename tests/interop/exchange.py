# SPDX-License-Identifier: Apache-2.0
"""One group of cases between one client and one server of programs/, in one GIOP version.

The client talks to the server through a recording proxy: the references it is given carry the proxy's port.
So besides the programs' own checks there are the messages themselves: their version, one reply to each
request, as many requests as there were upcalls, fragments where there must be some; and, if asked, tshark's
opinion of them. References that the server hands out lead to it directly.
"""
import pathlib
import re
import tempfile

from harness import giop
from harness.capture import Dissection, write_pcap
from harness.census import Census
from harness.process import Failure
from harness.recorder import CLIENT, SERVER, Recorder
from harness.reference import Reference
from interop import peers

TIMEOUT = 60
# Requests that reach no servant.
NO_UPCALL = ("_is_a", "_non_existent", "_not_existent", "unheard_of", "unheard_of_oneway")
SENDERS = {"client": CLIENT, "server": SERVER}


def add_options(tests):
    parser = tests.add_parser("exchange", help=__doc__.splitlines()[0])
    parser.add_argument("--programs", required=True, help="directory of the programs")
    parser.add_argument("--client", required=True, choices=peers.PEERS)
    parser.add_argument("--server", required=True, choices=peers.PEERS)
    parser.add_argument("--version", required=True, choices=("1.0", "1.1", "1.2"))
    parser.add_argument("--limit", default="client", choices=("client", "server"),
                        help="which side is told the version; the other speaks up to 1.2")
    parser.add_argument("--group", required=True)
    parser.add_argument("--fragment-bytes", type=int, help="callis sends messages above this in fragments")
    parser.add_argument("--sync-scope", choices=("none", "transport", "server", "target"),
                        help="what the oneways of a callis client wait for")
    parser.add_argument("--fragments-from", default="", help="client, server or client,server: must send fragments")
    parser.add_argument("--locates", action="store_true", help="the client must ask where an object is, and be answered")
    parser.add_argument("--tshark", help="also let this program dissect what passed")
    parser.set_defaults(run=run)


def run(options, processes):
    server, references = start_server(options, processes)
    bootstrap = Reference(references["param"])
    check_reference(options, bootstrap)
    with Recorder(bootstrap.host, bootstrap.port) as recorder:
        upcalls = run_client(options, processes, references, recorder.port)
    server.end_input()
    status = server.finish(TIMEOUT)
    if status != 0:
        raise Failure(f"the server ended with status {status}")
    census = Census(recorder.connections)
    check_census(options, census, upcalls)
    if options.tshark:
        check_dissection(options, recorder, bootstrap.port, census)


def start_server(options, processes):
    version = options.version if options.limit == "server" else None
    command = [peers.program(options.programs, "server", options.server),
               *peers.options(options.server, version, options.fragment_bytes)]
    server = processes.start("server", command)
    lines = server.wait_for(lambda line: line == "ready", TIMEOUT)
    return server, dict(line.split(" ", 1) for line in lines if " IOR:" in line)


def check_reference(options, reference):
    expected = tuple(map(int, options.version.split("."))) if options.limit == "server" else (1, 2)
    if reference.version != expected:
        raise Failure(f"the reference says IIOP {reference.version}, not {expected}")
    if reference.type_id != "IDL:Param_Test:1.0" or reference.host != "127.0.0.1":
        raise Failure(f"the reference says {reference.type_id} at {reference.host}")


def run_client(options, processes, references, proxy_port):
    """Number of upcalls that the server says it made."""
    version = options.version if options.limit == "client" else None
    seen = {name: text if name == "control" else Reference(text).with_port(proxy_port)
            for name, text in references.items()}
    facts = {"version": options.version, "client": "callis" if peers.is_callis(options.client) else "omni",
             "server": "callis" if peers.is_callis(options.server) else "omni",
             "scope": options.sync_scope or "transport"}
    command = [peers.program(options.programs, "client", options.client), options.group,
               *(f"{name}={value}" for name, value in {**seen, **facts}.items()),
               *peers.options(options.client, version, options.fragment_bytes, options.sync_scope)]
    client = processes.start("client", command)
    status = client.finish(TIMEOUT)
    found = re.search(r"^checks (\d+) upcalls (\d+)$", "\n".join(client.output), re.MULTILINE)
    if status != 0 or not found:
        raise Failure(f"the client ended with status {status}")
    print(found.group(0))
    return int(found.group(2))


def check_census(options, census, upcalls):
    print(census)
    expected = tuple(map(int, options.version.split(".")))
    if census.versions() != {expected}:
        raise Failure(f"messages of GIOP {census.versions()}, not {expected}")
    requests = sum(n for name, n in census.operations.items() if name not in NO_UPCALL)
    if requests != upcalls or requests == 0:
        raise Failure(f"{requests} requests passed, but the server made {upcalls} upcalls: {census.operations}")
    if options.sync_scope and (census.oneways == 0) != (options.sync_scope in ("server", "target")):
        raise Failure(f"{census.oneways} requests expected no reply, with SyncScope {options.sync_scope}")
    asked, told = census.count(giop.LOCATE_REQUEST, CLIENT), census.count(giop.LOCATE_REPLY, SERVER)
    if options.locates and (asked == 0 or asked != told):
        raise Failure(f"{asked} LocateRequests passed, and {told} LocateReplies")
    for name in filter(None, options.fragments_from.split(",")):
        if census.count(giop.FRAGMENT, SENDERS[name]) == 0:
            raise Failure(f"the {name} sent no fragment")


def check_dissection(options, recorder, port, census):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "exchange.pcap"
        write_pcap(path, recorder.connections, port)
        seen = Dissection(options.tshark, path, port)
    print(f"tshark: {len(seen.types)} messages, {len(seen.faulty)} faulty")
    if seen.faulty:
        raise Failure("tshark calls these malformed:\n" + "\n".join(seen.faulty[:20]))
    for kind, name in enumerate(giop.TYPE_NAMES):
        if seen.count(kind) != census.count(kind):
            raise Failure(f"tshark saw {seen.count(kind)} {name}s of {census.count(kind)}")
    if seen.count(giop.REQUEST) == 0 or seen.versions != census.versions():
        raise Failure(f"tshark saw {seen.count(giop.REQUEST)} requests of GIOP {seen.versions}")
