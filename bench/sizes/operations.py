# SPDX-License-Identifier: Apache-2.0
"""Bytes of generated code that an operation of Param_Test adds to an interface.

For each operation two interfaces are compiled: one with the types that the operation needs and an operation without
parameters, and the same with the operation as well. The difference of their object files is the operation's: code,
read-only data, tables, data, zeroed memory, and whatever helpers the compiler made for it. What an interface or a file
has once, whatever its operations, is in both and so not counted.
"""
import os

import interfaces


def object_sizes(shop, system, idl, number):
    """{part: {kind: bytes}} of an interface."""
    folder = os.path.join(shop.folder, f"{system.name}-{number}")
    os.makedirs(folder)
    file = os.path.join(folder, "x.idl")
    with open(file, "w", encoding="utf-8") as f:
        f.write(idl)
    system.generate(file, folder)
    return system.parts(shop, "x", folder)


def start(pool, shop, systems, chosen):
    """Puts all compilations for a shop into the pool; a function that waits and returns
    {(operation, system name, part): {kind: bytes}}."""
    pairs = interfaces.pairs(chosen)
    texts = list(dict.fromkeys(text for pair in pairs.values() for text in pair))
    made = {(s.name, text): shop.start(pool, s, object_sizes, shop, s, text, n)
            for s in systems for n, text in enumerate(texts)}

    def finish():
        result = {}
        for operation, (with_it, without) in pairs.items():
            for s in systems:
                a, b = made[s.name, with_it].result(), made[s.name, without].result()
                for part, sums in a.items():
                    result[operation, s.name, part] = {kind: sums[kind] - b[part][kind] for kind in sums}
        return result
    return finish
