# SPDX-License-Identifier: Apache-2.0
"""Prints a file of the model as IDL."""
import random as python_random

from model import idl_name


class Printer:
    def __init__(self, file):
        self.file = file
        self.lines = []
        self.indent = 0
        self.scope = []
        self.random = python_random.Random(file.number)  # for the ways to spell one and the same

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def name(self, path):
        """A scoped name for it, seen from here: from the root, or from any scope that encloses both."""
        common = 0
        while common < min(len(path) - 1, len(self.scope)) and path[common] == self.scope[common]:
            common += 1
        start = self.random.randint(-1, common)
        spelled = "::".join(idl_name(n) for n in path[max(start, 0):])
        return "::" + spelled if start < 0 else spelled

    def type(self, t):
        if t.kind == "primitive":
            return t.idl
        if t.kind in ("string", "wstring"):
            return f"{t.kind}<{t.bound}>" if t.bound else t.kind
        if t.kind == "sequence":
            element = self.type(t.element)
            return f"sequence<{element}, {t.bound}>" if t.bound else f"sequence<{element} >"
        if t.kind == "fixed":
            return f"fixed<{t.digits}, {t.scale}>"
        if t.kind in ("any", "Object"):
            return t.kind
        if t.kind == "TypeCode":
            return "CORBA::TypeCode"
        return self.name(t.path())

    def declarator(self, type_, name):
        """Type and name; dimensions go behind the name."""
        if type_.kind == "array":
            return f"{self.type(type_.element)} {idl_name(name)}" + "".join(f"[{d}]" for d in type_.dimensions)
        return f"{self.type(type_)} {idl_name(name)}"

    def label(self, text):
        return text if isinstance(text, str) else self.name([*text[0].path()[:-1], text[1]])

    # ---- declarations ----

    def contents(self, name, declarations):
        self.indent += 1
        self.scope.append(name)
        for d in declarations:
            self.declaration(d)
        self.scope.pop()
        self.indent -= 1

    def members(self, owner, prefixes=()):
        self.scope.append(owner.name)
        for at, m in enumerate(owner.members):
            self.line("  " + (prefixes[at] if prefixes else "") + self.declarator(m.type, m.name) + ";")
        self.scope.pop()

    def declaration(self, d):
        getattr(self, "print_" + d.kind)(d)

    def print_module(self, d):
        self.line(f"module {d.name} {{")
        self.contents(d.name, d.contents)
        self.line("};")

    def print_enum(self, d):
        self.line(f"enum {d.name} {{ {', '.join(d.enumerators)} }};")

    def print_struct(self, d):
        if d.forward:
            self.line(f"struct {d.name};")
        self.line(f"struct {d.name} {{")
        self.members(d)
        self.line("};")

    def print_exception(self, d):
        self.line(f"exception {d.name} {{")
        self.members(d)
        self.line("};")

    def print_union(self, d):
        self.line(f"union {d.name} switch ({self.type(d.discriminator)}) {{")
        self.scope.append(d.name)
        for c in d.cases:
            labels = " ".join(f"case {self.label(idl)}:" for idl, _ in c.labels) or "default:"
            self.line(f"  {labels} {self.declarator(c.member.type, c.member.name)};")
        self.scope.pop()
        self.line("};")

    def print_typedef(self, d):
        self.line(f"typedef {self.declarator(d.type, d.name)};")

    def print_constant(self, d):
        type_ = d.type if isinstance(d.type, str) else self.type(d.type)
        expression = d.expression if isinstance(d.expression, str) else self.label(d.expression)
        self.line(f"const {type_} {d.name} = {expression};")

    def print_box(self, d):
        self.line(f"valuetype {d.name} {self.type(d.type)};")

    def print_value(self, d):
        bases = ", ".join(self.name(b.path()) for b in d.bases())
        inherits = f" : {'truncatable ' if d.truncatable else ''}{bases}" if bases else ""
        self.line(f"{'abstract ' if d.abstract else ''}valuetype {d.name}{inherits} {{")
        self.members(d, ["public " if p else "private " for p in d.public])
        self.line("};")

    def print_interface(self, d):
        if d.forward:
            self.line(f"interface {d.name};")
        bases = " : " + ", ".join(self.name(b.path()) for b in d.bases) if d.bases else ""
        self.line(f"interface {d.name}{bases} {{")
        self.contents(d.name, d.contents)
        self.scope.append(d.name)
        for each in d.operations:
            self.line("  " + (self.attribute(each) if hasattr(each, "readonly") else self.operation(each)))
        self.scope.pop()
        self.line("};")

    def attribute(self, a):
        return f"{'readonly ' if a.readonly else ''}attribute {self.type(a.type)} {a.name};"

    def operation(self, o):
        parameters = ", ".join(f"{p.direction} {self.type(p.type)} {idl_name(p.name)}" for p in o.parameters)
        raises = f" raises ({', '.join(self.name(x.path()) for x in o.raises)})" if o.raises else ""
        result = self.type(o.result) if o.result else "void"
        return f"{'oneway ' if o.oneway else ''}{result} {o.name}({parameters}){raises};"


def text(file):
    p = Printer(file)
    p.line(f"// Made by tests/random: file {file.number}.")
    p.line(f"#ifndef RANDOM_{file.number}")
    p.line(f"#define RANDOM_{file.number}")
    if file.dynamic:
        p.line("#include <orb.idl>")
    for each in file.includes:
        p.line(f'#include "{each.stem}.idl"')
    if file.prefix:
        p.line(f'#pragma prefix "{file.prefix}"')
    for d in file.contents:
        p.declaration(d)
    p.line("#endif")
    return "\n".join(p.lines) + "\n"
