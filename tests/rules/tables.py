# SPDX-License-Identifier: Apache-2.0
"""The tables of guarded operations in the sources of the services' programs, and the operations that the interfaces
of the tree's IDL have. Reads sources alone; no state, no threads. ValueError where a source is not as expected."""
import pathlib
import re

_ENTRY = re.compile(r'\{services::Group::(\w+),\s*"([^"]+)",\s*\{([^}]*)\}\}')
# PROGRAM and its source.
PROGRAMS = {"naming": "naming/main.cpp", "trading": "trading/main.cpp", "events": "events/main.cpp",
            "logging": "logging/main.cpp", "properties": "properties/main.cpp", "ifr": "ifr/serve.cpp",
            "imr": "imr/serve.cpp", "lifecycle": "lifecycle/main.cpp", "schedule": "schedule/serve.cpp"}


def guarded(root, program):
    """[(group, repository id, operations)] of one program."""
    text = (pathlib.Path(root) / "tools" / PROGRAMS[program]).read_text()
    out = [(group.lower(), name, re.findall(r'"([^"]+)"', operations)) for group, name, operations in _ENTRY.findall(text)]
    if len(out) != text.count("services::Group::"):
        raise ValueError(f"tools/{PROGRAMS[program]}: an entry of its table is not understood")
    return out


class Interfaces:
    """What the IDL files of services/ and callis/ declare."""

    def __init__(self, root):
        self.operations, self._bases, self._prefixes = {}, {}, {}
        for top in ("services", "callis"):
            for path in sorted((pathlib.Path(root) / top).rglob("*.idl")):
                if "testing" not in path.parts:
                    self._read(path.read_text())

    def _read(self, text):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
        prefix = ""
        scopes = []
        word = re.compile(r"\b(?:module|interface)\s+(\w+)\s*(?::\s*([\w:,\s]+?))?\s*\{|[{};]|"
                          r"\b(readonly\s+)?attribute\s+[^;]+|\b(\w+)\s*\(|#pragma\s+prefix\s+\"([^\"]*)\"|"
                          r"\btypeprefix\s+[\w:]+\s+\"([^\"]*)\"")
        for found in word.finditer(text):
            token = found.group(0)
            if token == ";":
                continue
            if token.startswith(("#", "typeprefix")):
                prefix = found.group(5) or found.group(6) or ""
                prefix += "/" if prefix else ""
                continue
            here = next((name for name, _ in reversed(scopes) if name), "")
            if token == "{":
                scopes.append(("", None))
            elif token == "}":
                if scopes:
                    scopes.pop()
            elif token.endswith("{"):
                scopes.append((f"{here}::{found.group(1)}" if here else found.group(1), token))
                name = scopes[-1][0]
                if token.startswith("interface"):
                    self.operations.setdefault(name, set())
                    self._bases[name] = [b.strip() for b in (found.group(2) or "").split(",") if b.strip()]
                    self._prefixes[f"IDL:{prefix}{name.replace('::', '/')}:1.0"] = name
            elif re.match(r"(readonly\s+)?attribute\b", token):
                names = re.findall(r"(\w+)\s*(?=,|$)", token.split("raises")[0].split("getraises")[0].strip())
                for name in names:
                    self.operations.setdefault(here, set()).add("_get_" + name)
                    if not found.group(3):
                        self.operations[here].add("_set_" + name)
            elif found.group(4) not in ("raises", "context"):
                self.operations.setdefault(here, set()).add(found.group(4))

    def interface(self, repository_id):
        """The scoped name, or None."""
        return self._prefixes.get(repository_id)

    def _bases_of(self, name):
        for base in self._bases.get(name, ()):
            scope = name.split("::")[:-1]
            names = ["::".join([*scope[:n], base.removeprefix("::")]) for n in range(len(scope), -1, -1)]
            yield from [full for full in names if full in self.operations][:1]

    def all_operations(self, name):
        """With those of its bases."""
        return set(self.operations[name]).union(*(self.all_operations(base) for base in self._bases_of(name)))

    def derived(self, name):
        """It, and whatever has it as a base, however far."""
        out = {name}
        for other in self._bases:
            if name in self._bases_of(other):
                out |= self.derived(other)
        return out
