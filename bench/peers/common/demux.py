#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the interface of the demultiplexing measurements, with 100 operations, and its servants.

    demux.py idl|slice|ice-servant|java-servant FILE

An operation counts its calls, for all objects together, and its object's; the interface DemuxCount tells them.
"""
import sys

OPERATIONS = 100


def each(form):
    return [form.format(i=i) for i in range(OPERATIONS)]


def idl():
    return ["// SPDX-License-Identifier: Apache-2.0", "interface Demux {", *each("  void op_{i:03}();"), "};",
            "interface DemuxCount {",
            "  unsigned long long calls(in unsigned long operation);  // since it was last asked; over all objects",
            "  unsigned long objects();                               // that were called since this was last asked",
            "};"]


def slice_():
    return ["// SPDX-License-Identifier: Apache-2.0", "#pragma once", "module Bench {", "interface Demux {",
            *each("  void op{i:03}();"), "}", "interface DemuxCount {", "  long calls(int operation);",
            "  int objects();", "}", "}"]


def ice_servant():
    return ["// SPDX-License-Identifier: Apache-2.0", "#pragma once", '#include "Demux.h"',
            f"struct DemuxCalls {{ static inline unsigned long of[{OPERATIONS}]; }};",
            "class DemuxObject final : public Bench::Demux {", " public:", "  unsigned long calls = 0;",
            *each("  void op{i:03}(const Ice::Current&) override {{ ++calls; ++DemuxCalls::of[{i}]; }}"), "};"]


def java_servant():
    return ["// SPDX-License-Identifier: Apache-2.0", "package bench;", "final class DemuxObject extends DemuxPOA {",
            f"  static final long[] CALLS = new long[{OPERATIONS}];", "  long calls;",
            *each("  public void op_{i:03}() {{ ++calls; ++CALLS[{i}]; }}"), "}"]


def main():
    kinds = {"idl": idl, "slice": slice_, "ice-servant": ice_servant, "java-servant": java_servant}
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("\n".join(kinds[sys.argv[1]]()) + "\n")


if __name__ == "__main__":
    main()
