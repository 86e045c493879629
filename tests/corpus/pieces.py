# SPDX-License-Identifier: Apache-2.0
"""Small IDL files: each uses one kind of type in one way, so that its generated code includes what this needs and no more.

Large files have nearly all kinds of types, which hides an include that the compiler forgets for one of them.
"""
import itertools

# name: (what declares it, how it is spelled). The declaration stands in the file itself, or in one that it includes.
TYPES = {
    "boolean": ("", "boolean"),
    "octet": ("", "octet"),
    "wchar": ("", "wchar"),
    "longdouble": ("", "long double"),
    "string": ("", "string"),
    "wstring": ("", "wstring"),
    "any": ("", "any"),
    "typecode": ("", "CORBA::TypeCode"),
    "object": ("", "Object"),
    "valuebase": ("", "ValueBase"),
    "abstractbase": ("", "CORBA::AbstractBase"),
    "fixed": ("typedef fixed<9, 2> T;", "T"),
    "enum": ("enum T { red, green };", "T"),
    "struct": ("struct T { long a; };", "T"),
    "strings": ("struct T { string a; };", "T"),
    "recursive": ("struct T; typedef sequence<T> Ts; struct T { Ts below; };", "T"),
    "union": ("union T switch (long) { case 1: string s; };", "T"),
    "anys": ("struct T { any a; };", "T"),
    "sequence": ("typedef sequence<long> T;", "T"),
    "bounded": ("typedef sequence<string<4>, 3> T;", "T"),
    "array": ("typedef long T[3];", "T"),
    "texts": ("typedef string T[3];", "T"),
    "references": ("typedef sequence<Object> T;", "T"),
    "interface": ("interface T { void work(); };", "T"),
    "forward": ("interface T;", "T"),
    "abstract": ("abstract interface T { void work(); };", "T"),
    "value": ("valuetype T { public long a; };", "T"),
    "derived": ("abstract valuetype A { void say(); }; valuetype T : A { public any a; private string b; };", "T"),
    "custom": ("custom valuetype T { public long a; };", "T"),
    "box": ("valuetype T string;", "T"),
    "ownbox": ("valuetype T struct S { any a; enum E { x, y } b; };", "T"),
    "structbox": ("struct S { any a; }; valuetype T S;", "T"),
    "octets": ('#include <orb.idl>', "CORBA::OctetSeq"),
    "policy": ('#include <orb.idl>', "CORBA::Policy"),
    "interfacedef": ('#include <orb.idl>', "CORBA::InterfaceDef"),
    "bitmask": ("bitmask T { red, green };", "T"),
    "bitset": ("bitset T { bitfield<3> a; bitfield<20> b; };", "T"),
    "map": ("typedef map<string, any> T;", "T"),
    "local": ("local interface T { void work(); };", "T"),
    "native": ("native T;", "T"),
}
LOCAL = ("local", "native")

# name: how it is used; {0} is the type.
USES = {
    "in": "interface I {{ void f(in {0} p); }};",
    "out": "interface I {{ void f(out {0} p); }};",
    "inout": "interface I {{ void f(inout {0} p); }};",
    "result": "interface I {{ {0} f(); }};",
    "oneway": "interface I {{ oneway void f(in {0} p); }};",
    "attribute": "interface I {{ attribute {0} a; }};",
    "typedef": "typedef {0} U;",
    "sequence": "typedef sequence<{0}> U;",
    "array": "typedef {0} U[2];",
    "member": "struct U {{ {0} m; }};",
    "case": "union U switch (boolean) {{ case TRUE: {0} m; }};",
    "exception": "exception U {{ {0} m; }};",
    "raised": "exception U {{ {0} m; }}; interface I {{ void f() raises (U); }};",
    "state": "valuetype U {{ public {0} m; }};",
    "factory": "valuetype U {{ factory make(in {0} p); }};",
    "box": "valuetype U sequence<{0}>;",
    "local": "local interface I {{ {0} f(inout {0} a, out {0} b); }};",
    "abstract": "abstract interface I {{ {0} f(inout {0} a, out {0} b); }};",
    "keyed": "typedef map<string, {0}> U;",
}
# What a type that stays in the process may be.
LOCAL_USES = ("typedef", "sequence", "array", "member", "local")
# Whole files, of kinds that programs for other ORBs have: macros for parts of declarations, files that include one another,
# names of the ORB that a file declares itself, imports.
WHOLE = {
    "macros.idl": """
#define BASE A::I
#define ALSO , ::A::J
#define NESTED sequence<sequence<long, 2>, 3>
#define TWICE(t, n) t n##_one; t n##_two
module A { interface I { void f(); }; interface J { void g(); }; };
interface X : BASE ALSO { };
typedef NESTED Table;
struct S { TWICE(unsigned long long, size); };
""",
    "together_one.idl": """
#ifndef ONE
#define ONE
interface One;
interface Two;
struct Early { long a; };
#include "together_two.idl"
interface One { Two other(in Early e, in Pair p); };
#endif
""",
    "together_two.idl": """
#ifndef TWO
#define TWO
interface One;
typedef sequence<One> Ones;
struct Pair { One first; Ones rest; };
interface Above { void top(); };
#include "together_one.idl"
interface Two : Above { One other(in Pair p, inout Early e); };
#endif
""",
    "own_current.idl": """
#pragma prefix "omg.org"
module CORBA { interface Current {}; interface PolicyManager; };
#pragma prefix ""
interface Current : CORBA::Current { void begin(); };
local interface Keeper { CORBA::PolicyManager manager(); void keep(in Current c); };
""",
    "own_policy.idl": """
#pragma prefix "omg.org"
module CORBA {
  typedef unsigned long PolicyType;
  interface Policy;
  typedef sequence<Policy> PolicyList;
  local interface Policy { readonly attribute PolicyType policy_type; Policy copy(); void destroy(); };
  typedef sequence<octet> OctetSeq;
  enum SetOverrideType { SET_OVERRIDE, ADD_OVERRIDE };
};
#pragma prefix ""
local interface Rank : CORBA::Policy { readonly attribute long value; };
interface Ranks { CORBA::PolicyList all(in CORBA::SetOverrideType how, out CORBA::OctetSeq raw); };
""",
    "own_adapter.idl": """
#pragma prefix "omg.org"
module PortableServer {
  interface POA;
  native Servant;
  typedef sequence<octet> ObjectId;
  interface ServantManager {};
};
#pragma prefix ""
local interface Manager : PortableServer::ServantManager {
  PortableServer::Servant find(in PortableServer::ObjectId id, in PortableServer::POA adapter);
};
""",
    "own_pseudo.idl": """
#pragma prefix "omg.org"
module CORBA { interface ORB; interface Request {}; interface ServerRequest {}; interface Environment {}; };
#pragma prefix ""
local interface Starter { void start(in CORBA::ORB orb); };
""",
    "imported.idl": """
import ::CORBA;
import ::PortableServer;
interface Chosen { CORBA::PolicyList policies(in CORBA::StringSeq names); };
local interface Near { PortableServer::POA adapter(); };
""",
    "locals.idl": """
local interface L { void f(); };
struct S { L one; sequence<L> many; };
union U switch (boolean) { case TRUE: L one; case FALSE: S other; };
exception E { L which; };
typedef L Ls[2];
typedef sequence<S> Ss;
""",
}
# In how few uses each type is shown, which take turns.
SAMPLE = 1


def usable(kind, use):
    return kind not in LOCAL or use in LOCAL_USES


def write(folder):
    """All of them; the names of all files, and of a sample, by their path from the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in WHOLE.items():
        (folder / name).write_text(text, encoding="utf-8")
    every, sample = list(WHOLE), list(WHOLE)
    turn = itertools.count()
    for kind, (declaration, spelled) in TYPES.items():
        uses = [u for u in USES if usable(kind, u)]
        (folder / f"d_{kind}.idl").write_text(declaration + "\n", encoding="utf-8")
        every.append(f"d_{kind}.idl")
        names = []
        for use in uses:
            text = USES[use].format(spelled)
            for place, before in (("here", declaration), ("there", f'#include "d_{kind}.idl"')):
                if place == "there" and not declaration:
                    continue
                name = f"{kind}_{use}_{place}.idl"
                (folder / name).write_text(f"{before}\n{text}\n", encoding="utf-8")
                names.append(name)
        every += names
        sample += [names[(next(turn) * 7) % len(names)] for _ in range(SAMPLE)]
    return every, sorted(set(sample))
