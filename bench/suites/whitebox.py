# SPDX-License-Identifier: Apache-2.0
"""Where the instructions of a call go: by layer and by function, client and server (bench/whitebox)."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", where) for where in ("common", "tools", "whitebox")]
import callgrind  # noqa: E402
from layers import LAYERS, UNCLASSIFIED, Classifier  # noqa: E402
from pairs import present  # noqa: E402
from processes import Failure  # noqa: E402
from profiles import SIDES, Profiled, lacking  # noqa: E402
from report import Row  # noqa: E402

TITLE = "where the instructions of a call go, by layer and by function"
NEEDS = ("programs",)
SYSTEMS = ("callis-interpreted", "callis-compiled", "omniorb")
# {name in the cases: the caller's command}. ttcp's buffers are 64 KB.
CALLS = {name: name for name in ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
                                 "test_nested_struct", "test_struct_sequence")}
FLOODS = {"short": "sendShortSeq", "char": "sendCharSeq", "long": "sendLongSeq", "octet": "sendOctetSeq",
          "double": "sendDoubleSeq", "BinStruct": "sendStructSeq"}
COMMANDS = CALLS | FLOODS
LONG = {"test_struct_sequence", *FLOODS}  # tens of thousands of instructions and more
TOP_FUNCTIONS = 10
MOST_UNCLASSIFIED = 0.05


def chosen(context):
    return context.pick(("test_strseq", "BinStruct"), (*CALLS, "double", "BinStruct"), tuple(COMMANDS))


def lengths(context, name):
    """Calls of the short and of the long run."""
    few, many = context.pick((10, 60), (50, 550), (200, 2200))
    return (few // 10 + 1, many // 10 + 1) if name in LONG else (few, many)


def estimate(context):
    return 2 + sum(map(context.wants, SYSTEMS)) * (1 + context.pick(1.5, 1.5, 3) * len(chosen(context)))


def add(context, system, name, costs):
    """One operation's profiles, of client and server."""
    classifier = Classifier(system)
    for side, profile in zip(SIDES, costs):
        put = lambda case, cost: [context.results.add("whitebox", system, f"{name}/{side}/{case}", metric, value)
                                  for metric, value in zip(("instructions", "calls"), cost)]
        for layer, cost in classifier.divide(profile).items():
            put(layer, cost)
        tell_of_unclassified(classifier, profile, f"{system}, {name}, {side}")
        named = {}
        for (function, _), cost in profile.items():
            text = callgrind.short(function)
            i, c = named.get(text, (0, 0))
            named[text] = (i + cost.instructions, c + cost.calls)
        for text, cost in sorted(named.items(), key=lambda item: -item[1][0])[:TOP_FUNCTIONS]:
            put(f"function/{text}", cost)


def tell_of_unclassified(classifier, profile, where):
    """For whoever keeps bench/whitebox/layers.py."""
    total = sum(cost.instructions for cost in profile.values())
    for (function, library), cost in profile.items():
        if classifier.of((function, library)) == UNCLASSIFIED and cost.instructions > total / 200:
            print(f"[whitebox] {where}: no layer has {function} of {library}, {cost.instructions / total:.1%}",
                  file=sys.stderr, flush=True)


def run(context):
    why = lacking()
    if why:
        for system in filter(context.wants, SYSTEMS):
            context.results.missing("whitebox", system, why)
        return
    for system in present(context, "whitebox", SYSTEMS):
        try:
            with Profiled(context, system) as profiled:
                for name in chosen(context):
                    context.progress("whitebox", f"{system}, {name}")
                    add(context, system, name, profiled.profile(COMMANDS[name], *lengths(context, name)))
        except Failure as e:
            context.results.missing("whitebox", system, str(e))


def whole(results, system, name, side):
    """{layer: instructions} of a side; None when it has not been measured."""
    found = {layer: results.median("whitebox", system, f"{name}/{side}/{layer}", "instructions") for layer in LAYERS}
    return None if None in found.values() else found


def bars(results):
    """What a call takes and how much of it is marshaling; and, with a bar, what of callis no layer has."""
    rows = []
    for system in SYSTEMS:
        worst = None
        for name in COMMANDS:
            sides = {side: whole(results, system, name, side) for side in SIDES}
            if None in sides.values():
                continue
            total = {side: sum(layers.values()) for side, layers in sides.items()}
            work = sum(layers[w] for layers in sides.values() for w in ("marshal", "demarshal"))
            rows.append(Row(f"white box: user instructions a call, {system}", name, sum(total.values()),
                            note=f"client {total['client']:,.0f}, server {total['server']:,.0f}; marshaling "
                                 f"{work / sum(total.values()):.0%}"))
            worst = max(worst or 0.0, *(sides[side][UNCLASSIFIED] / total[side] for side in SIDES))
        if worst is not None and system.startswith("callis"):
            rows.append(Row("white box: what no layer has, of a side's instructions, at most", system, worst,
                            bar=("<=", MOST_UNCLASSIFIED)))
    return rows
