# SPDX-License-Identifier: Apache-2.0
"""`callis naming` under the clients of other ORBs, and under what happens to servers."""
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile

from harness import giop, ports
from harness.process import Failure
from harness.reference import Reference
from interop import jacorb, java, mixed
from interop.echo import TIMEOUT

HERE = pathlib.Path(__file__).resolve().parent
NAMING_IDL = HERE.parent.parent / "services" / "naming" / "CosNaming.idl"
THING = "corbaloc::127.0.0.1:1/thing"
CASES = ("omni", "jacorb", "jndi", "combat", "scripted", "ns", "omninames", "import", "killed", "killed_on_etcd", "etcd", "unit")


def add_options(tests):
    parser = tests.add_parser("names", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--jacorb", required=True, type=pathlib.Path)
    parser.add_argument("--case", required=True, choices=CASES)
    parser.add_argument("--unit", type=pathlib.Path, help="callis-naming.service")
    parser.add_argument("--rounds", type=int, default=5, help="how often a server is killed")
    parser.set_defaults(run=lambda options, processes: Case(options, processes).run())


def want(found, expected, what):
    if found != expected:
        raise Failure(f"{what}: {found!r}, not {expected!r}")


class Case:
    def __init__(self, options, processes):
        self.options, self.processes = options, processes
        self.programs = pathlib.Path(options.callis).parent
        self.port = ports.fixed_port()
        self.root = self.folder = None

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            getattr(self, f"case_{self.options.case}")()

    def at(self, port=None):
        return f"corbaloc:iiop:1.2@127.0.0.1:{port or self.port}/NameService"

    def serve(self, *options, port=None):
        command = [self.options.callis, "naming", "--allow", "admin=any", "-ORBEndpoint", f"tcp:127.0.0.1:{port or self.port}", *options]
        server = self.processes.start("naming", command)
        self.root = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
        return server

    def end(self, server, how=signal.SIGTERM):
        server.signal(how)
        status = server.finish(TIMEOUT)
        if how == signal.SIGTERM and status != 0:
            raise Failure(f"callis naming ended with {status}")

    def shell(self, *words, status=0):
        done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT,
                              check=False)
        if status is not None and done.returncode != status:
            raise Failure(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stdout}")
        return done.stdout

    def ns(self, *words, port=None, status=0):
        return self.shell(self.options.callis, "ns", *words, "--name-service", self.at(port), status=status)

    def nameclt(self, *words, port=None, status=0):
        if not shutil.which("nameclt"):
            raise Failure("nameclt is not installed (Debian's omniorb)")
        return self.shell("nameclt", "-ORBInitRef", f"NameService={self.at(port)}", *words, status=status)

    def lines(self, command):
        client = self.processes.start("client", command)
        if client.finish(4 * TIMEOUT) != 0:
            raise Failure(f"the client failed: {client.output[-5:]}")
        return client.output

    # ---- clients ----

    def case_omni(self):
        server = self.serve("--store", self.folder / "names.db")
        if not self.nameclt("bind_new_context", "shop").startswith("IOR:"):
            raise Failure("bind_new_context gives no reference")
        self.nameclt("bind_new_context", "shop/dir.k")
        self.nameclt("bind", r"shop/a\.b.c\/d", THING)
        self.nameclt("bind", "shop/x y", THING)
        want(sorted(self.nameclt("list", "shop").splitlines()), sorted(["dir.k/", r"a\.b.c\/d", "x y"]), "list")
        thing = self.nameclt("resolve", "shop/x y").strip()
        if not thing.startswith("IOR:"):
            raise Failure(thing)
        for words in (("bind", "shop/x y", THING), ("resolve", "shop/nothing"), ("resolve", "nothing/x"),
                      ("bind_new_context", "shop"), ("remove_context", "shop")):
            if "exception" not in self.nameclt(*words, status=None).lower():
                raise Failure(f"nameclt {words} was told nothing: {self.nameclt(*words, status=None)}")
        self.nameclt("-advanced", "rebind", "shop/x y", THING)
        self.nameclt("-advanced", "bind_context", "shop/up", self.at())
        want(self.nameclt("resolve", "shop/up/shop/x y").strip(), thing, "through a circle")
        self.nameclt("unbind", "shop/x y")
        self.nameclt("remove_context", "shop/dir.k")
        self.end(server, signal.SIGKILL)
        server = self.serve("--store", self.folder / "names.db")
        want(sorted(self.nameclt("list", "shop").splitlines()), sorted([r"a\.b.c\/d", "up/"]), "list after kill -9")
        self.end(server)

    def case_jacorb(self):
        server = self.serve()
        found = self.lines(jacorb.command(self.options.jacorb, "naming.Client", [self.at()]))
        want(found, ["resolved true", "by text true", "bind: AlreadyBound", "missing: NotFound 0 x. y.",
                     "through: NotFound 1 o. p.", "rebind: NotFound 2 deep.k", "nothing: InvalidName", "destroy: NotEmpty",
                     "listed 31 in 5", r"a\.b.c\/d/.k", "corbaname::host:2809/NameService#a%20b/c",
                     "unbound: NotFound 0 deep.k o."], "JacORB")
        self.end(server)

    def case_jndi(self):
        server = self.serve()
        found = self.lines(java.program(self.options.jacorb, "openjdk", "naming.Jndi",
                                        [f"iiop://127.0.0.1:{self.port}", *java.ORBS["openjdk"].at_loopback]))
        want(found, ["listed 151", "resolved true true", "bind: NameAlreadyBoundException", "rebind: done", "missing: NameNotFoundException",
                     "through: NameNotFoundException", "destroy: ContextNotEmptyException", "destroy: done", "destroy: done",
                     "gone: NameNotFoundException"], "JNDI")
        self.end(server)

    def case_combat(self):
        if not shutil.which("tclsh"):
            raise Failure("tclsh is not installed (tcl-combat)")
        server = self.serve()
        repository = self.processes.start("ifr", [self.options.callis, "ifr", "--allow", "admin=any", "-ORBEndpoint", "tcp:127.0.0.1:0"])
        types = repository.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
        self.shell(self.options.callis, "ifr", "feed", types, NAMING_IDL)
        found = self.lines(["tclsh", mixed.COMBAT / "naming.tcl", self.root, "-ORBInitRef", f"InterfaceRepository={types}"])
        want(found, ["resolved 1", "bind 1 IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0",
                     "missing 1 IDL:omg.org/CosNaming/NamingContext/NotFound:1.0", "listed 1 x", "text tcl.dir/x", "left 1"], "Combat")
        self.end(server)

    def case_scripted(self):
        """By hand, in either byte order and each version: bind a context, resolve in it, resolve what is not there."""
        server = self.serve()
        key = Reference(self.root).object_key
        for number, (version, little) in enumerate((v, o) for v in giop.VERSIONS for o in (True, False)):
            with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT) as s:
                def name(writer, *ids):
                    writer.put("I", len(ids))
                    for i in ids:
                        writer.string(i).string("k")

                def call(operation, *ids):
                    s.sendall(giop.request(version, little, 5, key, operation, lambda w: name(w, *ids)).raw())
                    with s.makefile("rb") as stream:
                        header = stream.read(giop.HEADER_BYTES)
                        size = int.from_bytes(header[8:12], "little" if header[6] & 1 else "big")
                        message = giop.Message((header[4], header[5]), header[6], header[7], stream.read(size))
                    return giop.read_reply(message)[1:]

                mine = f"by hand {number}"
                status, reader = call("bind_new_context", mine)
                want((status, reader.string()), (giop.NO_EXCEPTION, "IDL:omg.org/CosNaming/NamingContextExt:1.0"), "bind_new_context")
                want(call("resolve", mine)[0], giop.NO_EXCEPTION, "resolve")
                status, reader = call("resolve", mine, "a", "b")
                want(status, giop.USER_EXCEPTION, "resolve of nothing")
                want(reader.string(), "IDL:omg.org/CosNaming/NamingContext/NotFound:1.0", "exception")
                want((reader.ulong(), reader.ulong(), reader.string(), reader.string(), reader.string()), (0, 2, "a", "k", "b"),
                     "why and rest_of_name")
                status, reader = call("resolve")
                want((status, reader.string()), (giop.USER_EXCEPTION, "IDL:omg.org/CosNaming/NamingContext/InvalidName:1.0"), "no name")
        self.end(server)

    # ---- callis ns, and omniNames ----

    def ns_works(self, port):
        """callis ns with a name service of any ORB."""
        self.ns("mkdir", "-p", "shop/dir.k", port=port)
        self.ns("bind", r"shop/a\.b.c", THING, port=port)
        self.ns("bind", "shop/x y", THING, port=port)
        want(self.ns("ls", "-r", port=port), "shop/\nshop/dir.k/\nshop/a\\.b.c\nshop/x y\n", "ls -r")
        self.ns("rebind", "shop/x y", THING + "2", port=port)
        self.ns("unbind", "shop/x y", port=port)
        self.ns("rm", "shop", port=port, status=3)
        exported = self.ns("export", port=port)
        self.ns("rm", "-r", "shop", port=port)
        want(self.ns("ls", port=port), "", "ls")
        (self.folder / "names.json").write_text(exported)
        self.ns("import", self.folder / "names.json", port=port)
        want(json.loads(self.ns("export", port=port)), json.loads(exported), "export")

    def omni_names(self, port):
        if not shutil.which("omniNames"):
            raise Failure("omniNames is not installed (Debian's omniorb-nameserver)")
        server = self.processes.start("omniNames", ["omniNames", "-start", str(port), "-logdir", self.folder, "-ORBendPoint",
                                                    f"giop:tcp:127.0.0.1:{port}"])
        server.wait_for(lambda line: "Root context is IOR:" in line, TIMEOUT)
        return server

    def case_ns(self):
        server = self.serve()
        self.ns_works(self.port)
        self.end(server)

    def case_omninames(self):
        other = ports.fixed_port()
        names = self.omni_names(other)
        self.ns_works(other)
        # A federation of both: names that lead from one into the other, either way.
        server = self.serve()
        self.ns("bind", "--context", "theirs", self.at(other))
        self.ns("bind", "--context", "ours", self.at(), port=other)
        self.ns("bind", "theirs/far", THING)
        self.nameclt("resolve", "far", port=other)
        self.ns("bind", "near", THING)
        self.nameclt("resolve", "ours/near", port=other)
        self.nameclt("resolve", "theirs/ours/theirs/far")
        names.signal(signal.SIGTERM)
        names.finish(TIMEOUT)
        told = self.ns("resolve", "theirs/far", status=3)
        if "CannotProceed" not in told:
            raise Failure(told)
        self.end(server)

    def case_import(self):
        """What omniNames has in its file is what its clients saw."""
        other = ports.fixed_port()
        names = self.omni_names(other)
        for words in (("bind_new_context", "shop"), ("bind_new_context", "shop/dir.k"), ("bind", r"shop/a\.b.c\/d", THING),
                      ("bind", "x y \u00e4\t\\\\.k", THING), ("bind", "gone", THING), ("unbind", "gone"),
                      ("-advanced", "bind_context", "shop/up", self.at(other)), ("-advanced", "rebind", r"shop/a\.b.c\/d", THING + "2")):
            self.nameclt(*words, port=other)
        expected = json.loads(self.ns("export", port=other))
        names.signal(signal.SIGTERM)
        names.finish(TIMEOUT)
        (file,) = self.folder.glob("omninames-*.dat")
        server = self.serve()
        want(self.ns("import", file), self.imported(expected), "import")
        found = json.loads(self.ns("export"))
        # The circle by corbaloc leads to the other service's address: it is another's context here.
        def plain(graph):
            return [sorted((b["id"], b.get("kind", ""), b.get("object", "context")) for b in c["bindings"]) for c in graph["contexts"]]
        want(plain(found), plain(expected), "what was imported")
        self.end(server)

    @staticmethod
    def imported(graph):
        bindings = [b for c in graph["contexts"] for b in c["bindings"]]
        objects = sum("object" in b for b in bindings)
        return f"{objects} objects, {len(bindings) - objects} contexts\n"

    # ---- what happens to servers ----

    def case_killed(self):
        """kill -9 under four writers: what was acknowledged is there, and nothing by halves."""
        self.kill_often(f"{self.folder}/names")

    def case_killed_on_etcd(self):
        self.kill_often(self.start_etcd())

    def kill_often(self, place):
        for number in range(self.options.rounds):
            store = f"{place}-{number // 10}"  # with names of a few lives, which export reads one by one
            server = self.serve("--store", store)
            writers = self.processes.start("writers", [self.programs / "callis_naming_peer", "write", self.at(), "4", f"r{number}", "60"])
            for _ in range(40 + 37 * (number % 7)):  # a moment of its own
                writers.wait_for(lambda line: re.fullmatch(r"\d+ \d+", line), TIMEOUT)
            self.end(server, signal.SIGKILL)
            writers.finish(2 * TIMEOUT)
            last = {}
            for line in writers.output:
                if re.fullmatch(r"\d+ \d+", line):
                    thread, change = map(int, line.split())
                    last[thread] = change
            server = self.serve("--store", store)
            self.compare(json.loads(self.ns("export")), number, last)
            self.end(server)

    def compare(self, graph, number, last):
        contexts = graph["contexts"]
        root = {b["id"]: contexts[b["context"]]["bindings"] for b in contexts[0]["bindings"]}
        for thread in range(4):
            done = last.get(thread, -1)
            for group in range((done + 1) // 4 + 1):
                name = f"r{number}-{thread}-{group}"
                states = [self.state(group, k) for k in (done, done + 1)]  # the change that was under way may be there
                found = None if name not in root else [b["object"] for b in root[name]]
                if found is not None:
                    found = [int(bytes.fromhex(o[4:]).split(b"object-")[1].decode()) for o in found]
                if found not in states:
                    raise Failure(f"round {number}, {name}: {found}, not one of {states}; the last acknowledged change was {done}")

    @staticmethod
    def state(group, done):
        """What the context of that group has after change `done`: None, or a list of the objects' numbers."""
        k = min(done - 4 * group, 3)
        if k < 0:
            return None
        return [[], [4 * group + 1], [4 * group + 2], [] if group % 2 == 0 else [4 * group + 2]][k]

    def case_unit(self):
        """The unit of systemd: checked by systemd-analyze where that is, and its command run as systemd runs it."""
        unit = self.options.unit.read_text()
        command = re.search(r"^ExecStart=(.*)$", unit, re.M).group(1)
        installed = command.split()[0]
        if shutil.which("systemd-analyze"):
            tried = self.folder / "callis-naming.service"
            tried.write_text(unit.replace(f"ExecStart={installed}", f"ExecStart={(self.programs / 'callis-naming').resolve()}"))
            told = self.shell("systemd-analyze", "verify", "--man=no", tried, status=None)
            wrong = [line for line in told.splitlines() if "callis-naming" in line]
            want(wrong, [], "systemd-analyze")
        where = {"STATE_DIRECTORY": str(self.folder), "RUNTIME_DIRECTORY": str(self.folder), "NOTIFY_SOCKET": str(self.folder / "notify"),
                 "WATCHDOG_USEC": "200000"}
        words = [re.sub(r"\$\{(\w+)\}", lambda m: where[m.group(1)], word) for word in command.split()[1:]]
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(where["NOTIFY_SOCKET"])
            notified.settimeout(TIMEOUT)
            server = self.processes.start("naming", [self.programs / "callis-naming", *words, "-ORBEndpoint",
                                                     f"tcp:127.0.0.1:{self.port}"], where)
            for state in ("READY=1", "WATCHDOG=1"):
                while state not in notified.recv(4096).decode().splitlines():
                    pass
            self.ns("bind", "x", THING)
            want((self.folder / "ior").read_text().startswith("IOR:"), True, "the IOR file")
            server.signal(signal.SIGTERM)
            while "STOPPING=1" not in notified.recv(4096).decode().splitlines():
                pass
            want(server.finish(TIMEOUT), 0, "status")
        want((self.folder / "names.db").exists(), True, "the store")

    def start_etcd(self):
        if not shutil.which("etcd"):
            raise Failure("etcd is not installed (Debian's etcd-server)")
        client, peer = ports.fixed_port(), ports.fixed_port()
        etcd = self.processes.start("etcd", [
            "etcd", "--data-dir", self.folder / "etcd", "--listen-client-urls", f"http://127.0.0.1:{client}",
            "--advertise-client-urls", f"http://127.0.0.1:{client}", "--listen-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}", "--initial-cluster", f"default=http://127.0.0.1:{peer}"])
        etcd.wait_for(lambda line: "ready to serve client requests" in line, TIMEOUT)
        return f"etcd:127.0.0.1:{client}/naming"

    def case_etcd(self):
        """Two instances on one etcd, one killed under load: clients go on at the other."""
        store = self.start_etcd()
        second = ports.fixed_port()
        one = self.serve("--store", store)
        two = self.serve("--store", store, port=second)
        self.ns("mkdir", "c0")
        for o in range(4):
            self.ns("bind", f"c0/o{o}", THING, port=second if o % 2 else None)
        for port in (None, second):
            want(self.ns("ls", "c0", port=port), "o0\no1\no2\no3\n", "ls")
        self.ns("bind", "c0/o0", THING, port=second, status=3)
        # A reference made when both were known has the addresses of both.
        both = f"corbaloc:iiop:1.2@127.0.0.1:{self.port},iiop:1.2@127.0.0.1:{second}/NameService"
        load = self.processes.start("load", [self.programs / "callis_naming_peer", "load", both, "4", "4", "1", "4"])
        writers = self.processes.start("writers", [self.programs / "callis_naming_peer", "write", self.at(second), "1", "w", "4"])
        writers.wait_for(lambda line: line.startswith("0 "), TIMEOUT)
        self.end(one, signal.SIGKILL)
        if load.finish(2 * TIMEOUT) != 0:
            raise Failure("the clients failed")
        calls, failed, longest = (float(load.output[-1].split()[i]) for i in (1, 3, 5))
        print(f"{calls:.0f} calls/s, {failed:.0f} failed, longest gap {longest / 1000:.1f} ms")
        if calls < 10 or longest > 3e6:
            raise Failure(load.output[-1])
        writers.finish(TIMEOUT)
        # One that comes back knows all.
        one = self.serve("--store", store)
        want(len(self.ns("ls", "-r").splitlines()), len(self.ns("ls", "-r", port=second).splitlines()), "names at both")
        self.end(one)
        self.end(two)

