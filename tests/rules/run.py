#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py ROOT PROGRAMS: starts each service's program at a TCP endpoint of 127.0.0.1 and at a Unix-domain socket, and asks each of its
guarded operations, without arguments, of each object that it can reach: who may is as the program's table says. GIOP by hand, one
thread. Ends with 1 and a line for each cell that is not so. Another user is tried where the test runs as root."""
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile

import tables

TIMEOUT = 20
WORDS = {"ifr": ["serve"], "imr": ["serve"], "schedule": ["serve"], "events": ["--channel", "one"],
         "lifecycle": ["--location", "/", "-ORBInitRef", "NameService=corbaloc::127.0.0.1:1/NameService"]}
OWN_ONLY = {"imr"}  # admin is for root and the service's own user
STRANGER = 65534
# How further objects are reached: operations, with arguments as CDR, whose first result is a reference.
WAYS = {"naming": [["new_context"]], "properties": [["create_propertyset"], ["create_propertysetdef"]],
        "trading": [["_get_register_if"], ["_get_link_if"], ["_get_proxy_if"], ["_get_admin_if"], ["_get_type_repos"]],
        "events": [["for_suppliers"], ["for_consumers"], ["for_suppliers", "obtain_push_consumer"],
                   ["for_suppliers", "obtain_pull_consumer"]],
        "logging": [["create"]]}
KEYS = {"naming": [b"naming.administration"], "events": [b"one", b"omniEvents"],
        "logging": [b"BasicLogFactory", b"EventLogFactory"],
        "properties": [b"PropertySetDefFactory"]}
ARGUMENTS = {"create": struct.pack("<HxxxxxxQ", 0, 1 << 20)}


def align(data, to):
    return data + bytes(-len(data) % to)


class Reader:
    def __init__(self, data, big=False):
        self.data, self.at, self.order = data, 0, ">" if big else "<"

    def ulong(self):
        self.at = (self.at + 3) // 4 * 4 + 4
        return struct.unpack_from(self.order + "I", self.data, self.at - 4)[0]

    def octets(self):
        size = self.ulong()
        self.at += size
        return self.data[self.at - size:self.at]

    def address(self):
        """(port, key) of the first IIOP profile of a reference."""
        self.octets()
        for _ in range(self.ulong()):
            tag, body = self.ulong(), self.octets()
            if tag == 0:
                profile = Reader(body, not body[0])
                profile.at = 3
                profile.octets()
                profile.at = (profile.at + 1) // 2 * 2 + 2
                port = struct.unpack_from(profile.order + "H", body, profile.at - 2)[0]
                return port, profile.octets()
        raise ValueError("a reference without IIOP")


def ask(connect, key, operation, arguments=b""):
    """(status, the exception's id or the results), over a connection of its own."""
    body = struct.pack("<IB3xHxxI", 1, 3, 0, len(key)) + key
    name = operation.encode() + b"\0"
    body = align(body, 4) + struct.pack("<I", len(name)) + name
    body = align(body, 4) + struct.pack("<I", 0)
    if arguments:
        body = align(bytes(12) + body, 8)[12:] + arguments
    with connect() as link:
        link.sendall(b"GIOP\1\2\1\0" + struct.pack("<I", len(body)) + body)
        data = b""
        while len(data) < 12 or len(data) < 12 + struct.unpack("<I" if data[6] & 1 else ">I", data[8:12])[0]:
            more = link.recv(65536)
            if not more:
                return None, "closed"
            data += more
    reply = Reader(data, not data[6] & 1)
    reply.at = 12
    reply.ulong()
    status = reply.ulong()
    for _ in range(reply.ulong()):
        reply.ulong()
        reply.octets()
    reply.at = (reply.at + 7) // 8 * 8
    if status == 3:  # elsewhere in the same process
        return ask(connect, reply.address()[1], operation, arguments)
    if status not in (1, 2):
        return status, reply
    by_rules = b"--allow" in data.replace(b"\0", b"")  # ExceptionDetailMessage, UTF-16: a service may refuse of itself, too
    return status, reply.octets()[:-1].decode() + (" by the rules" if by_rules else "")


class Service:
    def __init__(self, programs, program, folder, allow):
        self.path = f"{folder}/{program}"
        self.child = subprocess.Popen([f"{programs}/callis-{program}", *WORDS.get(program, []), *allow, "-ORBEndpoint", "tcp:127.0.0.1:0",
                                       "-ORBEndpoint", f"unix:{self.path}", "-ORBUnixPermissions", "0666"],
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if not select.select([self.child.stdout], [], [], TIMEOUT)[0]:
            raise TimeoutError(program)
        text = bytes.fromhex(self.child.stdout.readline().decode().strip()[4:])
        ior = Reader(text, not text[0])
        ior.at = 4
        self.port, self.key = ior.address()

    def tcp(self):
        return socket.create_connection(("127.0.0.1", self.port), TIMEOUT)

    def own(self):
        link = socket.socket(socket.AF_UNIX)
        link.settimeout(TIMEOUT)
        link.connect(self.path)
        return link

    def stranger(self):
        os.seteuid(STRANGER)
        try:
            return self.own()
        finally:
            os.seteuid(0)

    def end(self):
        self.child.send_signal(signal.SIGTERM)
        self.child.wait(TIMEOUT)


def targets(service, program):
    """Keys of the service's objects that can be reached."""
    keys = [service.key, *KEYS.get(program, [])]
    roots = list(keys)
    for way in WAYS.get(program, []):
        for key in roots:
            for step in way:
                status, result = ask(service.own, key, step, ARGUMENTS.get(step, b""))
                if status != 0:
                    break
                key = result.address()[1]
            else:
                keys.append(key)
    return keys


def has(service, key, identifier):
    name = identifier.encode() + b"\0"
    status, result = ask(service.own, key, "_is_a", struct.pack("<I", len(name)) + name)
    return status == 0 and result.data[result.at:result.at + 1] == b"\1"


def check(programs, root, program, folder, allow, may):
    """May(caller, group): what is to be so."""
    service = Service(programs, program, folder, allow)
    callers = {"tcp": service.tcp, "own": service.own, **({"stranger": service.stranger} if os.geteuid() == 0 else {})}
    asked = 0
    try:
        keys = targets(service, program)
        interfaces = tables.Interfaces(root)
        cells = [(key, group, operation, operation in interfaces.all_operations(interfaces.interface(name))) for group, name, operations in tables.guarded(root, program) for key in keys
                 if has(service, key, name) for operation in operations if not operation.endswith("*")]
        cells.sort(key=lambda cell: cell[2] == "destroy")  # at last
        for refused in (True, False):  # first what changes nothing
            for key, group, operation, known in cells:
                for caller, connect in callers.items():
                    if may(caller, group) == refused:
                        continue
                    status, what = ask(connect, key, operation)
                    asked += 1
                    told = status == 2 and "NO_PERMISSION:1.0 by the rules" in what
                    if told != refused or known and status == 2 and "BAD_OPERATION" in what or status is None:
                        yield f"callis {program} {' '.join(allow)}: {operation} ({group}) by {caller}: {status} {what}"
    finally:
        service.end()
    missing = {operation for _, _, operations in tables.guarded(root, program) for operation in operations
               if not operation.endswith("*")} - {cell[2] for cell in cells}
    if missing:
        print(f"callis {program}: no object that was reached has {', '.join(sorted(missing))}")
    print(f"callis {program} {' '.join(allow)}: {asked} requests")
    if not asked and tables.guarded(root, program):
        yield f"callis {program}: nothing could be asked"


def check_rebind(programs, folder):
    """A rebind of a free name is write; of one that is bound it is admin, and changes nothing where it is refused."""
    service = Service(programs, "naming", folder, [])
    # The name "a", and a nil reference.
    arguments = struct.pack("<II2s2xI1s3xI1s3xI", 1, 2, b"a", 1, b"", 1, b"", 0)
    try:
        for caller, connect, refused in (("tcp, free", service.tcp, False), ("tcp, bound", service.tcp, True),
                                         ("own, bound", service.own, False)):
            status, what = ask(connect, service.key, "rebind", arguments)
            if (status == 2 and "by the rules" in what) != refused or not refused and status != 0:
                yield f"callis naming: rebind by {caller}: {status} {what}"
    finally:
        service.end()


def main(root, programs):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        wrong += check_rebind(programs, folder)
        for program in tables.PROGRAMS:
            usual = lambda caller, group: group != "admin" or caller == "own" or caller == "stranger" and program not in OWN_ONLY
            for allow, may in (([], usual), (["--allow", "admin=any"], lambda caller, group: True),
                               (["--allow", "admin=own,write=own,read=own"], lambda caller, group: caller == "own")):
                wrong += check(programs, root, program, folder, allow, may)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
