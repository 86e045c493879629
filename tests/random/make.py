# SPDX-License-Identifier: Apache-2.0
"""Makes random files. Everything follows from the seed; names are unique within a batch without regard to case, so that
what a file may refer to is decided by the order of declarations alone."""
import random as python_random

import constants
from model import (any_within, least_leaves, Array, Attribute, Box, Case, Constant, CXX_KEYWORDS, Enum, Exception_, File, Fixed,
                   IDL_KEYWORDS, Interface, Member, Module, Operation, Parameter, PRIMITIVES, Pseudo, Sequence, String, strip,
                   Struct, Typedef, Union, Value)

WORDS = ("Order", "Node", "Price", "Quote", "Part", "Track", "Sensor", "Alarm", "Route", "Batch", "Grid", "Point", "Ledger",
         "Topic", "Offer", "Event", "Frame", "Cell", "Shift", "Level")
# Names of members, parameters and operations: words that nearly are keywords, that are ones of C++, or of IDL and escaped.
SMALL_WORDS = ("sequence_", "in_", "struct1", "longs", "modul", "strukt", "unsigned_", "raise", "attributes", "x", "y1", "z_",
               "size", "length", "value", "count", "name", "kind", "begin", "end", "first", "data", "in_out", "id", "type",
               "result", "self", "left", "buffer", "frame", "encoder", "decoder", "operation", "ptr", "var", "out_", "a1", "b2",
               "std", "callis", "CORBA_", "e", "d", "v", "p", "s")
# Of a member: arrays of structs with arrays, and so on, take more memory than the decoding budget of a short message allows
# (a union holds the place for its largest member).
MOST_LEAVES = 100
# Whose types, where they have none in IDL, would have the same names.
NEIGHBOURS = ("v_slice", "v_seq", "v_array", "d_array", "value_slice", "value_array", "cxx_int", "callis_d")
DISCRIMINATORS = ("boolean", "char", "short", "unsigned short", "long", "unsigned long", "long long", "unsigned long long")


class Maker:
    def __init__(self, seed, number, features, others):
        self.random = python_random.Random(f"{seed}/{number}")
        self.features = features
        self.file = File(number, dynamic=bool(features & {"any", "typecode"}),
                         odd_type_codes="odd_type_codes" in features)
        self.count = 0
        self.scope = None
        self.integers = []  # (scoped name, value) of constants
        if others and self.random.random() < 0.3:
            self.file.includes = [self.random.choice(others)]
        if self.random.random() < 0.3:
            self.file.prefix = self.random.choice(("callis.test", "omg.org", "x"))

    # ---- names ----

    def name(self, stem=None):
        self.count += 1
        return f"{stem or self.random.choice(WORDS)}_{self.file.number}_{self.count}"

    def small_names(self, n):
        """Names of one scope's members, distinct without regard to case."""
        words = [*SMALL_WORDS, *(NEIGHBOURS if "neighbours" in self.features else ())]
        if self.random.random() < 0.4:
            words += [*CXX_KEYWORDS, *IDL_KEYWORDS]
        return self.random.sample(words, n)

    # ---- types ----

    def chance(self, p):
        return self.random.random() < p

    def primitive(self):
        needs = {"wchar": "wide", "long double": "long_double"}
        names = [n for n in PRIMITIVES if needs.get(n) in (None, *self.features)]
        return PRIMITIVES[self.random.choice(names)]

    def leaf(self):
        """A type that needs no declaration."""
        choices = [self.primitive, self.primitive, lambda: String(self.bound()), lambda: Pseudo("Object")]
        if "wide" in self.features:
            choices.append(lambda: String(self.bound(), wide=True))
        if "any" in self.features:
            choices.append(lambda: Pseudo("any"))
        if "typecode" in self.features:
            choices.append(lambda: Pseudo("TypeCode"))
        return self.random.choice(choices)()

    def bound(self):
        return self.random.choice((0, 0, 0, 1, 3, 17))

    def declared(self):
        known = self.file.visible("types") + self.file.visible("interfaces")
        return self.random.choice(known[-12:] if self.chance(0.7) else known) if known else None

    def usable(self, depth=0):
        """A type that a member may have, anonymous ones too; no array."""
        if self.chance(0.5):
            found = self.declared()
            if found and (depth == 0 or strip(found).kind != "array" or self.chance(0.8)):
                return found
        if depth < 2 and self.chance(0.25):
            return Sequence(self.usable(depth + 1), self.random.choice((0, 0, 2, 5)))
        return self.leaf()

    def parameter_type(self):
        """Parameters, results and attributes name their types: IDL 4.2, 7.4.3.4.3.1."""
        found = self.declared()
        if found is not None and self.chance(0.75):
            return found
        leaf = self.leaf()
        if leaf.kind == "fixed":
            return PRIMITIVES["long"]
        return String(wide=leaf.wide) if leaf.kind in ("string", "wstring") else leaf

    def member(self, name):
        type_ = self.usable()
        if self.chance(0.15) and strip(type_).kind != "array":
            type_ = Array(type_, [self.random.randint(1, 4) for _ in range(self.random.choice((1, 1, 2, 3)))])
        return Member(name, type_ if least_leaves(type_) <= MOST_LEAVES else self.leaf())

    def members(self, least=1):
        return [self.member(n) for n in self.small_names(self.random.randint(least, 6))]

    # ---- declarations ----

    def add(self, declaration, kind="types"):
        declaration.file = self.file
        (self.scope.contents if self.scope else self.file.contents).append(declaration)
        if kind:
            getattr(self.file, kind).append(declaration)
        return declaration

    def enum(self):
        name = self.name()
        return self.add(Enum(name, self.scope, enumerators=[f"{w}_{self.file.number}_{self.count}e" for w in
                                                            self.small_names(self.random.randint(1, 5))]))

    def struct(self):
        if "forward" in self.features and self.chance(0.2):
            made = Struct(self.name("Tree"), self.scope, self.members(), forward=self.chance(0.6))
            used = {m.name for m in made.members}
            name = next(n for n in ("children", "more", "below_") if n not in used)
            made.members.insert(self.random.randint(0, len(made.members)),
                                Member(name, Sequence(made, self.random.choice((0, 0, 2)))))
            return self.add(made)
        return self.add(Struct(self.name(), self.scope, members=self.members()))

    def typedef(self):
        roll = self.random.random()
        if roll < 0.45:
            type_ = Sequence(self.usable(1), self.random.choice((0, 0, 0, 1, 4)))
        elif roll < 0.75:
            type_ = Array(self.usable(1), [self.random.randint(1, 4) for _ in range(self.random.choice((1, 1, 2, 3)))])
            if strip(type_.element).kind == "array" and self.chance(0.7):
                type_.element = self.leaf()
            if "type_code_aliases" not in self.features and type_.element.kind == "TypeCode":
                type_.element = String()
        elif "fixed" in self.features and roll < 0.85:
            digits = self.random.randint(1, 31)
            type_ = Fixed(digits, self.random.randint(0, digits))
        else:
            type_ = self.declared() or self.leaf()
            if "value_aliases" not in self.features and strip(type_).kind in ("value", "box"):
                type_ = String()
            if "type_code_aliases" not in self.features and type_.kind == "TypeCode":
                type_ = String()
        return self.add(Typedef(self.name(), self.scope, type=type_))

    def union(self):
        enums = [t for t in self.file.visible("types") if strip(t).kind == "enum"]
        chosen = self.random.choice(enums) if enums and self.chance(0.4) else PRIMITIVES[self.random.choice(DISCRIMINATORS)]
        labels = self.labels(chosen)
        self.random.shuffle(labels)
        names = self.small_names(self.random.randint(1, 5))
        made = Union(self.name(), self.scope, discriminator=chosen)
        for name in names:
            if not labels:
                break
            member = self.member(name)
            taken, labels = labels[:1 + self.random.choice((0, 0, 1, 2))], labels[1 + self.random.choice((0, 0, 1)):]
            labels = [each for each in labels if each not in taken]
            made.cases.append(Case(taken, member))
        if labels and len(made.cases) > 1 and self.chance(0.5):
            labels = made.cases[-1].labels + labels
            made.cases[-1].labels = []
        # Whether a label is left over decides whether there is _default().
        made.left = labels
        made.implicit_default = bool(labels) and all(c.labels for c in made.cases)
        return self.add(made)

    def labels(self, discriminator):
        """(IDL, C++) of some labels, all of them for small types."""
        bare = strip(discriminator)
        if bare.kind == "enum":
            return [((bare, n), bare.enumerator(n)) for n in bare.enumerators]
        if bare.idl == "boolean":
            return [("TRUE", "true"), ("FALSE", "false")]
        if bare.idl == "char":
            return [(f"'{chr(c)}'", f"'{chr(c)}'") for c in self.random.sample([c for c in range(0x41, 0x7b) if c != 0x5c], 12)]
        low, high = constants.RANGES[bare.idl]
        if "expressions" not in self.features and low < 0:
            low += 1  # omniidl takes it for the negative of a number that is too large
        values = {low, high, 0, 1, *(self.random.randint(low, high) for _ in range(8))}
        return [(str(v), constants.cxx_integer(bare.idl, v)) for v in sorted(values)]

    def exception(self):
        members = self.members(least=0)
        if "values_in_exceptions" not in self.features:
            members = [m for m in members if not any_within(m.type, lambda t: t.kind == "value")]
        return self.add(Exception_(self.name("Failure"), self.scope, members=members), "exceptions")

    def constant(self):
        enums = [t for t in self.file.visible("types") if t.kind == "enum"]
        type_, expression, expected, value = constants.constant(self.random, self.features, self.integers, enums)
        made = self.add(Constant(self.name("k"), self.scope, type=type_, expression=expression, expected=expected), "constants")
        if value is not None:
            self.integers.append(("::" + "::".join(made.path()), value))
        return made

    @staticmethod
    def holds_anonymous(type_):
        members = [*getattr(type_, "members", ()), *(c.member for c in getattr(type_, "cases", ()))]
        return any(m.type.kind == "sequence" or strip(m.type).kind == "array" for m in members)

    def box(self):
        type_ = self.usable()
        if strip(type_).kind in ("value", "box", "interface"):
            type_ = String()
        if strip(type_).kind in ("any", "array") and f"boxed_{strip(type_).kind}" not in self.features:
            type_ = String()
        if "boxed_anonymous" not in self.features and self.holds_anonymous(strip(type_)):
            type_ = String()
        return self.add(Box(self.name("Box"), self.scope, type=type_))

    def abstract_value(self):
        return self.add(Value(self.name("Idea"), self.scope, abstract=True, abstract_bases=self.abstract_bases()))

    def abstract_bases(self):
        known = [t for t in self.file.visible("types") if t.kind == "value" and t.abstract]
        return self.random.sample(known, min(len(known), self.random.choice((0, 1, 1, 2))))

    def value(self):
        if "abstract_values" in self.features and self.chance(0.25):
            return self.abstract_value()
        bases = [t for t in self.file.visible("types") if t.kind == "value" and not t.abstract]
        base = self.random.choice(bases) if bases and self.chance(0.4) else None
        members = [self.member(f"{n}_{self.file.number}_{self.count}m") for n in self.small_names(self.random.randint(0, 5))]
        truncatable = bool(base) and self.chance(0.5) and "truncatable" in self.features
        made = Value(self.name("Value"), self.scope, base=base, abstract_bases=self.abstract_bases(),
                     truncatable=truncatable, members=members)
        for n in range(self.random.choice((0, 0, 1, 2))):  # what graphs are made of
            members.append(Member(f"link{n}_{self.file.number}_{self.count}m", self.random.choice((made, base or made))))
        made.public = [self.chance(0.7) for _ in members]
        arrays = "value_arrays" in self.features
        for each in members:
            if not arrays and strip(each.type).kind == "array":
                each.type = self.leaf()
        return self.add(made)

    # ---- interfaces ----

    def operation(self, name):
        names = self.small_names(self.random.randint(0, 4))
        if self.chance(0.1):
            return Operation(name, None, [Parameter("in", self.parameter_type(), n) for n in names], [], oneway=True)
        parameters = [Parameter(self.random.choice(("in", "inout", "out")), self.parameter_type(), n) for n in names]
        known = self.file.visible("exceptions")
        raises = self.random.sample(known, min(len(known), self.random.choice((0, 0, 1, 2))))
        return Operation(name, None if self.chance(0.2) else self.parameter_type(), parameters, raises)

    def interface(self):
        bases = [i for i in self.file.visible("interfaces") if i is not self.scope]
        wanted = self.random.sample(bases, min(len(bases), self.random.choice((0, 0, 1, 2))))
        made = Interface(self.name("Service"), self.scope, bases=self.without_overlap(wanted), forward=self.chance(0.2))
        made.file = self.file
        (self.scope.contents if self.scope else self.file.contents).append(made)
        outer, self.scope = self.scope, made
        for _ in range(self.random.choice((0, 0, 1, 2))):
            self.random.choice((self.enum, self.struct, self.typedef, self.exception, self.constant))()
        self.scope = outer
        for name in range(self.random.randint(1, 6)):
            self.count += 1
            unique = f"{self.random.choice(SMALL_WORDS)}_{self.file.number}_{self.count}m"
            if self.chance(0.2):
                made.operations.append(Attribute(unique, self.parameter_type(), self.chance(0.3)))
            else:
                made.operations.append(self.operation(unique))
        self.file.interfaces.append(made)  # only now: it is not complete before
        return made

    @staticmethod
    def without_overlap(bases):
        """An interface must not be named twice among the direct bases; what is inherited twice is fine."""
        return [b for b in bases if not any(b is not o and b in o.ancestors() for o in bases)]

    # ---- the file ----

    def something(self):
        choices = [(self.enum, 2), (self.struct, 5), (self.typedef, 5), (self.exception, 2), (self.constant, 3),
                   (self.interface, 2)]
        if "unions" in self.features:
            choices.append((self.union, 4))
        if "values" in self.features:
            choices.append((self.value, 2))
        if "boxes" in self.features:
            choices.append((self.box, 1))
        self.random.choices([c for c, _ in choices], [w for _, w in choices])[0]()

    def module(self, depth):
        """Opens a module, or one again that this scope has already."""
        here = self.scope.contents if self.scope else self.file.contents
        before = [m for m in here if m.kind == "module"]
        name = self.random.choice(before).name if before and self.chance(0.5) and "reopened" in self.features else self.name("Area")
        made = Module(name, self.scope)
        made.file = self.file
        here.append(made)
        outer, self.scope = self.scope, made
        for _ in range(self.random.randint(1, 5)):
            self.something()
        if depth < 2 and self.chance(0.4):
            self.module(depth + 1)
        self.scope = outer

    def make(self):
        for _ in range(self.random.randint(2, 5)):
            if self.chance(0.6):
                self.module(0)
            else:
                self.something()
        while len(self.file.interfaces) < 1:
            self.interface()
        return self.file


def batch(seed, first, count, features):
    """Files of one program; a file may include those before it."""
    files = []
    for number in range(first, first + count):
        files.append(Maker(seed, number, features, [f for f in files if not f.includes]).make())
    return files
