#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/guide/limits.md from callis/base/limits.h and fixed_limits.h. Without --write: checks that it is up to date."""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
HEADERS = [os.path.join(ROOT, "callis", "base", name) for name in ("limits.h", "fixed_limits.h")]
PAGE = os.path.join(ROOT, "docs", "guide", "limits.md")


IDLE = """
## Idle bidirectional connections

A connection is bidirectional when the server allows this, and believes an address at which the client says that it
listens ([bidirectional.md](bidirectional.md)). A client's claim alone changes nothing: its connection is closed after
`idle_timeout`. While more than half of `max_connections` are open, bidirectional connections are closed after
`idle_timeout`, too, unless `bidirectional_idle_timeout` is 0.
"""

ANYS = """
## Anys of many types in one message

If a process reads an any of a new type, the any takes 4 to 5 KB of the message's decode_budget: for the TypeCode, its
plan, and the work of making both. An any of a known type takes only its value. So with the defaults a message may
have some 250 anys, each of a struct of its own; a message with more is refused with `IMP_LIMIT`. Programs that send
more types at a time raise the receiver's budget: 1,000 such anys pass with `-ORBDecodeBudgetBase 6291456`. A process
remembers a bounded number of types, so messages with hundreds of types pay for some of them again.
"""


def value(text, name):
    text = text.strip("{} ").replace("'", "")
    m = re.fullmatch(r"(\d+)u? << (\d+)", text)
    if m:
        n, shift = int(m.group(1)), int(m.group(2))
        return f"{n} {({10: 'KiB', 20: 'MiB'})[shift]}"
    if "timeout" in name:
        return f"{int(text) / 1000:g} s"
    return f"{int(text):,}"


def page():
    rows, group = [], ""
    for header in HEADERS:
        with open(header, encoding="utf-8") as f:
            lines = f.readlines()
        for line in lines:
            m = re.fullmatch(r"\s*(?:static constexpr )?(?:std::\w+|Duration) (\w+)\s*(?:= |\{)([^;}]+)\}?;\s*// (.*)\n", line)
            if m:
                rows.append(f"| `{m.group(1)}` | {value(m.group(2), m.group(1))} | {m.group(3)} |")
                continue
            m = re.fullmatch(r"\s{20,}// (.*)\n", line)  # what did not fit into the line above
            if m:
                rows[-1] = f"{rows[-1].removesuffix(' |')} {m.group(1)} |"
                continue
            m = re.fullmatch(r"\s*// ((?:Messages|Connections|Process|Calls|Values).*)\n", line)
            if m:
                group = m.group(1)
                rows.append(f"\n## {group}\n\n| Limit | Default | |\n|---|---|---|")
    return ("# Limits\n\nEvery bound on what a peer can make a process do. All are on by default; the struct is "
            "`callis::Limits`;\nthose of the last table are constants.\n"
            "Made from callis/base/limits.h and fixed_limits.h by tests/house/limits_doc.py --write.\n" +
            "\n".join(rows) + "\n" + IDLE + ANYS)


def main():
    text = page()
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(text)
        return 0
    try:
        with open(PAGE, encoding="utf-8") as f:
            if f.read() == text:
                return 0
    except OSError:
        pass
    print("docs/guide/limits.md is not what callis/base/limits.h and fixed_limits.h say; run tests/house/limits_doc.py --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
