# SPDX-License-Identifier: Apache-2.0
"""How the classic mapping spells types and passes values: C++ mapping 1.3, 4.22."""
from model import strip


def strip_reference(t):
    """X_out of a typedef of an interface or value is the one of what it stands for, in every ORB."""
    return strip(t) if strip(t).kind in ("interface", "value", "box", "struct", "union", "enum") else t


class Passing:
    """For Printer (driver.py)."""

    @staticmethod
    def by_value(t):
        return strip(t).kind in ("primitive", "enum")

    def cxx(self, t):
        """The type of a variable that holds a value."""
        bare = strip(t)
        return {"primitive": lambda: bare.cxx, "string": lambda: "::CORBA::String_var", "wstring": lambda: "::CORBA::WString_var",
                "any": lambda: "::CORBA::Any", "Object": lambda: "::CORBA::Object_var", "TypeCode": lambda: "::CORBA::TypeCode_var",
                "interface": lambda: bare.cxx + "_var", "value": lambda: bare.cxx + "_var", "box": lambda: bare.cxx + "_var",
                }.get(bare.kind, lambda: t.cxx)()

    @staticmethod
    def pointer(t):
        """What a value that is handled by pointer is: T*, T_ptr, char*."""
        bare = strip(t)
        return {"string": "char*", "wstring": "::CORBA::WChar*", "Object": "::CORBA::Object_ptr", "any": "::CORBA::Any*",
                "TypeCode": "::CORBA::TypeCode_ptr"}.get(bare.kind) or \
            (bare.cxx + "_ptr" if bare.kind == "interface" else bare.cxx + "*")

    @staticmethod
    def held_by_pointer(t):
        return strip(t).kind in ("string", "wstring", "Object", "TypeCode", "interface", "value", "box")

    def in_type(self, t):
        if self.by_value(t):
            return self.cxx(t)
        kind = strip(t).kind
        if kind in ("string", "wstring"):
            return "const " + self.pointer(t)
        if self.held_by_pointer(t):
            return self.pointer(t)
        if kind == "array":
            return f"const {t.cxx}"
        return f"const {self.cxx(t)}&"

    def inout_type(self, t):
        if self.held_by_pointer(t):
            return self.pointer(t) + "&"
        return f"{t.cxx}_slice*" if strip(t).kind == "array" else self.cxx(t) + "&"

    def out_type(self, t):
        kind = strip(t).kind
        if self.by_value(t) or kind == "fixed":
            return self.cxx(t) + "&"
        return {"string": "::CORBA::String_out", "wstring": "::CORBA::WString_out", "any": "::CORBA::Any_out",
                "Object": "::CORBA::Object_out", "TypeCode": "::CORBA::TypeCode_out"}.get(kind) or f"{strip_reference(t).cxx}_out"

    def result_type(self, t):
        if t is None:
            return "void"
        kind = strip(t).kind
        if self.by_value(t) or kind == "fixed":
            return self.cxx(t)
        if self.held_by_pointer(t) or kind == "any":
            return self.pointer(t)
        if kind == "array":
            return f"{t.cxx}_slice*"
        return t.cxx + "*" if t.variable else t.cxx
