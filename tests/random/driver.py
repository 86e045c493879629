# SPDX-License-Identifier: Apache-2.0
"""Prints the C++ program part of a random file: values of its types (fill), whether two are the same (same), a servant for
each interface and a client's call of each operation. Written against the classic mapping alone, so that it compiles with
callis and with omniORB; programs/host.h says what client and servant agree about."""
from anys import Anys
from calls import Calls


class Printer(Calls, Anys):
    def __init__(self, file):
        self.file = file
        self.dynamic = file.dynamic
        self.lines = []
        self.variables = 0

    def variable(self):
        self.variables += 1
        return f"v{self.variables}"

    def constants(self):
        lines = []
        for c in self.file.constants:
            compare = {"string": f"host::same_text({c.cxx}, {c.expected})", "wstring": f"host::same_wide_text({c.cxx}, {c.expected})"}
            lines.append(f'host::check({compare.get(c.type, f"{c.cxx} == {c.expected}")}, "{c.name}");')
        self.function(f"void check_constants_{self.file.number}()", lines)

    def included_functions(self):
        """Of types that other files declare: their programs define them."""
        for f in self.file.includes:
            for t in [*f.types, *f.exceptions]:
                if self.has_functions(t):
                    self.lines += [head + ";" for head in self.heads(t)]

    def print(self):
        n = self.file.number
        own = [t for t in [*self.file.types, *self.file.exceptions] if self.has_functions(t)]
        self.lines += [f"// Made by tests/random: the values and calls of file {self.file.number}.",
                       f'#include "programs/host.h"', f'#include HOST_STUBS({self.file.stem})', "", "using host::Random;", ""]
        self.included_functions()
        self.lines += [head + ";" for t in own for head in self.heads(t)]
        if self.dynamic:
            self.lines += [head + ";" for head in self.any_heads()]
            self.any_functions()
        for t in self.file.types:
            if t.kind == "value" and not t.abstract:
                self.value_class(t)
        for t in own:
            self.define(t)
        self.lines.append("namespace {")
        self.constants()
        self.factories()
        counts = [self.interface(i) for i in self.file.interfaces]
        self.lines.append(f"const host::Interface interfaces_{self.file.number}[] = {{")
        self.lines += [f'  HOST_INTERFACE({i.cxx}, {i.tag()}_servant, "{i.tag()}", operations_of_{i.tag()}, {n}),'
                       for i, n in zip(self.file.interfaces, counts)]
        self.lines += ["};", "}  // namespace",
                       f"extern const host::File file_{n};",
                       f'const host::File file_{n} = {{"{self.file.stem}", interfaces_{n}, {len(counts)}, check_constants_{n}, '
                       f"add_factories_{n}}};"]
        return "\n".join(self.lines) + "\n"


def text(file):
    return Printer(file).print()


def table(files, many_values):
    """The program's list of files, and how many values of a call may recur in it."""
    lines = ['#include "programs/host.h"', *(f"extern const host::File file_{f.number};" for f in files),
             "const host::File* const host::files[] = {" + ", ".join(f"&file_{f.number}" for f in files) + "};",
             f"const unsigned host::file_count = {len(files)};",
             f"const std::size_t host::recurring_values = {'SIZE_MAX' if many_values else 40};"]
    return "\n".join(lines) + "\n"
