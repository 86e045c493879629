# SPDX-License-Identifier: Apache-2.0
"""What a random IDL file consists of: types and declarations, how IDL and the classic C++ mapping spell them."""
import math
from dataclasses import dataclass, field

# Words that C++ or IDL keeps for itself. Such a name gets _cxx_ in C++, and _ in IDL.
CXX_KEYWORDS = ("class", "template", "new", "delete", "operator", "namespace", "virtual", "int", "this", "friend", "while",
                "signed", "auto", "throw", "try", "catch", "static", "export", "explicit", "register", "goto")
IDL_KEYWORDS = ("interface", "sequence", "string", "module", "attribute", "oneway", "readonly", "fixed", "octet", "any",
                "wchar", "raises", "inout", "exception", "context", "custom", "factory", "truncatable", "local", "native")


def idl_name(name):
    return "_" + name if name in IDL_KEYWORDS else name


def cxx_name(name):
    return "_cxx_" + name if name in CXX_KEYWORDS else name


# ---- types without a declaration ----

@dataclass(frozen=True)
class Primitive:
    idl: str
    cxx: str
    filler: str  # a function of Random
    kind = "primitive"
    variable = False


PRIMITIVES = {name: Primitive(name, f"::CORBA::{cxx}", filler) for name, cxx, filler in (
    ("boolean", "Boolean", "boolean"), ("octet", "Octet", "octet"), ("char", "Char", "character"),
    ("short", "Short", "integer<::CORBA::Short>"), ("unsigned short", "UShort", "integer<::CORBA::UShort>"),
    ("long", "Long", "integer<::CORBA::Long>"), ("unsigned long", "ULong", "integer<::CORBA::ULong>"),
    ("long long", "LongLong", "integer<::CORBA::LongLong>"),
    ("unsigned long long", "ULongLong", "integer<::CORBA::ULongLong>"),
    ("float", "Float", "real<::CORBA::Float>"), ("double", "Double", "real<::CORBA::Double>"),
    ("long double", "LongDouble", "real<::CORBA::LongDouble>"), ("wchar", "WChar", "wide"))}


@dataclass(frozen=True)
class String:
    bound: int = 0  # 0: none
    wide: bool = False
    variable = True

    @property
    def kind(self):
        return "wstring" if self.wide else "string"


@dataclass(frozen=True)
class Fixed:
    digits: int
    scale: int
    kind = "fixed"
    variable = False


@dataclass(frozen=True)
class Pseudo:
    """any, Object, CORBA::TypeCode, ValueBase."""
    kind: str
    variable = True


@dataclass(eq=False)
class Sequence:
    element: object
    bound: int = 0
    kind = "sequence"
    variable = True


@dataclass(eq=False)
class Array:
    """The type of a declarator with dimensions: of a typedef or, anonymous, of a member."""
    element: object
    dimensions: list
    kind = "array"

    @property
    def variable(self):
        return self.element.variable


# ---- declarations ----

@dataclass(eq=False)
class Named:
    name: str
    scope: object  # Module, Interface, Value or None
    file: object = None

    def path(self):
        return (self.scope.path() if self.scope else []) + [self.name]

    @property
    def cxx(self):
        return "::" + "::".join(cxx_name(n) for n in self.path())

    def tag(self):
        """For names of C++ functions."""
        return "_".join(self.path())


@dataclass(eq=False)
class Module(Named):
    """Once for each time that it is opened."""
    contents: list = field(default_factory=list)
    kind = "module"


@dataclass(eq=False)
class Enum(Named):
    enumerators: list = field(default_factory=list)
    kind = "enum"
    variable = False

    def enumerator(self, name):
        return "::" + "::".join(cxx_name(n) for n in [*self.path()[:-1], name])


@dataclass(eq=False)
class Member:
    name: str
    type: object

    @property
    def cxx(self):
        return cxx_name(self.name)


@dataclass(eq=False)
class Struct(Named):
    members: list = field(default_factory=list)
    kind = "struct"
    forward: bool = False  # declared before, because it holds sequences of itself

    @property
    def variable(self):
        return any(m.type is not self and m.type.variable for m in self.members)


@dataclass(eq=False)
class Case:
    labels: list  # (IDL, C++) each; empty: default
    member: Member


@dataclass(eq=False)
class Union(Named):
    discriminator: object = None
    cases: list = field(default_factory=list)
    implicit_default: bool = False
    left: list = field(default_factory=list)  # labels that no case has
    forward: bool = False
    kind = "union"

    @property
    def variable(self):
        return any(c.member.type.variable for c in self.cases)

    @property
    def complete(self):
        """Whether each value of the discriminator has a label."""
        bare = strip(self.discriminator)
        number = len(bare.enumerators) if bare.kind == "enum" else 2 if bare.idl == "boolean" else None
        return sum(len(c.labels) for c in self.cases) == number


@dataclass(eq=False)
class Exception_(Named):
    members: list = field(default_factory=list)
    kind = "exception"
    variable = True


@dataclass(eq=False)
class Typedef(Named):
    type: object = None
    kind = "typedef"

    @property
    def variable(self):
        return self.type.variable


@dataclass(eq=False)
class Constant(Named):
    type: str = ""
    expression: str = ""
    expected: str = ""  # a C++ expression of its value
    kind = "constant"


@dataclass(eq=False)
class Parameter:
    direction: str  # in, inout, out
    type: object
    name: str

    @property
    def cxx(self):
        return cxx_name(self.name)


@dataclass(eq=False)
class Operation:
    name: str
    result: object  # None: void
    parameters: list
    raises: list
    oneway: bool = False


@dataclass(eq=False)
class Attribute:
    name: str
    type: object
    readonly: bool


@dataclass(eq=False)
class Interface(Named):
    bases: list = field(default_factory=list)
    contents: list = field(default_factory=list)  # types, constants, exceptions
    operations: list = field(default_factory=list)  # operations and attributes
    forward: bool = False
    kind = "interface"
    variable = True

    def everything(self):
        """Its operations and those that it inherits, each once."""
        seen = []
        for each in (*self.bases, None):
            for operation in each.everything() if each else self.operations:
                if operation not in seen:
                    seen.append(operation)
        return seen

    def ancestors(self):
        return {self}.union(*(b.ancestors() for b in self.bases))

    @property
    def skeleton(self):
        path = [cxx_name(n) for n in self.path()]
        return "::" + "::".join(["POA_" + path[0], *path[1:]])


@dataclass(eq=False)
class Box(Named):
    type: object = None
    kind = "box"
    variable = True


@dataclass(eq=False)
class Value(Named):
    base: object = None
    truncatable: bool = False
    abstract: bool = False  # without state: what others derive from
    abstract_bases: list = field(default_factory=list)
    members: list = field(default_factory=list)
    public: list = field(default_factory=list)  # a flag for each member
    forward: bool = False
    kind = "value"
    variable = True

    @property
    def id(self):
        """The repository id."""
        return "IDL:" + "/".join([*([self.file.prefix] if self.file.prefix else []), *self.path()]) + ":1.0"

    def bases(self):
        return ([self.base] if self.base else []) + self.abstract_bases

    def ancestors(self):
        return {self}.union(*(b.ancestors() for b in self.bases()))

    def all_members(self):
        return (self.base.all_members() if self.base else []) + self.members

    @property
    def implementation(self):
        path = [cxx_name(n) for n in self.path()]
        return "::" + "::".join(["OBV_" + path[0], *path[1:]])


@dataclass(eq=False)
class File:
    number: int
    includes: list = field(default_factory=list)
    prefix: str = ""
    dynamic: bool = False  # has any or TypeCode
    odd_type_codes: bool = True  # sends TypeCodes of what is_odd() names
    contents: list = field(default_factory=list)
    types: list = field(default_factory=list)
    interfaces: list = field(default_factory=list)
    exceptions: list = field(default_factory=list)
    constants: list = field(default_factory=list)

    @property
    def stem(self):
        return f"random_{self.number}"

    def visible(self, what):
        """Its own and those of the files that it includes."""
        return [x for f in (*self.includes, self) for x in getattr(f, what)]


def strip(type_):
    while type_.kind == "typedef":
        type_ = type_.type
    return type_


def members_of(bare):
    return [*getattr(bare, "members", []), *(c.member for c in getattr(bare, "cases", []))]


def least_leaves(type_):
    """How many values without parts the smallest value of the largest shape has: sequences are empty, but not arrays."""
    bare = strip(type_)
    if bare.kind == "array":
        return math.prod(bare.dimensions) * least_leaves(bare.element)
    if bare.kind == "struct":
        return sum(least_leaves(m.type) for m in bare.members)
    if bare.kind == "union":
        return 1 + max(least_leaves(c.member.type) for c in bare.cases)
    return 1


def any_within(type_, test, seen=()):
    """Whether the test holds for the type or one that it is made of, typedefs aside."""
    bare = strip(type_)
    if bare in seen:
        return False
    inner = [m.type for m in members_of(bare)] + ([bare.element] if bare.kind in ("sequence", "array") else []) + \
        ([bare.type] if bare.kind == "box" else [])
    return test(bare) or any(any_within(t, test, (*seen, bare)) for t in inner)


def is_complete_union(bare):
    return bare.kind == "union" and bare.complete


def is_unfit_for_any(bare):
    """Whether omniORB cannot exchange an any of it (features.py: odd_type_codes)."""
    return bare.kind == "value" or is_complete_union(bare)


def is_odd(bare):
    """Whether omniORB has another TypeCode for it (features.py: odd_type_codes)."""
    return is_unfit_for_any(bare) or any(m.name in CXX_KEYWORDS for m in members_of(bare)) or \
        (bare.kind == "union" and bare.discriminator.kind == "typedef")
