# SPDX-License-Identifier: Apache-2.0
"""Prints functions about anys and TypeCodes."""
from model import any_within, cxx_name, is_odd, is_unfit_for_any


class Anys:
    """For Printer (driver.py)."""

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
        """Anys of the basic types and of this file's; host::Random says when of basic ones only."""
        fill_head, same_head, pick_head = self.any_heads()
        types = self.insertable()
        fill = ["const host::Deeper deeper(r);", "const host::Apart apart(r);", f"switch (r.below(r.basic() ? 5 : {5 + len(types)})) {{",
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
                make = f"v = make_{t.tag()}(r);"
                if not self.file.odd_type_codes:  # null means different things to the ORBs
                    make = f"r.values.want(true); {make} r.values.want(false);"
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
