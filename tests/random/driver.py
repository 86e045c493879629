# SPDX-License-Identifier: Apache-2.0
"""Prints the C++ program part of a random file: values of its types (fill), whether two are the same (same), a servant for
each interface and a client's call of each operation. Written against the classic mapping alone, so that it compiles with
callis and with omniORB; programs/host.h says what client and servant agree about."""
from model import any_within, cxx_name, is_odd, is_unfit_for_any, strip

MAXIMUM_DEPTH = 3


def wrapped(lines, before, after):
    return [before, *("  " + line for line in lines), after]


class Printer:
    def __init__(self, file):
        self.file = file
        self.dynamic = file.dynamic
        self.lines = []
        self.variables = 0

    def variable(self):
        self.variables += 1
        return f"v{self.variables}"

    # ---- how the mapping passes a type: C++ mapping 1.3, 4.22 ----

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

    # ---- values ----

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
            declaration = f"{t.cxx} m;" if t.kind != "sequence" else f"std::remove_cvref_t<decltype(x.{name}())> m;"
            value = "m"
        lines = [declaration, *self.fill(t, "m"), f"x.{name}({value});"]
        # Each ORB has its own choice of a discriminator where there are several.
        if len(c.labels) != 1:
            lines.append(f"x._d({(c.labels or union.left)[-1][1]});")
        return lines

    def bodies_of_box(self, t):
        make = ["if (r.values.none(r)) return nullptr;", f"if (auto* before = r.values.pick<{t.cxx}>(r)) return before;",
                *self.local(t.type, "m", "std::declval<%s&>()._value()" % t.cxx), *self.fill(t.type, "m"),
                f"auto* made = new {t.cxx};", f"made->_value({self.read(t.type, 'm')});", "r.values.keep(made);", "return made;"]
        return make, ["if (!a || !b) return !a && !b;", "if (const int known = host::Comparing::known(a, b)) return known > 0;",
                      *self.same(t.type, "a->_value()", "b->_value()")]

    def local(self, t, name, like):
        """A variable to be copied into a value; `like` is an expression of the type for those without a name."""
        if t.kind == "sequence":
            return [f"std::remove_cvref_t<decltype({like})> {name};"]
        return [self.declare(t, name)]

    def bodies_of_value(self, t):
        heirs = [h for h in self.file.types if h.kind == "value" and h.base is t]
        make = ["if (r.values.none(r)) return nullptr;", f"if (auto* before = r.values.pick<{t.cxx}>(r)) return before;"]
        if heirs:
            make += [f"switch (r.below({len(heirs) + 1})) {{"]
            for n, h in enumerate(heirs):
                make += [f"  case {n}: return make_{h.tag()}(r);"]
            make += ["  default: break;", "}"]
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
        values = [t for t in self.file.types if t.kind == "value"]
        self.function(f"void add_factories_{self.file.number}()", [f'host::add_factory<{t.tag()}_made>("{t.id}");' for t in values])

    # ---- any and TypeCode ----

    def insertable(self):
        """Declared types of this file that have operators of Any and are no arrays."""
        found = [t for t in self.file.types if t.kind in ("enum", "struct", "union", "value", "box") or
                 (t.kind == "typedef" and t.type.kind == "sequence")]
        return [t for t in found if self.file.odd_type_codes or not any_within(t, is_unfit_for_any)]

    def type_codes(self):
        own = ["::" + "::".join([*map(cxx_name, t.path()[:-1]), "_tc_" + t.name]) for t in self.insertable()
               if self.file.odd_type_codes or not any_within(t, is_odd)]
        return ["::CORBA::_tc_long", "::CORBA::_tc_string", "::CORBA::_tc_any", "::CORBA::_tc_Object", *own]

    def any_heads(self):
        n = self.file.number
        return [f"[[maybe_unused]] static void fill_any_{n}(Random& r, ::CORBA::Any& x)",
                f"[[maybe_unused]] static bool same_any_{n}(const ::CORBA::Any& a, const ::CORBA::Any& b)",
                f"[[maybe_unused]] static ::CORBA::TypeCode_ptr pick_TypeCode_{n}(Random& r)"]

    def any_functions(self):
        """Anys of the basic types and of this file's; deep inside only of basic ones, so that they end."""
        fill_head, same_head, pick_head = self.any_heads()
        types = self.insertable()
        fill = ["const host::Deeper deeper(r);", "const host::Apart apart(r);", f"switch (r.below(r.depth > 2 ? 5 : {5 + len(types)})) {{",
                "  case 0: x = ::CORBA::Any(); break;", "  case 1: x <<= r.integer<::CORBA::Long>(); break;",
                "  case 2: x <<= r.real<::CORBA::Double>(); break;", "  case 3: x <<= r.text(0).c_str(); break;",
                "  case 4: x <<= ::CORBA::Any::from_boolean(r.boolean()); break;"]
        same = ["{", "  ::CORBA::Long p{}, q{};", "  if (a >>= p) return (b >>= q) && p == q;", "}",
                "{", "  ::CORBA::Double p{}, q{};", "  if (a >>= p) return (b >>= q) && !(p < q) && !(p > q);", "}",
                "{", "  const char* p{};", "  const char* q{};", "  if (a >>= p) return (b >>= q) && host::same_text(p, q);", "}",
                "{", "  ::CORBA::Boolean p{}, q{};",
                "  if (a >>= ::CORBA::Any::to_boolean(p)) return (b >>= ::CORBA::Any::to_boolean(q)) && p == q;", "}"]
        for n, t in enumerate(types):
            fill += [f"  case {5 + n}: {{", f"    {t.cxx} v{'{}' if t.kind == 'enum' else ''};", f"    fill_{t.tag()}(r, v);",
                     "    x <<= v;", "    break;", "  }"]
            if t.kind in ("value", "box"):
                again = f"do v = make_{t.tag()}(r); while (!v.in());"  # odd_type_codes: null means different things to the ORBs
                make = f"v = make_{t.tag()}(r);" if self.file.odd_type_codes else again
                fill[-6:] = [f"  case {5 + n}: {{", f"    {t.cxx}_var v;", f"    {make}", "    x <<= v.in();", "    break;", "  }"]
                same += ["{", f"  {t.cxx}* p{{}};", f"  {t.cxx}* q{{}};", f"  if (a >>= p) return (b >>= q) && same_{t.tag()}(p, q);", "}"]
            elif t.kind == "enum":
                same += ["{", f"  {t.cxx} p{{}}, q{{}};", "  if (a >>= p) return (b >>= q) && p == q;", "}"]
            else:
                same += ["{", f"  const {t.cxx}* p{{}};", f"  const {t.cxx}* q{{}};",
                         f"  if (a >>= p) return (b >>= q) && same_{t.tag()}(*p, *q);", "}"]
        fill += ["  default: break;", "}"]
        same += ["const ::CORBA::TypeCode_var p = a.type(), q = b.type();", "return p->kind() == q->kind();"]
        self.function(fill_head, fill)
        self.function(same_head, same)
        codes = self.type_codes()
        self.function(pick_head, [f"const ::CORBA::TypeCode_ptr all[] = {{{', '.join(codes)}}};",
                                  f"return ::CORBA::TypeCode::_duplicate(all[r.below({len(codes)})]);"])

    # ---- servants and calls ----

    def order(self, operation):
        return [p for p in operation.parameters if p.direction != "out"], \
            [p for p in operation.parameters if p.direction != "in"]

    def choose_exception(self, operation):
        return f"const unsigned which = r.below({2 * len(operation.raises) + 1});" if operation.raises else None

    def servant_operation(self, interface, o):
        types = {"in": self.in_type, "inout": self.inout_type, "out": self.out_type}
        parameters = ", ".join(f"{types[p.direction](p.type)} p_{n}" for n, p in enumerate(o.parameters))
        body = [f'[[maybe_unused]] Random r = host::upcall("{interface.tag()}.{o.name}");']
        index = {p: f"p_{n}" for n, p in enumerate(o.parameters)}
        received, sent = self.order(o)
        for p in received:
            body += self.expect(p.type, index[p], f"{p.name} in the servant")
        if self.choose_exception(o):
            body += [self.choose_exception(o), "switch (which) {"]
            for n, x in enumerate(o.raises):
                body += [f"  case {n}: {{", f"    {x.cxx} e;", f"    fill_{x.tag()}(r, e);", "    throw e;", "  }"]
            body += ["  default: break;", "}"]
        for p in sent:
            body += self.give(p, index[p])
        body += self.give_result(o.result)
        self.function(f"  {self.result_type(o.result)} {cxx_name(o.name)}({parameters}) override", body)

    def expect(self, t, x, what):
        """Compares x with the value that comes next."""
        e = self.variable()
        compare = self.same(t, x, self.read(t, e))
        return ["{", "  [[maybe_unused]] const host::Comparing comparing(r);", f"  {self.declare(t, e)}",
                *("  " + line for line in self.fill(t, e)),
                "  host::check([&] {", *("    " + line for line in compare), "    return true;", f'  }}(), "{what}");', "}"]

    def declare(self, t, name):
        return f"{self.cxx(t)} {name}{'{}' if self.by_value(t) else ''};"

    def read(self, t, name):
        return f"{name}.in()" if self.held_by_pointer(t) else name

    def give(self, p, x):
        t, kind = p.type, strip(p.type).kind
        if self.held_by_pointer(t):
            v = self.variable()
            free = {"string": f"::CORBA::string_free({x});", "wstring": f"::CORBA::wstring_free({x});",
                    "value": f"::CORBA::remove_ref({x});", "box": f"::CORBA::remove_ref({x});"}.get(kind, f"::CORBA::release({x});")
            return ["{", f"  {self.declare(t, v)}", *("  " + line for line in self.fill(t, v)),
                    *([f"  {free}"] if p.direction == "inout" else []), f"  {x} = {v}._retn();", "}"]
        if p.direction == "out" and (t.variable or kind == "any"):
            v = self.variable()
            make = f"{t.cxx}_slice* {v} = {t.cxx}_alloc();" if kind == "array" else f"{self.cxx(t)}* {v} = new {self.cxx(t)};"
            return ["{", f"  {make}", *("  " + line for line in self.fill(t, v if kind == "array" else f"(*{v})")),
                    f"  {x} = {v};", "}"]
        return self.fill(t, x)

    def give_result(self, t):
        if t is None:
            return []
        kind = strip(t).kind
        if self.held_by_pointer(t):
            return [self.declare(t, "result"), *self.fill(t, "result"), "return result._retn();"]
        if kind == "array":
            return [f"{t.cxx}_slice* result = {t.cxx}_alloc();", *self.fill(t, "result"), "return result;"]
        if t.variable or kind == "any":
            return [f"{self.cxx(t)}* result = new {self.cxx(t)};", *self.fill(t, "(*result)"), "return result;"]
        return [self.declare(t, "result"), *self.fill(t, "result"), "return result;"]

    def call(self, interface, o):
        """A function that calls an operation and looks at what comes back."""
        body, arguments = [], []
        received, sent = self.order(o)
        held = {}
        for n, p in enumerate(o.parameters):
            h = held[p] = f"p_{n}"
            if p.direction == "out":
                body.append(self.out_holder(p.type, h))
                arguments.append(h + ".out()" if self.out_by_var(p.type) else h)
            else:
                body.append(self.declare(p.type, h))
                arguments.append({"in": h + ".in()", "inout": h + ".inout()"}[p.direction] if self.held_by_pointer(p.type) else h)
        for p in received:
            body += self.fill(p.type, held[p])
        if self.choose_exception(o):
            body.append(self.choose_exception(o))
        call = f"object->{cxx_name(o.name)}({', '.join(arguments)});"
        body += self.guarded(o, call)
        for p in sent:
            x = held[p] + ".in()" if p.direction == "out" and self.out_by_var(p.type) else self.read(p.type, held[p])
            body += self.expect(p.type, x, f"{p.name} in the client")
        if o.result:
            body += self.expect(o.result, "result.in()" if self.result_by_var(o.result) else "result", "the result")
        self.call_function(interface, o.name, body)

    def call_function(self, interface, name, body):
        self.function(f"void call_{interface.tag()}_{name}(::CORBA::Object_ptr target, Random& r)",
                      [f"const {interface.cxx}_var object = {interface.cxx}::_unchecked_narrow(target);",
                       "static_cast<void>(r);", *body])

    def guarded(self, o, call):
        """The call, with the exceptions that it may raise."""
        if o.result:
            t = o.result
            name = self.holder_of_result(t)
            call = f"result = {call}" if self.by_value(t) or not self.result_by_var(t) else f"result = {call}"
            before = [f"{name} result{'{}' if self.by_value(t) else ''};"]
        else:
            before = []
        if not o.raises:
            return [*before, call]
        lines = [*before, "try {", f"  {call}", f'  host::check(which >= {len(o.raises)}, "no exception");']
        for n, x in enumerate(o.raises):
            lines += [f"}} catch (const {x.cxx}& x) {{", f'  host::check(which == {n}, "the wrong exception");',
                      "  const host::Comparing comparing(r);", f"  {x.cxx} e;", f"  fill_{x.tag()}(r, e);", f'  host::check(same_{x.tag()}(x, e), "an exception\'s members");',
                      "  return;"]
        return [*lines, "}"]

    def out_by_var(self, t):
        """Whether the caller's variable for an out parameter is a T_var."""
        return t.variable

    def out_holder(self, t, name):
        if not self.out_by_var(t) or self.held_by_pointer(t):
            return self.declare(t, name)
        return ("::CORBA::Any_var" if strip(t).kind == "any" else t.cxx + "_var") + f" {name};"

    def result_by_var(self, t):
        return t.variable or strip(t).kind == "array"

    def holder_of_result(self, t):
        if not self.result_by_var(t) or self.held_by_pointer(t):
            return self.cxx(t)
        return "::CORBA::Any_var" if strip(t).kind == "any" else t.cxx + "_var"

    # ---- attributes are operations without a name of their own ----

    def attribute_servant(self, interface, a):
        body = [f'[[maybe_unused]] Random r = host::upcall("{interface.tag()}.{a.name}");', *self.give_result(a.type)]
        self.function(f"  {self.result_type(a.type)} {cxx_name(a.name)}() override", body)
        if not a.readonly:
            body = [f'[[maybe_unused]] Random r = host::upcall("{interface.tag()}.{a.name}");', *self.expect(a.type, "x", "an attribute in the servant")]
            self.function(f"  void {cxx_name(a.name)}({self.in_type(a.type)} x) override", body)

    def attribute_calls(self, interface, a):
        read = [f"{self.holder_of_result(a.type)} result{'{}' if self.by_value(a.type) else ''};",
                f"result = object->{cxx_name(a.name)}();",
                *self.expect(a.type, "result.in()" if self.result_by_var(a.type) else "result", "an attribute in the client")]
        self.call_function(interface, "get_" + a.name, read)
        if not a.readonly:
            write = [self.declare(a.type, "x"), *self.fill(a.type, "x"), f"object->{cxx_name(a.name)}({self.read(a.type, 'x')});"]
            self.call_function(interface, "set_" + a.name, write)

    def interface(self, i):
        self.lines.append(f"class {i.tag()}_servant : public virtual {i.skeleton} {{")
        self.lines.append(" public:")
        for o in i.everything():
            (self.attribute_servant if hasattr(o, "readonly") else self.servant_operation)(i, o)
        self.lines.append("};")
        calls = []
        for o in i.everything():
            if hasattr(o, "readonly"):
                self.attribute_calls(i, o)
                calls += ["get_" + o.name] + ([] if o.readonly else ["set_" + o.name])
            else:
                self.call(i, o)
                calls.append(o.name)
        self.lines.append(f"const host::Operation operations_of_{i.tag()}[] = {{")
        self.lines += [f'  {{"{name}", call_{i.tag()}_{name}}},' for name in calls]
        self.lines.append("};")
        return len(calls)

    # ---- the file ----

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
            if t.kind == "value":
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


def strip_reference(t):
    """X_out of a typedef of an interface or value is the one of what it stands for, in every ORB."""
    return strip(t) if strip(t).kind in ("interface", "value", "box", "struct", "union", "enum") else t


def names_of(interface):
    return f'"{interface.tag()}"'


def text(file):
    return Printer(file).print()


def table(files):
    """The program's list of files."""
    lines = ['#include "programs/host.h"', *(f"extern const host::File file_{f.number};" for f in files),
             "const host::File* const host::files[] = {" + ", ".join(f"&file_{f.number}" for f in files) + "};",
             f"const unsigned host::file_count = {len(files)};"]
    return "\n".join(lines) + "\n"
