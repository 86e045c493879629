# SPDX-License-Identifier: Apache-2.0
"""Calls back to a client that nobody can connect to: over the connection that it has opened (CORBA 3.3 part 2, 9.8)."""
import pathlib
import re

from harness.process import Failure
from interop import jacorb

TIMEOUT = 100
PEERS = ("omni", "callis", "jacorb")
NOWHERE = "127.0.0.1:1"  # what clients publish; that of JacORB stops listening instead


def add_options(tests):
    parser = tests.add_parser("bidirectional", help=__doc__.splitlines()[0])
    parser.add_argument("--programs", required=True, help="directory of the programs")
    parser.add_argument("--jacorb", required=True, type=pathlib.Path, help="what jacorb.py has made")
    parser.add_argument("--client", required=True, choices=PEERS)
    parser.add_argument("--server", required=True, choices=PEERS)
    parser.add_argument("--threads", default="connection", help="who serves, in callis")
    parser.add_argument("--usual", action="store_true", help="over connections of their own instead: the clients listen, too")
    parser.add_argument("--shared", action="store_true", help="callis's calls share one connection")
    parser.add_argument("--fragment-bytes", type=int, help="callis sends messages above this in fragments")
    parser.set_defaults(run=run)


def told(options, role, peer):
    client = role == "client"
    usual = ["usual.adapters=yes"] if options.usual else []
    # Over usual connections a callback may come behind the request that it serves. There is no deadline there that could
    # end such a wait: calls that have their replies had them because the callback was served.
    deadline = 0 if options.usual else 20000
    if peer == "callis":
        own = usual + ["-ORBCallTimeout", deadline, "-ORBEndpoint", "tcp:127.0.0.1", "-ORBServerThreads", options.threads]
        if client and not options.usual:
            own += ["-ORBPublish", NOWHERE]
        if options.shared:
            own += ["-ORBClientConnections", "shared"]
        if options.fragment_bytes:
            own += ["-ORBFragmentSize", options.fragment_bytes]
        return own
    if peer == "omni":
        own = usual + ["-ORBclientCallTimeOutPeriod", deadline, "-ORBgiopMaxMsgSize", 64 << 20,
                       "-ORBendPoint", "giop:tcp:127.0.0.1:"]
        if options.usual:
            return own + (["-ORBoneCallPerConnection", 0] if client else [])
        if client:
            return own + ["-ORBendPointPublish", f"giop:tcp:{NOWHERE}", "-ORBclientTransportRule", "* bidir,tcp",
                          "-ORBofferBiDirectionalGIOP", 1]
        return own + ["-ORBserverTransportRule", "* bidir,tcp", "-ORBacceptBiDirectionalGIOP", 1]
    if options.usual:
        return usual + [f"jacorb.connection.client.pending_reply_timeout={deadline}"]
    return ["org.omg.PortableInterceptor.ORBInitializerClass.bidir_init=org.jacorb.orb.giop.BiDirConnectionInitializer",
           "jacorb.connection.client.pending_reply_timeout=20000"]


def command(options, role, peer, arguments):
    if peer == "jacorb":
        return jacorb.command(options.jacorb, f"bidirectional.{role.capitalize()}", [*arguments, *told(options, role, peer)])
    return [pathlib.Path(options.programs) / f"bidirectional_{role}_{peer}", *arguments, *told(options, role, peer)]


def run(options, processes):
    server = processes.start("server", command(options, "server", options.server, []))
    reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    client = processes.start("client", command(options, "client", options.client, [reference]))
    status = client.finish(TIMEOUT)
    found = re.search(r"^checks (\d+)$", "\n".join(client.output), re.MULTILINE)
    if status != 0 or not found or int(found.group(1)) < 200:
        raise Failure(f"the client ended with status {status}")
    print(found.group(0))
    server.end_input()
    status = server.finish(TIMEOUT)
    if status != 0:
        raise Failure(f"the server ended with status {status}")
