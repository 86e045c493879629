// SPDX-License-Identifier: Apache-2.0
// Values that Anys carry to other ORBs and back.
#include "any_values.h"

namespace interop {

namespace {

using CORBA::Any;

template <class T, class V>
bool holds(const Any& a, V expected) {
  T value{};
  return (a >>= value) && value == static_cast<T>(expected);
}

AnyTest::Point point(unsigned n) {
  AnyTest::Point p;
  p.tag = static_cast<CORBA::Octet>(n);
  p.x = n * 0.5;
  p.y = static_cast<CORBA::Short>(-static_cast<int>(n));
  return p;
}
bool is_point(const AnyTest::Point& p, unsigned n) {
  return p.tag == n && p.x == n * 0.5 && p.y == -static_cast<int>(n);
}

void fill(AnyTest::Points& points, CORBA::ULong n) {
  points.length(n);
  for (CORBA::ULong i = 0; i < n; ++i) points[i] = point(i);
}
bool are_points(const AnyTest::Points& points, CORBA::ULong n) {
  if (points.length() != n) return false;
  for (CORBA::ULong i = 0; i < n; ++i)
    if (!is_point(points[i], i)) return false;
  return true;
}

void grow(AnyTest::Tree& tree, int depth) {
  tree.value = depth;
  tree.children.length(depth > 0 ? 2u : 0u);
  for (CORBA::ULong i = 0; i < tree.children.length(); ++i) grow(tree.children[i], depth - 1);
}
bool is_grown(const AnyTest::Tree& tree, int depth) {
  if (tree.value != depth || tree.children.length() != (depth > 0 ? 2u : 0u)) return false;
  for (CORBA::ULong i = 0; i < tree.children.length(); ++i)
    if (!is_grown(tree.children[i], depth - 1)) return false;
  return true;
}

void make_mixed(Any& a, AnyTest::Peer_ptr) {
  AnyTest::Mixed m;
  m.name = CORBA::string_dup("mixed");
  fill(m.dots, 3);
  for (CORBA::ULong i = 0; i < 2; ++i)
    for (CORBA::ULong j = 0; j < 3; ++j) m.numbers[i][j] = static_cast<CORBA::Long>(10 * i + j);
  m.shade = AnyTest::blue;
  m.inside <<= CORBA::ULong(77);
  m.few = CORBA::string_dup("few");
  a <<= m;
}
bool is_mixed(const Any& a) {
  const AnyTest::Mixed* m = nullptr;
  if (!(a >>= m)) return false;
  for (CORBA::ULong i = 0; i < 2; ++i)
    for (CORBA::ULong j = 0; j < 3; ++j)
      if (m->numbers[i][j] != static_cast<CORBA::Long>(10 * i + j)) return false;
  return std::strcmp(m->name, "mixed") == 0 && are_points(m->dots, 3) && m->shade == AnyTest::blue &&
         holds<CORBA::ULong>(m->inside, 77) && CORBA::is_nil(m->nothing.in()) && std::strcmp(m->few, "few") == 0;
}

bool is_text(const Any& a, const char* expected) {
  const char* s = nullptr;
  return (a >>= s) && std::strcmp(s, expected) == 0;
}

}  // namespace

const AnyValue kAnyValues[] = {
    {"null", false, [](Any& a, AnyTest::Peer_ptr) { a = Any(); },
     [](const Any& a) {
       const CORBA::TypeCode_var t = a.type();
       return t->kind() == CORBA::tk_null;
     }},
    {"short", false, [](Any& a, AnyTest::Peer_ptr) { a <<= CORBA::Short(-7); },
     [](const Any& a) { return holds<CORBA::Short>(a, -7); }},
    {"ushort", false, [](Any& a, AnyTest::Peer_ptr) { a <<= CORBA::UShort(65000); },
     [](const Any& a) { return holds<CORBA::UShort>(a, 65000); }},
    {"long", false, [](Any& a, AnyTest::Peer_ptr) { a <<= CORBA::Long(-70000); },
     [](const Any& a) { return holds<CORBA::Long>(a, -70000); }},
    {"ulong", false, [](Any& a, AnyTest::Peer_ptr) { a <<= CORBA::ULong(4000000000u); },
     [](const Any& a) { return holds<CORBA::ULong>(a, 4000000000u); }},
    {"longlong", false, [](Any& a, AnyTest::Peer_ptr) { a <<= CORBA::LongLong(-5000000000); },
     [](const Any& a) { return holds<CORBA::LongLong>(a, -5000000000); }},
    {"ulonglong", false, [](Any& a, AnyTest::Peer_ptr) { a <<= CORBA::ULongLong(5000000000u); },
     [](const Any& a) { return holds<CORBA::ULongLong>(a, 5000000000u); }},
    {"float", false, [](Any& a, AnyTest::Peer_ptr) { a <<= CORBA::Float(1.5f); },
     [](const Any& a) { return holds<CORBA::Float>(a, 1.5f); }},
    {"double", false, [](Any& a, AnyTest::Peer_ptr) { a <<= CORBA::Double(-2.25); },
     [](const Any& a) { return holds<CORBA::Double>(a, -2.25); }},
    {"boolean", false, [](Any& a, AnyTest::Peer_ptr) { a <<= Any::from_boolean(true); },
     [](const Any& a) {
       CORBA::Boolean b = false;
       return (a >>= Any::to_boolean(b)) && b;
     }},
    {"char", false, [](Any& a, AnyTest::Peer_ptr) { a <<= Any::from_char('q'); },
     [](const Any& a) {
       CORBA::Char c = 0;
       return (a >>= Any::to_char(c)) && c == 'q';
     }},
    {"octet", false, [](Any& a, AnyTest::Peer_ptr) { a <<= Any::from_octet(250); },
     [](const Any& a) {
       CORBA::Octet o = 0;
       return (a >>= Any::to_octet(o)) && o == 250;
     }},
    {"wchar", true, [](Any& a, AnyTest::Peer_ptr) { a <<= Any::from_wchar(L'\x20ac'); },
     [](const Any& a) {
       CORBA::WChar c = 0;
       return (a >>= Any::to_wchar(c)) && c == L'\x20ac';
     }},
    {"string", false, [](Any& a, AnyTest::Peer_ptr) { a <<= "text"; },
     [](const Any& a) { return is_text(a, "text"); }},
    {"empty_string", false, [](Any& a, AnyTest::Peer_ptr) { a <<= ""; }, [](const Any& a) { return is_text(a, ""); }},
    {"bounded_string", false, [](Any& a, AnyTest::Peer_ptr) { a <<= Any::from_string("nine", 9); },
     [](const Any& a) {
       const char* s = nullptr;
       return (a >>= Any::to_string(s, 9)) && std::strcmp(s, "nine") == 0;
     }},
    {"wstring", true,
     [](Any& a, AnyTest::Peer_ptr) {
       a <<=
           L"w\x20ac"
           L"de";
     },
     [](const Any& a) {
       const CORBA::WChar* s = nullptr;
       return (a >>= s) && std::wcscmp(s, L"w\x20ac" L"de") == 0;
     }},
    {"fixed", false, [](Any& a, AnyTest::Peer_ptr) { a <<= Any::from_fixed(CORBA::Fixed("-12.375"), 7, 3); },
     [](const Any& a) {
       CORBA::Fixed f;
       return (a >>= Any::to_fixed(f, 7, 3)) && f == CORBA::Fixed("-12.375");
     }},
    {"enum", false, [](Any& a, AnyTest::Peer_ptr) { a <<= AnyTest::green; },
     [](const Any& a) { return holds<AnyTest::Color>(a, AnyTest::green); }},
    {"struct", false, [](Any& a, AnyTest::Peer_ptr) { a <<= point(9); },
     [](const Any& a) {
       const AnyTest::Point* p = nullptr;
       return (a >>= p) && is_point(*p, 9);
     }},
    {"mixed", false, make_mixed, is_mixed},
    {"exception", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Trouble t;
       t.why = CORBA::string_dup("in an any");
       t.how = AnyTest::green;
       a <<= t;
     },
     [](const Any& a) {
       const AnyTest::Trouble* t = nullptr;
       return (a >>= t) && std::strcmp(t->why, "in an any") == 0 && t->how == AnyTest::green;
     }},
    {"sequence", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Points p;
       fill(p, 20);
       a <<= p;
     },
     [](const Any& a) {
       const AnyTest::Points* p = nullptr;
       return (a >>= p) && are_points(*p, 20);
     }},
    {"words", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Words w;
       w.length(2);
       w[0] = CORBA::string_dup("one");
       w[1] = CORBA::string_dup("two");
       a <<= w;
     },
     [](const Any& a) {
       const AnyTest::Words* w = nullptr;
       return (a >>= w) && w->length() == 2 && std::strcmp((*w)[0], "one") == 0 && std::strcmp((*w)[1], "two") == 0;
     }},
    {"array", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Grid g = {{1, 2, 3}, {4, 5, 6}};
       a <<= AnyTest::Grid_forany(g);
     },
     [](const Any& a) {
       AnyTest::Grid_forany g;
       return (a >>= g) && g[0][0] == 1 && g[1][2] == 6;
     }},
    {"tree", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Tree t;
       grow(t, 4);
       a <<= t;
     },
     [](const Any& a) {
       const AnyTest::Tree* t = nullptr;
       return (a >>= t) && is_grown(*t, 4);
     }},
    {"choice_text", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Choice c;
       c.text(CORBA::string_dup("chosen"));
       a <<= c;
     },
     [](const Any& a) {
       const AnyTest::Choice* c = nullptr;
       return (a >>= c) && c->_d() == AnyTest::green && std::strcmp(c->text(), "chosen") == 0;
     }},
    {"choice_default", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Tree t;
       grow(t, 2);
       AnyTest::Choice c;
       c.branch(t);
       a <<= c;
     },
     [](const Any& a) {
       const AnyTest::Choice* c = nullptr;
       return (a >>= c) && c->_d() == AnyTest::blue && is_grown(c->branch(), 2);
     }},
    {"wide_union", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Wide w;
       w.small(200);
       w._d(7);
       a <<= w;
     },
     [](const Any& a) {
       const AnyTest::Wide* w = nullptr;
       return (a >>= w) && w->_d() == 7 && w->small() == 200;
     }},
    {"no_member", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Flag f;
       f._default();
       a <<= f;
     },
     [](const Any& a) {
       const AnyTest::Flag* f = nullptr;
       return (a >>= f) && !f->_d();
     }},
    {"object", false, [](Any& a, AnyTest::Peer_ptr peer) { a <<= peer; },
     [](const Any& a) {
       AnyTest::Peer_ptr p = nullptr;
       CORBA::Object_var o;
       return (a >>= p) && !CORBA::is_nil(p) && (a >>= Any::to_object(o.out())) && !CORBA::is_nil(o.in());
     }},
    {"holder", false,
     [](Any& a, AnyTest::Peer_ptr peer) {
       AnyTest::Holder h;
       h.inside <<= peer;
       h.owner = AnyTest::Peer::_duplicate(peer);
       a <<= h;
     },
     [](const Any& a) {
       const AnyTest::Holder* h = nullptr;
       AnyTest::Peer_ptr p = nullptr;
       return (a >>= h) && !CORBA::is_nil(h->owner.in()) && (h->inside >>= p) && !CORBA::is_nil(p);
     }},
    {"box", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Points p;
       fill(p, 6);
       AnyTest::Boxed_var box(new AnyTest::Boxed(p));
       a <<= box.in();
     },
     [](const Any& a) {
       AnyTest::Boxed* box = nullptr;
       return (a >>= box) && box && are_points(box->_value(), 6);
     }},
    {"type_code", false, [](Any& a, AnyTest::Peer_ptr) { a <<= AnyTest::_tc_Mixed; },
     [](const Any& a) {
       CORBA::TypeCode_ptr t = nullptr;
       return (a >>= t) && t->equal(AnyTest::_tc_Mixed);
     }},
    {"any", false,
     [](Any& a, AnyTest::Peer_ptr peer) {
       Any inner, middle;
       make_mixed(inner, peer);
       middle <<= inner;
       a <<= middle;
     },
     [](const Any& a) {
       const Any *middle = nullptr, *inner = nullptr;
       return (a >>= middle) && (*middle >>= inner) && is_mixed(*inner);
     }},
    {"anys", false,
     [](Any& a, AnyTest::Peer_ptr) {
       AnyTest::Anys s;
       s.length(3);
       s[0] <<= CORBA::Double(0.5);
       s[1] <<= "second";
       a <<= s;
     },
     [](const Any& a) {
       const AnyTest::Anys* s = nullptr;
       return (a >>= s) && s->length() == 3 && holds<CORBA::Double>((*s)[0], 0.5) && is_text((*s)[1], "second");
     }},
};
const std::size_t kAnyValueCount = sizeof kAnyValues / sizeof *kAnyValues;

const AnyValue* any_value(const char* name) {
  for (const AnyValue& v : kAnyValues)
    if (std::strcmp(v.name, name) == 0) return &v;
  return nullptr;
}

const NamedType kNamedTypes[] = {
    {"null", &CORBA::_tc_null},         {"void", &CORBA::_tc_void},
    {"any", &CORBA::_tc_any},           {"TypeCode", &CORBA::_tc_TypeCode},
    {"Object", &CORBA::_tc_Object},     {"string", &CORBA::_tc_string},
    {"wstring", &CORBA::_tc_wstring},   {"longdouble", &CORBA::_tc_longdouble},
    {"Color", &AnyTest::_tc_Color},     {"Point", &AnyTest::_tc_Point},
    {"Points", &AnyTest::_tc_Points},   {"Words", &AnyTest::_tc_Words},
    {"Grid", &AnyTest::_tc_Grid},       {"Alias", &AnyTest::_tc_Alias},
    {"Mixed", &AnyTest::_tc_Mixed},     {"Tree", &AnyTest::_tc_Tree},
    {"Choice", &AnyTest::_tc_Choice},   {"Wide", &AnyTest::_tc_Wide},
    {"Flag", &AnyTest::_tc_Flag},       {"Price", &AnyTest::_tc_Price},
    {"Trouble", &AnyTest::_tc_Trouble}, {"Anys", &AnyTest::_tc_Anys},
    {"Idea", &AnyTest::_tc_Idea},       {"Base", &AnyTest::_tc_Base},
    {"Chain", &AnyTest::_tc_Chain},     {"Boxed", &AnyTest::_tc_Boxed},
    {"Peer", &AnyTest::_tc_Peer},
};
const std::size_t kNamedTypeCount = sizeof kNamedTypes / sizeof *kNamedTypes;

CORBA::TypeCode_ptr named_type(const char* name) {
  for (const NamedType& t : kNamedTypes)
    if (std::strcmp(t.name, name) == 0) return *t.type;
  return CORBA::_tc_null;
}

}  // namespace interop
