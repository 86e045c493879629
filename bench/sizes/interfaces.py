# SPDX-License-Identifier: Apache-2.0
"""Interfaces with one operation of Param_Test, and the same without it."""
import os
import re

OPERATIONS = ["test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence"]
ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
IDL = os.path.join(ROOT, "bench", "idl", "param_test.idl")
ALL = "all"  # the operations, in one interface
NEIGHBOUR = "  void neighbour();\n"


def declarations(idl):
    """({type name: its declaration}, {operation: its declaration}), in the file's order."""
    with open(idl, encoding="utf-8") as f:
        text = re.sub(r"//.*", "", f.read())
    body = re.search(r"interface \w+ \{(.*)\};", text, re.S).group(1)
    types, operations = {}, {}
    for m in re.finditer(r"\s*(struct (\w+) \{.*?\};|typedef [^;]* (\w+);|[^;]*?\b(\w+)\([^;]*\);)", body, re.S):
        if m.group(4):
            operations[m.group(4)] = m.group(1)
        else:
            types[m.group(2) or m.group(3)] = m.group(1)
    return types, operations


def needed(types, declaration):
    """Names of the types that a declaration uses, in the order of their declarations."""
    found, work = set(), [declaration]
    while work:
        for word in re.findall(r"\w+", work.pop()):
            if word in types and word not in found:
                found.add(word)
                work.append(types[word])
    return [t for t in types if t in found]


def interface(types, names, operations):
    return "interface Param_Test {\n" + "".join(f"  {types[t]}\n" for t in names) + NEIGHBOUR + \
        "".join(f"  {o}\n" for o in operations) + "};\n"


def pairs(chosen):
    """{operation: (IDL with it, IDL without)} of each operation, which may be ALL."""
    types, operations = declarations(IDL)
    result = {}
    for name in chosen:
        texts = list(operations.values()) if name == ALL else [operations[name]]
        names = needed(types, " ".join(texts))
        result[name] = interface(types, names, texts), interface(types, names, [])
    return result
