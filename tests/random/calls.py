# SPDX-License-Identifier: Apache-2.0
"""Prints a servant for each interface, and a function that calls each operation."""
from model import cxx_name, strip
from values import Values


class Calls(Values):
    """For Printer (driver.py). programs/host.h says what client and servant agree about."""

    def order(self, operation):
        return [p for p in operation.parameters if p.direction != "out"], \
            [p for p in operation.parameters if p.direction != "in"]

    def whole(self, t, x):
        """Fills an argument or result."""
        return ["r.next_value();", *self.fill(t, x)]

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
                body += [f"  case {n}: {{", f"    {x.cxx} e;", "    r.next_value();", f"    fill_{x.tag()}(r, e);", "    throw e;", "  }"]
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
                *("  " + line for line in self.whole(t, e)),
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
            return ["{", f"  {self.declare(t, v)}", *("  " + line for line in self.whole(t, v)),
                    *([f"  {free}"] if p.direction == "inout" else []), f"  {x} = {v}._retn();", "}"]
        if p.direction == "out" and (t.variable or kind == "any"):
            v = self.variable()
            make = f"{t.cxx}_slice* {v} = {t.cxx}_alloc();" if kind == "array" else f"{self.cxx(t)}* {v} = new {self.cxx(t)};"
            return ["{", f"  {make}", *("  " + line for line in self.whole(t, v if kind == "array" else f"(*{v})")),
                    f"  {x} = {v};", "}"]
        return self.whole(t, x)

    def give_result(self, t):
        if t is None:
            return []
        kind = strip(t).kind
        if self.held_by_pointer(t):
            return [self.declare(t, "result"), *self.whole(t, "result"), "return result._retn();"]
        if kind == "array":
            return [f"{t.cxx}_slice* result = {t.cxx}_alloc();", *self.whole(t, "result"), "return result;"]
        if t.variable or kind == "any":
            return [f"{self.cxx(t)}* result = new {self.cxx(t)};", *self.whole(t, "(*result)"), "return result;"]
        return [self.declare(t, "result"), *self.whole(t, "result"), "return result;"]

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
            body += self.whole(p.type, held[p])
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
                      "  const host::Comparing comparing(r);", f"  {x.cxx} e;", "  r.next_value();", f"  fill_{x.tag()}(r, e);", f'  host::check(same_{x.tag()}(x, e), "an exception\'s members");',
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
            write = [self.declare(a.type, "x"), *self.whole(a.type, "x"), f"object->{cxx_name(a.name)}({self.read(a.type, 'x')});"]
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
