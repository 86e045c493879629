# SPDX-License-Identifier: Apache-2.0
"""Prints functions that make random values of declared types (fill, make) and that compare them (same)."""
from model import strip
from passing import Passing


def wrapped(lines, before, after):
    return [before, *("  " + line for line in lines), after]


def names_of(interface):
    return f'"{interface.tag()}"'


class Values(Passing):
    """For Printer (driver.py), which has the file, the lines and names of variables."""

    def fill(self, t, x, depth=0):
        """Statements that give x, any lvalue of the type, a random value."""
        kind = t.kind
        if kind == "primitive":
            return [f"{x} = r.{t.filler}();"]
        if kind in ("string", "wstring"):
            return [f"{x} = r.{'wide_text' if kind == 'wstring' else 'text'}({t.bound}).c_str();"]
        if kind == "interface":
            return [f"{x} = host::reference<{t.cxx}>(r, {names_of(t)});"]
        if kind == "Object":
            return [f"{x} = host::reference<::CORBA::Object>(r, {names_of(self.file.interfaces[0])});"]
        if kind == "fixed":
            return [f"{x} = ::CORBA::Fixed(r.fixed({t.digits}, {t.scale}).c_str());"]
        if kind == "any":
            return [f"fill_any_{self.file.number}(r, {x});"]
        if kind == "TypeCode":
            return [f"{x} = pick_TypeCode_{self.file.number}(r);"]
        if kind in ("value", "box"):
            return [f"{x} = make_{t.tag()}(r);"]
        if kind == "sequence":
            return self.fill_sequence(t, x, depth)
        if kind == "array":
            return self.elements(t, [x], depth, lambda e: self.fill(t.element, e[0], depth + 1))
        if kind == "typedef" and self.inline(t):
            return self.fill(t.type, x, depth)
        return [f"fill_{t.tag()}(r, {x});"]

    @staticmethod
    def inline(t):
        return strip(t).kind not in ("sequence", "array")

    def fill_sequence(self, t, x, depth):
        s, i, deeper = self.variable(), self.variable(), self.variable()
        body = self.fill(t.element, f"{s}[{i}]", depth + 1)
        return ["{", f"  auto& {s} = {x};", f"  {s}.length(r.length({t.bound}));",
                f"  const host::Deeper {deeper}(r);", f"  for (::CORBA::ULong {i} = 0; {i} < {s}.length(); ++{i}) {{",
                *("    " + line for line in body), "  }", "}"]

    def elements(self, t, arrays, depth, body):
        """Loops over the elements of arrays of the same dimensions."""
        indices = [self.variable() for _ in t.dimensions]
        lines = body([a + "".join(f"[{i}]" for i in indices) for a in arrays])
        for i, d in reversed(list(zip(indices, t.dimensions))):
            lines = wrapped(lines, f"for (unsigned {i} = 0; {i} < {d}; ++{i}) {{", "}")
        return lines

    def same(self, t, a, b):
        """Statements that return false when a and b differ."""
        kind = t.kind
        if kind in ("primitive", "enum"):
            return [f"if ({a} != {b}) return false;"]
        if kind in ("string", "wstring"):
            return [f"if (!host::same_{'wide_' if kind == 'wstring' else ''}text({a}, {b})) return false;"]
        if kind in ("interface", "Object"):
            return [f"if (!host::same_reference({a}, {b})) return false;"]
        if kind == "fixed":
            return [f"if ({a} != {b}) return false;"]
        if kind == "any":
            return [f"if (!same_any_{self.file.number}({a}, {b})) return false;"]
        if kind == "TypeCode":
            return [f"if (!host::same_type_code({a}, {b})) return false;"]
        if kind in ("value", "box"):
            return [f"if (!same_{t.tag()}(host::value<{t.cxx}>({a}), host::value<{t.cxx}>({b}))) return false;"]
        if kind == "sequence":
            s, o, i = self.variable(), self.variable(), self.variable()
            body = self.same(t.element, f"{s}[{i}]", f"{o}[{i}]")
            return ["{", f"  const auto& {s} = {a};", f"  const auto& {o} = {b};",
                    f"  if ({s}.length() != {o}.length()) return false;",
                    f"  for (::CORBA::ULong {i} = 0; {i} < {s}.length(); ++{i}) {{", *("    " + line for line in body), "  }", "}"]
        if kind == "array":
            return self.elements(t, [a, b], 0, lambda e: self.same(t.element, *e))
        if kind == "typedef" and self.inline(t):
            return self.same(t.type, a, b)
        return [f"if (!same_{t.tag()}({a}, {b})) return false;"]

    # ---- functions for declared types ----

    def function(self, head, lines):
        self.lines += [f"{head} {{", *("  " + line for line in lines), "}"]

    def parameter(self, t, constant):
        """As the functions below take a value of a declared type."""
        if strip(t).kind == "array":
            return f"{'const ' if constant else ''}{t.cxx}_slice*"
        return f"const {t.cxx}&" if constant else f"{t.cxx}&"

    def heads(self, t):
        if t.kind in ("value", "box"):
            return [f"{t.cxx}* make_{t.tag()}(Random& r)", f"bool same_{t.tag()}(const {t.cxx}* a, const {t.cxx}* b)"]
        return [f"void fill_{t.tag()}(Random& r, {self.parameter(t, False)} x)",
                f"bool same_{t.tag()}({self.parameter(t, True)} a, {self.parameter(t, True)} b)"]

    def has_functions(self, t):
        return not (t.kind == "typedef" and self.inline(t))

    def define(self, t):
        fill_head, same_head = self.heads(t)
        fill, same = getattr(self, "bodies_of_" + t.kind)(t)
        self.function(fill_head, fill or ["static_cast<void>(r), static_cast<void>(x);"])
        self.function(same_head, [*same, "return true;"] if same else ["static_cast<void>(a), static_cast<void>(b);", "return true;"])

    def bodies_of_enum(self, t):
        names = ", ".join(t.enumerator(n) for n in t.enumerators)
        return [f"static const {t.cxx} all[] = {{{names}}};", f"x = all[r.below({len(t.enumerators)})];"], \
            self.same(t, "a", "b")

    def bodies_of_struct(self, t):
        fill = [line for m in t.members for line in self.fill(m.type, f"x.{m.cxx}")]
        return fill, [line for m in t.members for line in self.same(m.type, f"a.{m.cxx}", f"b.{m.cxx}")]

    bodies_of_exception = bodies_of_struct

    def bodies_of_typedef(self, t):
        return self.fill(t.type, "x"), self.same(t.type, "a", "b")

    def bodies_of_union(self, t):
        fill = [f"switch (r.below({len(t.cases) + t.implicit_default})) {{"]
        for n, c in enumerate(t.cases):
            fill += [f"  case {n}: {{", *("    " + line for line in self.fill_member(t, c)), "    break;", "  }"]
        if t.implicit_default:
            fill.append(f"  default: x._default(); x._d({t.left[-1][1]});")
        fill.append("}")
        boolean = getattr(strip(t.discriminator), "idl", "") == "boolean"  # of which no switch is made
        same = ["if (a._d() != b._d()) return false;", f"switch ({'static_cast<int>(a._d())' if boolean else 'a._d()'}) {{"]
        for c in t.cases:
            labels = [f"  case {cxx}:" for _, cxx in c.labels] or ["  default:"]
            compare = self.same(c.member.type, f"a.{c.member.cxx}()", f"b.{c.member.cxx}()")
            same += [*labels, *("    " + line for line in compare), "    break;"]
        if not any(not c.labels for c in t.cases):
            same.append("  default: break;")
        same.append("}")
        return fill, same

    def fill_member(self, union, c):
        t, name = c.member.type, c.member.cxx
        if self.held_by_pointer(t) or self.by_value(t) or strip(t).kind in ("any", "fixed"):
            declaration = f"{self.cxx(t)} m;"
            value = "m.in()" if self.held_by_pointer(t) else "m"
        else:
            declaration, = self.local(t, "m", f"x.{name}()")
            value = "m"
        lines = [declaration, *self.fill(t, "m"), f"x.{name}({value});"]
        # Each ORB has its own choice of a discriminator where there are several.
        if len(c.labels) != 1:
            lines.append(f"x._d({(c.labels or union.left)[-1][1]});")
        return lines

    def bodies_of_box(self, t):
        make = ["if (r.values.none(r)) return nullptr;", f"if (auto* before = r.values.pick<{t.cxx}>(r)) return before;",
                "r.values.want(false);", *self.local(t.type, "m", "std::declval<%s&>()._value()" % t.cxx), *self.fill(t.type, "m"),
                f"auto* made = new {t.cxx};", f"made->_value({self.read(t.type, 'm')});", "r.values.keep(made);", "return made;"]
        return make, ["if (!a || !b) return !a && !b;", "if (const int known = host::Comparing::known(a, b)) return known > 0;",
                      *self.same(t.type, "a->_value()", "b->_value()")]

    def local(self, t, name, like):
        """A variable to be copied into a value; `like` is an expression of the type for those without a name."""
        if t.kind == "sequence":
            return [f"std::remove_cvref_t<decltype({like})> {name};"]
        if t.kind == "array":  # the expression is a pointer to its slice
            return [f"std::remove_cv_t<std::remove_pointer_t<decltype({like})>> {name}[{t.dimensions[0]}];"]
        return [self.declare(t, name)]

    def bodies_of_value(self, t):
        heirs = [h for h in self.file.types if h.kind == "value" and t in h.bases()]
        make = ["if (r.values.none(r)) return nullptr;", f"if (auto* before = r.values.pick<{t.cxx}>(r)) return before;"]
        if heirs:
            make += [f"switch (r.below({len(heirs) + 1})) {{"]
            for n, h in enumerate(heirs):
                make += [f"  case {n}: return make_{h.tag()}(r);"]
            make += ["  default: break;", "}"]
        if t.abstract:
            make += [f"return make_{heirs[0].tag()}(r);" if heirs else "return nullptr;"]
        else:
            make += [f"auto* made = new {t.tag()}_made;", "const host::Deeper deeper(r);", "r.values.begin(made);",
                     "made->fill(r);", "r.values.end();", "return made;"]
        return make, ["if (!a || !b) return !a && !b;", "if (const int known = host::Comparing::known(a, b)) return known > 0;",
                      "const auto* p = dynamic_cast<const host::Made*>(a);", "return p && p->same(b);"]

    def value_class(self, t):
        """What an application writes for a valuetype; fill and same reach private state too."""
        name = f"{t.tag()}_made"
        fill, same, forget = [], [], []
        for m in t.all_members():
            if strip(m.type).kind == "value":
                target = strip(m.type).cxx
                fill += ["{", f"  {target}_var m;", f"  if (auto* ring = r.values.enclosing<{target}>(r)) m = ring;",
                         "  else {", *("    " + line for line in self.fill(m.type, "m")), "  }", f"  this->{m.cxx}(m.in());", "}"]
                forget.append(f"this->{m.cxx}(static_cast<{target}*>(nullptr));")
            else:
                fill += ["{", *("  " + line for line in self.local(m.type, "m", f"this->{m.cxx}()")),
                         *("  " + line for line in self.fill(m.type, "m")), f"  this->{m.cxx}({self.read(m.type, 'm')});", "}"]
            same += self.same(m.type, f"this->{m.cxx}()", f"b.{m.cxx}()")
        self.lines.append(f"class {name} final : public virtual {t.implementation}, "
                          "public virtual ::CORBA::DefaultValueRefCountBase, public host::Made {")
        self.lines.append(" public:")
        self.function("  void fill(Random& r)", fill or ["static_cast<void>(r);"])
        self.function("  bool same(const ::CORBA::ValueBase* other) const override",
                      [f"const auto* given = dynamic_cast<const {name}*>(other);", "if (!given) return false;",
                       # Not all accessors are const: C++ mapping 1.3, 4.17.2.
                       f"return const_cast<{name}*>(this)->compare(const_cast<{name}&>(*given));"])
        self.function(f"  bool compare([[maybe_unused]] {name}& b)", [*same, "return true;"])
        self.function("  void forget() override", forget)
        self.lines.append("};")

    def factories(self):
        values = [t for t in self.file.types if t.kind == "value" and not t.abstract]
        self.function(f"void add_factories_{self.file.number}()", [f'host::add_factory<{t.tag()}_made>("{t.id}");' for t in values])
