# SPDX-License-Identifier: Apache-2.0
"""References of a server that ends and comes back on its port, in other processes each time (CORBA 3.3 part 1, 15.2 and 15.3.9).

Persistent ones lead to the objects of the life that is, through adapters that are made when they are asked for; transient ones
to OBJECT_NOT_EXIST, though adapters and objects of the same names are there. One client has its connection open all the time.

restart-under-load: the same while threads call. What was COMPLETED_NO they send again; still nothing is executed twice.
"""
import collections
import pathlib
import re
import tempfile

from harness.ports import fixed_port
from harness.process import Failure
from interop import whereabouts
from interop.whereabouts import Client, Server, check

LASTING = ("inner", "located")


def add_options(tests):
    load = tests.add_parser("restart-under-load", help="a server that ends and comes back while threads call")
    load.add_argument("--end", required=True, choices=("orderly", "kill"))
    load.set_defaults(run=run_under_load)
    plain = tests.add_parser("restart", help=__doc__.splitlines()[0])
    plain.set_defaults(run=run)
    for parser in (plain, load):
        whereabouts.add_options(parser)
        parser.add_argument("--client-options", default="", help="separated by spaces")
        parser.add_argument("--server-options", default="")


class Lives:
    """One server after the other, all on one port."""

    def __init__(self, options, processes, log="/dev/null"):
        self._options, self._processes, self._port, self._log = options, processes, fixed_port(), log
        self.now = None

    def begin(self, name):
        self.now = Server(self._options, self._processes, name, port=self._port, log=self._log,
                          more=self._options.server_options.split())
        self.transient = self.now.reference("passing", "of_the_same_name")

    def references(self):
        return {"inner": self.now.reference("lasting/inner", "kept/in.a.map"),
                "located": self.now.reference("located", "found/each.time"), "passing": self.transient}


def run(options, processes):
    lives = Lives(options, processes)
    lives.begin("first")
    references = lives.references()
    old = Client(options, processes, options.client_options.split())
    old.refer(**references)
    serves(old, "first")
    old.expect("who passing", "said first:of_the_same_name")

    lives.now.end()  # with CloseConnection
    lives.begin("second")
    comes_back(old, lives, "second")
    new = Client(options, processes, options.client_options.split())
    new.refer(**references)
    for client in (new, old):
        serves(client, "second")
        is_over(client)
    new.refer(another=lives.transient)
    new.expect("who another", "said second:of_the_same_name")

    lives.now.kill()  # without
    lives.begin("third")
    comes_back(old, lives, "third")
    serves(old, "third")
    is_over(old)

    lives.now.end()
    find_nobody(old)
    lives.begin("fourth")
    serves(old, "fourth")

    old.begin("rest inner")
    lives.now.wait_for_rest()
    lives.now.kill()
    check("rest inner", old.answer(), "raised COMM_FAILURE", "MAYBE")
    lives.begin("fifth")
    serves(old, "fifth")
    for client in (old, new):
        client.end()
    lives.now.end()


def serves(client, life):
    client.expect("who inner", f"said {life}:kept/in.a.map")
    client.expect("who located", f"said {life}:found/each.time")
    client.expect("gone inner", "said false")


def is_over(client):
    client.expect("who passing", "raised OBJECT_NOT_EXIST", "NO")
    client.expect("gone passing", "said true")


def comes_back(client, lives, life):
    """The first call finds the connection closed that the last one used: nothing of it can have been executed.

    omniORB's client does not look before it sends, and cannot tell. Nor does callis within ten milliseconds of its last call,
    in which a server may have come back: the server has something else to do until then.
    """
    while client.idle() < 0.02:
        lives.references()
    answer = client.ask("who inner")
    if client.peer == "omni" and answer.startswith("raised COMM_FAILURE"):
        return
    check("who inner", answer, f"said {life}:kept/in.a.map")


def find_nobody(client):
    first = client.ask("who inner")
    if not (client.peer == "omni" and first.startswith("raised COMM_FAILURE")):
        check("who inner", first, "raised TRANSIENT", "NO")
    for name in LASTING:
        client.expect(f"who {name}", "raised TRANSIENT", "NO")


# ---- under load ----

LIVES = 5


def run_under_load(options, processes):
    with tempfile.TemporaryDirectory() as directory:
        log = pathlib.Path(directory) / "tokens"
        lives = Lives(options, processes, log)
        lives.begin("life 0")
        client = Client(options, processes, options.client_options.split())
        client.refer(object=lives.now.reference("lasting/inner", "object"))
        client.expect("keep_on object", "ok")
        for number in range(1, LIVES):
            lives.now.wait_until_busy()
            if options.end == "kill":
                lives.now.kill()
            else:
                lives.now.end()
            lives.begin(f"life {number}")
        lives.now.wait_until_busy()
        answer = client.ask("stop")
        client.end()
        lives.now.end()
        check_tokens(options, answer, collections.Counter(log.read_text().split()))


def check_tokens(options, answer, executed):
    print(answer[:200], f"executed {executed.total()}")
    found = re.fullmatch(r"said ([\d ]+) refused (\d+) maybe(.*)", answer)
    if not found:
        raise Failure(f"the client says {answer}")
    sent = {f"{thread}.{i}" for thread, n in enumerate(found.group(1).split()) for i in range(int(n))}
    why = dict(each.split("=") for each in found.group(3).split())
    unsure = why.keys()
    twice = [token for token, n in executed.items() if n > 1]
    if twice or not sent - unsure <= executed.keys() <= sent:
        raise Failure(f"executed twice: {twice[:5]}; not at all: {sorted(sent - unsure - executed.keys())[:5]}; "
                      f"not sent: {sorted(executed.keys() - sent)[:5]}")
    if unsure and options.end == "orderly":
        raise Failure(f"COMPLETED_MAYBE, though the server said CloseConnection: {why}")
