# SPDX-License-Identifier: Apache-2.0
"""How things are called and drawn, the same on all figures: systems, types, operations, sizes, numbers."""
import math
import re
from dataclasses import dataclass

from suite import SYSTEMS

TYPES = ("short", "char", "long", "octet", "double", "BinStruct")
OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence")
PLACEMENTS = {"one-cpu": "both ends on one CPU", "two-cpu": "one CPU for each end", "free": "wherever the scheduler puts them",
              "memory": "client and server in one process, memory transport",
              "one-cpu/unix": "both ends on one CPU, Unix-domain sockets",
              "two-cpu/unix": "one CPU for each end, Unix-domain sockets",
              "free/unix": "wherever the scheduler puts them, Unix-domain sockets"}


@dataclass(frozen=True)
class Style:
    label: str
    colour: str
    marker: str
    dash: str = "-"
    width: float = 1.3


# Colours that eyes without red or green tell apart; the markers tell them apart without colour.
SYSTEM_STYLES = {
    "callis-interpreted": Style("callis interpreted", "#0063b1", "o", width=2.2),
    "callis-compiled": Style("callis compiled", "#3fa0e0", "s"),
    "callis-hybrid": Style("callis hybrid", "#003a66", "D"),
    "callis-shared": Style("callis, shared library", "#8ecae6", "<"),
    "callis-pool": Style("callis, pool", "#5b8c00", "d"),
    "callis-rt": Style("callis, lanes", "#0b7285", "P"),
    "callis-rt-off": Style("callis, lanes, real time off", "#c2549d", "P"),
    "callis-rt-locked": Style("callis, lanes, a lock on purpose", "#882255", "P"),
    "callis-dii": Style("callis DII", "#7c8fd0", "v"),
    "omniorb-dii": Style("omniORB DII", "#c9a36b", "v"),
    "jacorb-dii": Style("JacORB DII", "#cfc08a", "v"),
    "sqlite": Style("SQLite itself", "#44546a", "*", ":"),
    "raw": Style("C sockets", "#000000", "x", "--", 1.6),
    "ace": Style("C++ wrappers (ACE)", "#777777", "+", "--"),
    "rpc": Style("RPC (rpcgen)", "#7a4a2b", "<", ":"),
    "opt-rpc": Style("optimised RPC", "#b5835a", ">", ":"),
    "omniorb": Style("omniORB", "#d55e00", "^"),
    "omninames": Style("omniNames", "#d55e00", "v"),
    "omnievents": Style("omniEvents", "#d55e00", "s"),
    "process": Style("the server alone", "#7f7f7f", "x"),
    "jacorb": Style("JacORB", "#e0a000", "h"),
    "ice": Style("Ice", "#00856a", "P"),
    "ice-batch": Style("Ice batch", "#58b368", "p"),
    "grpc": Style("gRPC", "#c2549d", "*"),
    "capnp": Style("Cap'n Proto", "#7d1f55", "X"),
    "one-by-one": Style("coder, member by member", "#882255", "v"),
    "inlined": Style("the same, inlined", "#c2549d", "^"),
    "array": Style("indices of arrays", "#777777", "x"),
    "virtual": Style("a virtual function", "#777777", "x"),
    "memcpy": Style("memcpy", "#000000", "x"),
    "ladder-original": Style("original", "#882255", "v", width=1.8),
    "ladder-inlining": Style("step 1: inlining", "#c2549d", "^", "--"),
    "ladder-precomputing": Style("step 2: precomputing", "#e0a000", "s"),
    "ladder-receiver": Style("step 3: receiver split", "#00856a", "D"),
    "ladder-sender": Style("step 4: sender split", "#3fa0e0", "P"),
    "demux-linear": Style("linear search", "#882255", "v"),
    "demux-binary": Style("binary search", "#d55e00", "^"),
    "demux-hash": Style("dynamic hash", "#e0a000", "s"),
    "demux-perfect": Style("perfect hash", "#00856a", "D"),
    "demux-index": Style("direct index", "#777777", "P"),
    "demux-active": Style("de-layered active", "#332288", "*"),
}
# For what is not a system: rungs of the ladder, strategies, operations. By position.
OTHERS = ("#882255", "#d55e00", "#e0a000", "#00856a", "#3fa0e0", "#0063b1", "#332288", "#777777", "#c2549d", "#58b368",
          "#7a4a2b", "#000000")
MARKERS = "o^sDvP<>Xph*"


def style(system):
    return SYSTEM_STYLES.get(system) or other_style(system, sum(system.encode()))


def other_style(label, position):
    """The style of the thing at a position in its figure's list of things."""
    return Style(label, OTHERS[position % len(OTHERS)], MARKERS[position % len(MARKERS)])


def label(system):
    return style(system).label


def ordered(words, known):
    """words in the order of known, unknown ones behind in their own order."""
    known = list(known)
    return sorted(dict.fromkeys(words), key=lambda w: known.index(w) if w in known else len(known))


def systems_in_order(systems):
    return ordered(systems, dict.fromkeys([*SYSTEM_STYLES, *SYSTEMS]))


def size_bytes(text):
    """16K as 16384; None if it is not a size."""
    found = re.fullmatch(r"(\d+)([KM]?)", text)
    return int(found.group(1)) * {"": 1, "K": 1 << 10, "M": 1 << 20}[found.group(2)] if found else None


def size_text(count):
    return f"{count >> 20}M" if count >= 1 << 20 else f"{count >> 10}K" if count >= 1 << 10 else str(count)


def number(x, digits=3):
    """A number as people read it: three significant digits, thousands apart; counts whole."""
    if x is None:
        return ""
    if x == 0:
        return "0"
    if x == int(x) or abs(x) >= 10 ** (digits - 1):
        return f"{x:,.0f}"
    places = max(0, digits - 1 - math.floor(math.log10(abs(x))))
    return f"{x:.{places}f}" if places <= 5 else f"{x:.1e}"


UNITS = {"us": "µs", "1": "", "1/s": "/s", "x": "×"}


def unit(text):
    return UNITS.get(text, text)
