# SPDX-License-Identifier: Apache-2.0
"""A service's program, started for a test, and the ways to each kind of its objects."""
import os
import select
import signal
import socket
import subprocess

import giop
from giop import cdr

TIMEOUT = 20
STRANGER = 65534
WORDS = {"ifr": ["serve"], "imr": ["serve"], "schedule": ["serve"],
         "events": ["--channel", "one", "--typed", "two", "--rt-channel", "three"],
         "lifecycle": ["--location", "/", "-ORBInitRef", "NameService=corbaloc::127.0.0.1:1/NameService"]}
# Of typed channels, and one of each kind of definition.
IDL = b"""
interface Sensor { oneway void measured(in long value); };
interface PullSensor { void pull_measured(out long value); boolean try_pull_measured(out long value); };
module M {
  const long ConstantDef = 1;
  typedef string<5> StringDef;
  typedef wstring<5> WstringDef;
  typedef sequence<long> SequenceDef;
  typedef long ArrayDef[3];
  typedef fixed<5, 2> FixedDef;
  struct StructDef { long member; };
  union UnionDef switch (long) { case 1: long member; };
  enum EnumDef { one, two };
  exception ExceptionDef { long member; };
  native NativeDef;
  interface InterfaceDef { attribute long AttributeDef; void OperationDef(); };
  abstract interface AbstractInterfaceDef {};
  local interface LocalInterfaceDef {};
  valuetype ValueDef { public long ValueMemberDef; };
  valuetype ValueBoxDef long;
};
"""
ALIASES = ("StringDef", "WstringDef", "SequenceDef", "ArrayDef", "FixedDef")
DEFINITIONS = ("ConstantDef", "StructDef", "UnionDef", "EnumDef", "ExceptionDef", "NativeDef", "InterfaceDef",
               "InterfaceDef::AttributeDef", "InterfaceDef::OperationDef", "AbstractInterfaceDef", "LocalInterfaceDef", "ValueDef",
               "ValueDef::ValueMemberDef", "ValueBoxDef")
LOG = cdr(("H", 0), ("Q", 1 << 20))
# {object: (where it is reached, operation, arguments)}: of the operation's results the first is its reference. "": the program's
# own object. Further objects are reached by their keys.
WAYS = {
    "naming": {"context": ("", "new_context")},
    "trading": {name: ("", f"_get_{name}") for name in ("register_if", "link_if", "proxy_if", "admin_if", "type_repos")},
    "events": {
        "suppliers": ("one", "for_suppliers"),
        "consumers": ("one", "for_consumers"),
        "ProxyPushConsumer": ("suppliers", "obtain_push_consumer"),
        "ProxyPullConsumer": ("suppliers", "obtain_pull_consumer"),
        "ProxyPushSupplier": ("consumers", "obtain_push_supplier"),
        "ProxyPullSupplier": ("consumers", "obtain_pull_supplier"),
        "typed suppliers": ("two/typed", "for_suppliers"),
        "typed consumers": ("two/typed", "for_consumers"),
        "TypedProxyPushConsumer": ("typed suppliers", "obtain_typed_push_consumer", cdr("IDL:Sensor:1.0")),
        "TypedProxyPullSupplier": ("typed consumers", "obtain_typed_pull_supplier", cdr("IDL:PullSensor:1.0")),
        "typed object, pushed to": ("TypedProxyPushConsumer", "get_typed_consumer"),
        "typed object, pulled": ("TypedProxyPullSupplier", "get_typed_supplier"),
        "real-time suppliers": ("three", "for_suppliers"),
        "real-time consumers": ("three", "for_consumers"),
        "real-time ProxyPushConsumer": ("real-time suppliers", "obtain_push_consumer"),
        "real-time ProxyPushSupplier": ("real-time consumers", "obtain_push_supplier")},
    "logging": {
        "basic log": ("BasicLogFactory", "create", LOG),
        "event log": ("EventLogFactory", "create", LOG + cdr(0)),
        "suppliers": ("event log", "for_suppliers"),
        "consumers": ("event log", "for_consumers"),
        "ProxyPushConsumer": ("suppliers", "obtain_push_consumer"),
        "ProxyPullConsumer": ("suppliers", "obtain_pull_consumer"),
        "ProxyPullSupplier": ("consumers", "obtain_pull_supplier")},
    "properties": {"set": ("", "create_propertyset"), "set with modes": ("", "create_propertysetdef")},
    "ifr": {
        "M": ("", "lookup", cdr("M")),
        **{name: ("M", "lookup", cdr(name)) for name in DEFINITIONS},
        **{"alias of " + name: ("M", "lookup", cdr(name)) for name in ALIASES},
        **{name: ("alias of " + name, "_get_original_type_def") for name in ALIASES},
        "ExtValueDef": ("M", "create_ext_value",
                        cdr("IDL:M/ExtValueDef:1.0", "ExtValueDef", "1.0", ("H", 0), *giop.NIL, ("B", 0), 0, 0, 0))},
}
KEYS = {"naming": ["naming.administration"],
        "events": ["one", "two", "two/typed", "three", "omniEvents", "RealTimeEventService"],
        "logging": ["BasicLogFactory", "EventLogFactory", "LogSink"]}
# Of objects whose interface stands in no IDL of callis: the group of their operations, and these.
OTHERS = {"typed object, pushed to": ("write", {"measured"}), "typed object, pulled": ("read", {"pull_measured", "try_pull_measured"})}


class Service:
    """A program that runs, and links to it by those who call it. Its socket is in folder."""

    def __init__(self, programs, program, folder, words=()):
        self._path = f"{folder}/{program}"
        endpoints = ["-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", f"unix:{self._path}", "-ORBUnixPermissions", "0666"]
        self._child = subprocess.Popen([f"{programs}/callis-{program}", *WORDS.get(program, []), *words, *endpoints],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if not select.select([self._child.stdout], [], [], TIMEOUT)[0]:
            raise TimeoutError(program)
        self.reference = self._child.stdout.readline().decode().strip()
        self._port, self.key = giop.address_of(self.reference)
        self.own = giop.Link(self._unix)
        self.links = {"tcp": giop.Link(self._tcp), "own": self.own}
        if os.geteuid() == 0:  # another user
            self.links["stranger"] = giop.Link(self._unix_of_stranger)

    def _tcp(self):
        return socket.create_connection(("127.0.0.1", self._port), TIMEOUT)

    def _unix(self):
        link = socket.socket(socket.AF_UNIX)
        link.settimeout(TIMEOUT)
        link.connect(self._path)
        return link

    def _unix_of_stranger(self):
        os.seteuid(STRANGER)
        try:
            return self._unix()
        finally:
            os.seteuid(0)

    def feed(self):
        """Of ifr: the definitions."""
        status, what = self.own.ask(self.key, "feed", cdr("rules.idl", IDL))
        if status != giop.OK:
            raise ValueError(f"callis ifr: feed: {what}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for link in self.links.values():
            link.close()
        self._child.send_signal(signal.SIGTERM)
        self._child.wait(TIMEOUT)
        self._child.stdout.close()


def reach(service, program):
    """{name: key} of the program's objects."""
    if program == "ifr":
        service.feed()
    keys = {"": service.key, **{key: key.encode() for key in (*KEYS.get(program, []), program + ".statistics")}}
    for name, (at, operation, *arguments) in WAYS.get(program, {}).items():
        status, result = service.own.ask(keys[at], operation, *arguments)
        if status != giop.OK:
            raise ValueError(f"callis {program}: {operation} of '{at}': {status} {result}")
        keys[name] = result.address()[1]
    return keys
