# SPDX-License-Identifier: Apache-2.0
"""Attacks on the trader."""
import socket

from attack.attack import NotHeld
from attack.cdr import TK_ANY, TK_ENUM, TK_LONG, TK_OBJREF, TK_STRUCT, TK_TYPECODE, TK_ULONG, Cdr
from attack.hostile import CountingListener
from attack.services import (NOBODY, OTHER_HOST, FakeServer, ServiceAttack, any_long, any_string, put_reference,
                             tcp_reference, unix_reference)

OFFERED = tcp_reference(9, "IDL:X:1.0")
NONE, SOME, ALL = range(3)  # CosTrading::Lookup::HowManyProps


def dynamic(cdr, reference):
    """An any with a CosTradingDynamic::DynamicProp of a long."""
    with cdr.complex_type(TK_STRUCT, "IDL:omg.org/CosTradingDynamic/DynamicProp:1.0", "DynamicProp"):
        cdr.ulong(3).string("eval_if")
        with cdr.complex_type(TK_OBJREF, "IDL:omg.org/CosTradingDynamic/DynamicPropEval:1.0", "DynamicPropEval"):
            pass
        cdr.string("returned_type").ulong(TK_TYPECODE).string("extra_info").ulong(TK_ANY)
    return put_reference(cdr, reference).ulong(TK_LONG, 0, 0)


def offer(service_type, name="", put=None, reference=OFFERED):
    cdr = put_reference(Cdr(), reference).string(service_type).ulong(int(bool(name)))
    if name:
        put(cdr.string(name))
    return bytes(cdr)


def query(service_type, constraint="", policies=(), wanted=NONE):
    cdr = Cdr().string(service_type).string(constraint).string("").ulong(len(policies))
    for name, put in policies:
        put(cdr.string(name))
    return bytes(cdr.ulong(wanted, 10))


def always_follow(cdr):
    with cdr.complex_type(TK_ENUM, "IDL:omg.org/CosTrading/FollowOption:1.0", "FollowOption"):
        cdr.ulong(3).string("local_only").string("if_no_local").string("always")
    cdr.ulong(2)


class _Trading(ServiceAttack):
    service = "trading"

    def prepare(self):
        self._types = self.local(self.target.key).part("_get_type_repos")
        self.add_type("Strangers")
        self.add_type("Good")
        self._register = self.local(self.target.key).part("_get_register_if")
        self._register.must("export", offer("Good", "name", lambda cdr: any_string(cdr, "x")))

    def add_type(self, name, interface=""):
        self._types.must("add_type", Cdr().string(name).string(interface).ulong(0, 0))

    def good(self):
        return self.target.path, self.target.key, "query", query("Good", "exist name"), ("ok",)

    def register(self, source=0):
        return self.stranger(self.target.key, source).part("_get_register_if")


class BigOffers(_Trading):
    """Offers of 480 KB are exported until they are refused."""

    promised = "NO_RESOURCES; others query"
    durable = True

    def lap(self):
        register = self.register()
        big = offer("Strangers", "text", lambda cdr: any_string(cdr, "x" * 480000))
        self.until_refused(lambda number: register.call("export", big)[0], 3000)


class LongQueries(_Trading):
    """Queries for substrings in large texts, by eight readers; the good client exports."""

    promised = "a writer waits 50 ms at most"
    judges_wait = True

    def prepare(self):
        super().prepare()
        register = self.register()
        for _ in range(60):
            register.must("export", offer("Strangers", "text", lambda cdr: any_string(cdr, "a" * (1 << 18))))

    def good(self):
        return (self.target.path, self._register.key, "export",
                offer("Good", "name", lambda cdr: any_string(cdr, "x")), ("ok",))

    def lap(self):
        text = query("Strangers", f"'{'a' * 1500}b' ~ text")

        def work():
            trader = self.stranger(self.target.key)
            return lambda: trader.call("query", text)[0]
        self.while_reading(8, work)


class LinkedLiar(_Trading):
    """A linked trader that answers 12 MB to each question, without end."""

    promised = "8 MB of answers are kept"

    def prepare(self):
        super().prepare()
        self._liar = FakeServer(_get_register_if=NOBODY)
        self._liar.__enter__()
        myself = tcp_reference(self._liar.port, "IDL:omg.org/CosTrading/Lookup:1.0")
        offers = put_reference(Cdr().ulong(1), OFFERED).ulong(1).string("p")
        any_string(offers, "x" * (12 << 20))
        self._liar.answers["query"] = bytes(put_reference(offers, myself).ulong(0))
        more = put_reference(Cdr().put("B", 1).ulong(1), OFFERED).ulong(1).string("p")
        self._liar.answers["next_n"] = bytes(any_string(more, "x" * (12 << 20)))
        link = self.local(self.target.key).part("_get_link_if")
        link.must("add_link", put_reference(Cdr().string("liar"), myself).ulong(2, 2))

    def lap(self):
        policies = [("link_follow_rule", always_follow),
                    ("return_card", lambda cdr: cdr.ulong(TK_ULONG, 0xffffffff)), ("hop_count", lambda cdr: cdr.ulong(TK_ULONG, 1))]
        trader = self.stranger(self.target.key)
        for _ in range(self.scaled(3, 1)):
            word, _ = trader.call("query", query("Strangers", "", policies, ALL))
            self.expect(word, "ok", "user", "NO_RESOURCES", "IMP_LIMIT")
        if not self._liar.operations["query"]:
            raise NotHeld("the linked trader has not been asked")

    def finish(self):
        self._liar.__exit__()


class HangingProperties(_Trading):
    """Dynamic properties of a stranger's server that hangs, by 60 queries at once; the good client's come from another."""

    promised = "others' dynamic properties are read"

    def prepare(self):
        super().prepare()
        self._trap, self._quick = FakeServer(), FakeServer(evalDP=bytes(any_long(Cdr(), 7)))
        for server in (self._trap, self._quick):
            server.__enter__()
        strangers = self.register()
        for _ in range(60):
            strangers.must("export", offer("Strangers", "d", lambda cdr: dynamic(cdr, tcp_reference(self._trap.port))))
        self._register.must("export", offer("Good", "d", lambda cdr: dynamic(cdr, tcp_reference(self._quick.port))))

    def good(self):
        return self.target.path, self.target.key, "query", query("Good", "d == 7"), ("ok",)

    def lap(self):
        def work():
            trader = self.stranger(self.target.key)
            return lambda: trader.call("query", query("Strangers", "d == 7"))[0]
        self.while_reading(self.scaled(60, 20), work)

    def settle(self):
        found = self.local(self.target.key).must("query", query("Good", "d == 7")).ulong()
        if found != 1 or not self._quick.operations["evalDP"]:
            raise NotHeld(f"a good query finds {found} offers")

    def finish(self):
        for server in (self._trap, self._quick):
            server.__exit__()


class StrangersReferences(_Trading):
    """A peer of another machine exports objects, whose interface the trader asks for, dynamic properties, and proxy offers, at
    a loopback port and at a Unix-domain socket, and adds a trader as a link."""

    promised = "nobody comes there"
    durable = True

    def prepare(self):
        super().prepare()
        self.add_type("Asked", "IDL:Secret:1.0")

    def lap(self):
        path = str(self.target.folder / "private")
        places = (CountingListener(socket.AF_INET, ("127.0.0.1", 0)), CountingListener(socket.AF_UNIX, path))
        trader = self.stranger(self.target.key, OTHER_HOST)
        register, link = self.register(OTHER_HOST), trader.part("_get_link_if")
        proxies = trader.part("_get_proxy_if")
        for number, reference in enumerate((tcp_reference(places[0].socket.getsockname()[1]), unix_reference(path))):
            for word in (register.call("export", offer("Asked", reference=reference))[0],
                         register.call("export", offer("Strangers", "d", lambda cdr, at=reference: dynamic(cdr, at)))[0],
                         trader.call("query", query("Strangers", "d == 7"))[0],
                         proxies.call("export_proxy", put_reference(Cdr(), reference).string("Strangers").ulong(0)
                                      .put("B", 0).string("").ulong(0))[0],
                         trader.call("query", query("Strangers"))[0],
                         link.call("add_link", put_reference(Cdr().string(f"l{number}"), reference).ulong(0, 0))[0]):
                self.note(word)
        self._places = places

    def settle(self):
        """The trader does not come there either once it has read the offers from its store."""
        self._look()
        self.target.stop()
        self.target.start()
        self.note(f"after a restart {self.local(self.target.key).call('query', query('Strangers', 'd == 7'))[0]}")
        self._look()

    def _look(self):
        if came := [place.socket.family.name for place in self._places if place.came]:
            raise NotHeld(f"the trader came to {' and '.join(came)}")
