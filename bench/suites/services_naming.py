# SPDX-License-Identifier: Apache-2.0
"""Measurements of `callis naming` beside omniNames, for the suite of the services: the same names in both, the same client.

    services_naming.py --build FOLDER [--quick] [--contexts N]      prints what it measures

16 clients resolve names at random among 100,000 (--quick: 20,000) that are bound in one context, or in N. omniNames keeps the bindings of a
context in a list. It walks that for each line of its file, too: with 100,000 in one context its start takes minutes, while callis waits.
"""
import argparse
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

BINDINGS, QUICK_BINDINGS = 100_000, 20_000
THREADS = 16
BARS = {"resolve_ratio": 3.0, "start_s": 1.0, "idle_mib": 8.0}


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
    return [str(programs / "callis-naming"), "--store", str(pathlib.Path(folder) / "names.db"), "-ORBEndpoint",
            f"tcp:127.0.0.1:{port}"]


def theirs(folder, port):
    return ["omniNames", "-logdir", str(folder), "-ORBendPoint", f"giop:tcp:127.0.0.1:{port}", "-ORBmaxServerThreadPerConnection", "1"]


def load(programs, server, seconds, contexts, each, threads=THREADS):
    """(calls a second, calls that failed, longest time without a reply in microseconds)."""
    command = [str(programs / "callis_naming_peer"), "load", server.reference, str(threads), str(seconds), str(contexts), str(each)]
    out = subprocess.run([*command, "-ORBCallTimeout", "600000"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return float(out[1]), int(out[3]), int(out[5])


def measure(build, rounds, seconds, contexts=1, each=BINDINGS, progress=print):
    """`each` bindings in so many contexts: {"resolve": {system: [calls a second of each round]}, "start_s": {...}, "idle_mib": n}"""
    programs = pathlib.Path(build) / "bin"
    found = {"resolve": {}, "start_s": {}, "idle_mib": 0}
    with tempfile.TemporaryDirectory(prefix="callis-naming-") as folder:
        port = free_port()
        with Server([str(programs / "callis-naming"), "-ORBEndpoint", f"tcp:127.0.0.1:{port}"], port) as idle:
            found["idle_mib"] = idle.mib()
        progress(f"idle: {found['idle_mib']:.1f} MiB")
        servers = {}
        subprocess.run([str(programs / "callis_naming_peer"), "fill", str(pathlib.Path(folder) / "names.db"), str(contexts), str(each)],
                       check=True)
        commands = {"callis": lambda p: ours(programs, folder, p)}
        if shutil.which("omniNames"):
            commands["omninames"] = lambda p: theirs(folder, p)
        try:
            for system, command in commands.items():
                port = free_port()
                if system == "omninames":
                    write_omninames(folder, port, contexts, each)
                begin = time.monotonic()
                servers[system] = Server(command(port), port)
                load(programs, servers[system], 0.01, contexts, each, 1)  # a name is resolved
                found["start_s"][system] = time.monotonic() - begin
                progress(f"{system}: started with {contexts * each} bindings in {found['start_s'][system]:.2f} s, "
                         f"{servers[system].mib():.1f} MiB")
            for number in range(rounds):
                for system, server in servers.items():
                    calls, failed, longest = load(programs, server, seconds, contexts, each)
                    if failed:
                        raise RuntimeError(f"{failed} calls to {system} failed")
                    found["resolve"].setdefault(system, []).append(calls)
                    progress(f"round {number}: {system}: {calls:.0f} calls/s, longest {longest / 1000:.1f} ms")
        finally:
            for server in servers.values():
                server.__exit__()
    return found


def ratio(found):
    """Median over the rounds of ours to theirs; None without omniNames."""
    pairs = zip(found["resolve"]["callis"], found["resolve"].get("omninames", ()))
    ratios = [a / b for a, b in pairs]
    return statistics.median(ratios) if ratios else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--contexts", type=int, default=1)
    options = parser.parse_args()
    bindings = QUICK_BINDINGS if options.quick else BINDINGS
    found = measure(options.build, 3 if options.quick else 10, 1 if options.quick else 3, options.contexts, bindings // options.contexts)
    of = ratio(found)
    print(f"resolve: callis / omniNames {'(not here)' if of is None else f'{of:.2f}'} (bar {BARS['resolve_ratio']})")
    print(f"start: {found['start_s']['callis']:.2f} s (bar {BARS['start_s']}); idle {found['idle_mib']:.1f} MiB (bar {BARS['idle_mib']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
