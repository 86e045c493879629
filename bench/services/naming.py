# SPDX-License-Identifier: Apache-2.0
"""`callis naming` beside omniNames and JacORB's name server: the same names in all, the same client, in turn.

16 clients resolve names at random among 100,000 (quick: 20,000) that are bound in one context, or in --contexts. omniNames keeps the
bindings of a context in a list. It walks that for each line of its file, too: with 100,000 in one context its start takes minutes.
JacORB's is told not to ask each object that it finds whether it is there (noping): the others do not ask either. Its names are bound
after its start.

Cases: resolve (calls_per_s); start, until a name has been resolved (ns); idle, resident memory of a service without names (bytes).

    PYTHONPATH=bench/common python3 bench/services/naming.py --build FOLDER [--peers FOLDER] [--quick] [--contexts N]
                                                                                                  alone: prints what it measures
"""
import argparse
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from report import Row

SUITE = "services"
JUDGED, OTHER, JACORB = "callis-interpreted", "omninames", "jacorb"
THREADS = 16
BARS = {"resolve": 3.0, "start_s": 1.0, "idle_mib": 8.0}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def encapsulation(*parts):
    """CDR, little-endian; parts: int (unsigned long), str (string), bytes (sequence of octets)."""
    out = b"\x01"
    for part in parts:
        out += b"\0" * (-len(out) % 4)
        if isinstance(part, int):
            out += struct.pack("<I", part)
        else:
            data = part.encode() + b"\0" if isinstance(part, str) else part
            out += struct.pack("<I", len(data)) + data
    return out


def reference(key, port, type_id="IDL:omg.org/CosNaming/NamingContextExt:1.0"):
    host = b"127.0.0.1\0"
    profile = b"\x01\x01\x02\0" + struct.pack("<I", len(host)) + host + struct.pack("<H", port)
    profile += b"\0" * (-len(profile) % 4) + struct.pack("<I", len(key)) + key
    profile += b"\0" * (-len(profile) % 4) + struct.pack("<I", 0)
    return "IOR:" + encapsulation(type_id, 1, 0, profile).hex()


def write_omninames(folder, port, contexts, each):
    """A data file as omniNames writes it at a checkpoint."""
    life = bytes.fromhex("4284076b01004357")
    root, thing = b"NameService", reference(b"object-0", 2000, "")
    ids = [life + struct.pack(">I", i + 1) for i in range(contexts)]
    host = socket.gethostname()
    with open(pathlib.Path(folder) / f"omninames-{host}.dat", "w", encoding="ascii") as file:
        file.write(f"port {port}\npersistent {life.hex()}\ncreate {root.hex()}\n")
        file.writelines(f"create {i.hex()}\n" for i in ids)
        for c, i in enumerate(ids):
            own = reference(b"\xff\0" + i, port)
            file.write(f"bind {reference(root, port)} c{c}  ncontext {own}\n")
            file.writelines(f"bind {own} o{o}  nobject {thing}\n" for o in range(each))


class Server:
    """A name service, from its start until it knows its root context."""

    def __init__(self, command, port, timeout=600):
        self.reference = f"corbaloc:iiop:1.2@127.0.0.1:{port}/NameService"
        begin = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            if self.process.poll() is not None or time.monotonic() - begin > timeout:
                raise RuntimeError(f"{command[0]} did not start")
            try:
                if answers(port):
                    break
            except OSError:
                pass
            time.sleep(0.002)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def mib(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(encoding="ascii")
        return int(re.search(r"^Rss: +(\d+) kB", text, re.M).group(1)) / 1024


class JacorbServer(Server):
    """JacORB's: its reference is in a file as soon as it answers."""

    def __init__(self, program, folder):
        file = pathlib.Path(folder) / "jacorb.ior"
        properties = f"-Djacorb.naming.ior_filename={file} -Djacorb.naming.noping=on"
        self.process = subprocess.Popen([program], cwd=folder, env={**os.environ, "JAVA_TOOL_OPTIONS": properties},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        begin = time.monotonic()
        while not file.exists() or not file.read_text(encoding="ascii").startswith("IOR:"):
            if self.process.poll() is not None or time.monotonic() - begin > 60:
                raise RuntimeError("JacORB's name server did not start")
            time.sleep(0.01)
        self.reference = file.read_text(encoding="ascii").strip()


def answers(port):
    """Whether a LocateRequest finds the root context there."""
    key = b"NameService"
    body = struct.pack("<IHHI", 7, 0, 0, len(key)) + key
    with socket.create_connection(("127.0.0.1", port), timeout=600) as s:
        s.sendall(b"GIOP\x01\x02\x01\x03" + struct.pack("<I", len(body)) + body)
        with s.makefile("rb") as stream:
            header = stream.read(12)
            if len(header) < 12:
                return False
            order = "<" if header[6] & 1 else ">"
            body = stream.read(struct.unpack(order + "I", header[8:])[0])
        return struct.unpack(order + "I", body[4:8])[0] != 0


def ours(programs, folder, port):
    return [str(programs / "callis-naming"), "--allow", "admin=any", "--store", str(pathlib.Path(folder) / "names.db"), "-ORBEndpoint",
            f"tcp:127.0.0.1:{port}"]


def theirs(folder, port):
    return ["omniNames", "-logdir", str(folder), "-ORBendPoint", f"giop:tcp:127.0.0.1:{port}", "-ORBmaxServerThreadPerConnection", "1"]


def load(programs, server, seconds, contexts, each, threads=THREADS):
    """(calls a second, calls that failed, longest time without a reply in microseconds)."""
    command = [str(programs / "callis_naming_peer"), "load", server.reference, str(threads), str(seconds), str(contexts), str(each)]
    out = subprocess.run([*command, "-ORBCallTimeout", "600000"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return float(out[1]), int(out[3]), int(out[5])


def jacorb_program(peers):
    """None: it has not been built."""
    path = pathlib.Path(peers) / "jacorb" / "nameserver"
    return str(path.resolve()) if path.exists() else None


def measure(build, peers, rounds, seconds, bindings, contexts, progress):
    """{"resolve": {system: [calls a second of each round]}, "start_s": {system: n}, "idle_mib": n}"""
    programs = pathlib.Path(build) / "bin"
    each = bindings // contexts
    found = {"resolve": {}, "start_s": {}, "idle_mib": 0}
    with tempfile.TemporaryDirectory(prefix="callis-naming-") as folder, contextlib.ExitStack() as running:
        port = free_port()
        with Server([str(programs / "callis-naming"), "-ORBEndpoint", f"tcp:127.0.0.1:{port}"], port) as idle:
            found["idle_mib"] = idle.mib()
        progress(f"idle: {found['idle_mib']:.1f} MiB")
        subprocess.run([str(programs / "callis_naming_peer"), "fill", str(pathlib.Path(folder) / "names.db"), str(contexts), str(each)],
                       check=True)
        commands = {JUDGED: lambda p: ours(programs, folder, p)}
        if shutil.which("omniNames"):
            commands[OTHER] = lambda p: theirs(folder, p)
        servers = {}
        for system, command in commands.items():
            port = free_port()
            if system == OTHER:
                write_omninames(folder, port, contexts, each)
            begin = time.monotonic()
            servers[system] = running.enter_context(Server(command(port), port))
            load(programs, servers[system], 0.01, contexts, each, 1)  # a name is resolved
            found["start_s"][system] = time.monotonic() - begin
            progress(f"{system}: started with {bindings} bindings in {found['start_s'][system]:.2f} s, {servers[system].mib():.1f} MiB")
        if program := jacorb_program(peers):
            servers[JACORB] = running.enter_context(JacorbServer(program, folder))
            subprocess.run([str(programs / "callis_naming_peer"), "bind", servers[JACORB].reference, str(THREADS), str(contexts), str(each)],
                           check=True)
            load(programs, servers[JACORB], seconds, contexts, each)  # compiled by the virtual machine meanwhile
        for number in range(rounds):
            for system, server in servers.items():
                calls, failed, longest = load(programs, server, seconds, contexts, each)
                if failed:
                    raise RuntimeError(f"{failed} calls to {system} failed")
                found["resolve"].setdefault(system, []).append(calls)
                progress(f"round {number}: {system}: {calls:.0f} resolves/s, longest {longest / 1000:.1f} ms")
    return found


# ---- a part of the suite ----

def bindings_of(context):
    return context.pick(2_000, 20_000, 100_000)


def rounds_of(context):
    return context.pick(1, 3, 7)


def seconds_of(context):
    return context.pick(0.3, 1, 3)


def estimate(context):
    return 2 * rounds_of(context) * seconds_of(context) + context.pick(1, 10, 300)


def run(context):
    for program in ("callis-naming", "callis_naming_peer"):
        if not os.path.exists(os.path.join(context.build, "bin", program)):
            context.results.missing(SUITE, f"{JUDGED} naming", f"{program} has not been built")
            return
    if not shutil.which("omniNames"):
        context.results.missing(SUITE, OTHER, "omniNames is not installed (Debian's omniorb-nameserver)")
    if not jacorb_program(context.peers):
        context.results.missing(SUITE, JACORB, "JacORB has not been built")
    found = measure(context.build, context.peers, rounds_of(context), seconds_of(context), bindings_of(context), 1,
                    lambda what: context.progress(SUITE, what))
    for system, values in found["resolve"].items():
        for number, value in enumerate(values):
            context.results.add(SUITE, system, "resolve", "calls_per_s", value, number)
        if system in found["start_s"]:
            context.results.add(SUITE, system, "start", "ns", found["start_s"][system] * 1e9)
    context.results.add(SUITE, JUDGED, "idle", "bytes", found["idle_mib"] * 2**20)


def bars(results):
    if "resolve" not in results.cases(SUITE):
        return []
    ratio = results.ratio(SUITE, "resolve", "calls_per_s", JUDGED, OTHER)
    mine, its = (results.median(SUITE, system, "resolve", "calls_per_s") for system in (JUDGED, OTHER))
    title = f"services: names resolved for {THREADS} clients, callis naming ÷ omniNames"
    first = Row(title, "resolve", ratio[0], "", (">=", BARS["resolve"]),
                f"{mine:,.0f} ÷ {its:,.0f} a second; {ratio[1]:.2f} to {ratio[2]:.2f}") if ratio else \
        Row(title, "resolve", None, "", (">=", BARS["resolve"]), "there is no omniNames")
    beside = results.ratio(SUITE, "resolve", "calls_per_s", JUDGED, JACORB)
    return [first, *jacorb_row(beside),
            Row("services: start of callis naming with all bindings", "start", results.median(SUITE, JUDGED, "start", "ns") / 1e9, "s",
                ("<=", BARS["start_s"]), ""),
            Row("services: memory of an idle callis naming", "idle", results.median(SUITE, JUDGED, "idle", "bytes") / 2**20, "MiB",
                ("<=", BARS["idle_mib"]), "")]


def jacorb_row(ratio):
    if not ratio:
        return []
    return [Row(f"services: callis naming ÷ JacORB's name server, names resolved for {THREADS} clients", "resolve", ratio[0], "", None,
                f"{ratio[1]:.2f} to {ratio[2]:.2f}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--peers", help="folder of the built peers (BUILD/peers)")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--contexts", type=int, default=1)
    options = parser.parse_args()
    found = measure(options.build, options.peers or pathlib.Path(options.build) / "peers", 3, 1,
                    20_000 if options.quick else 100_000, options.contexts, print)
    ratios = [a / b for a, b in zip(found["resolve"][JUDGED], found["resolve"].get(OTHER, ()))]
    print(f"resolve: callis / omniNames {statistics.median(ratios):.2f}" if ratios else "there is no omniNames")
    if JACORB in found["resolve"]:
        ratios = [a / b for a, b in zip(found["resolve"][JUDGED], found["resolve"][JACORB])]
        print(f"resolve: callis / JacORB {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    sys.exit(main())
