# SPDX-License-Identifier: Apache-2.0
"""The tables of guarded operations in the sources of the services' programs, SECURITY.md's table of the same, and the
operations that the interfaces of the tree's IDL have. Reads sources alone; no state, no threads. ValueError where a
source is not as expected."""
import pathlib
import re

_ENTRY = re.compile(r'\{services::Group::(\w+),\s*"([^"]+)",\s*\{([^}]*)\}\}')
# PROGRAM and its source.
PROGRAMS = {"naming": "naming/main.cpp", "trading": "trading/main.cpp", "events": "events/main.cpp",
            "logging": "logging/main.cpp", "properties": "properties/main.cpp", "ifr": "ifr/serve.cpp",
            "imr": "imr/serve.cpp", "lifecycle": "lifecycle/main.cpp", "schedule": "schedule/serve.cpp"}
FOLDERS = {"imr": "callis/imr", "schedule": "services/scheduling"}  # of a program's IDL; of the others services/PROGRAM


def guarded(root, program):
    """[(group, repository id, operations)] of one program."""
    text = (pathlib.Path(root) / "tools" / PROGRAMS[program]).read_text()
    out = [(group.lower(), name, re.findall(r'"([^"]+)"', operations)) for group, name, operations in _ENTRY.findall(text)]
    if len(out) != text.count("services::Group::"):
        raise ValueError(f"tools/{PROGRAMS[program]}: an entry of its table is not understood")
    return out


class Row:
    """What SECURITY.md says of a program: the text of each cell, and the operations that those of groups name."""

    def __init__(self, cells):
        self.cells = dict(zip(("read", "write", "admin", "who", "change"), cells))

    def named(self, group):
        """"_set_*" is all that begin so."""
        return re.findall(r"`([^`]+)`", self.cells[group])

    def groups(self, operation):
        """Of naming a rebind has two: what it is depends on the name."""
        return [group for group in ("read", "write", "admin") if any(matches(n, operation) for n in self.named(group))]


def matches(name, operation):
    return operation.startswith(name[:-1]) if name.endswith("*") else operation == name


def security(root):
    """{program: Row}"""
    rows = {}
    for line in (pathlib.Path(root) / "SECURITY.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].startswith("`callis ") and len(cells) == 6:
            rows[cells[0].strip("`").split()[1]] = Row(cells[1:])
    return rows


class Interfaces:
    """What the IDL files of services/ and callis/ declare."""

    def __init__(self, root):
        self.operations, self.identifiers, self._bases, self._names, self._folders = {}, {}, {}, {}, {}
        for top in ("services", "callis"):
            for path in sorted((pathlib.Path(root) / top).rglob("*.idl")):
                if "testing" not in path.parts:
                    self._read(path.read_text(), str(path.relative_to(root)))

    def _read(self, text, path):
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
                    self.identifiers[name] = f"IDL:{prefix}{name.replace('::', '/')}:1.0"
                    self._names[self.identifiers[name]] = name
                    self._folders.setdefault(name, set()).add(path)
            elif re.match(r"(readonly\s+)?attribute\b", token):
                names = re.findall(r"(\w+)\s*(?=,|$)", token.split("raises")[0].split("getraises")[0].strip())
                for name in names:
                    self.operations.setdefault(here, set()).add("_get_" + name)
                    if not found.group(3):
                        self.operations[here].add("_set_" + name)
            elif found.group(4) not in ("raises", "context", "switch"):
                self.operations.setdefault(here, set()).add(found.group(4).removeprefix("_"))  # an escaped identifier

    def interface(self, repository_id):
        """The scoped name, or None."""
        return self._names.get(repository_id)

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
        for other in self._derived_from(name):
            out |= self.derived(other)
        return out

    def _derived_from(self, name):
        return [other for other in self._bases if name in self._bases_of(other)]

    def of_program(self, program):
        """Those of its IDL, and their bases."""
        folder = FOLDERS.get(program, "services/" + program) + "/"
        out, more = set(), [name for name, paths in self._folders.items() if any(p.startswith(folder) for p in paths)]
        while more:
            out.add(name := more.pop())
            more += [base for base in self._bases_of(name) if base not in out]
        return out

    def of_object(self, is_a):
        """Those that an object has. is_a(repository id) asks it."""
        out, more = set(), [name for name in self._bases if not list(self._bases_of(name))]
        while more:
            if (name := more.pop()) not in out and is_a(self.identifiers[name]):
                out.add(name)
                more += self._derived_from(name)
        return out
