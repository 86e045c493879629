# SPDX-License-Identifier: Apache-2.0
"""IDL files that others have published: where they are, and how one gets them."""
import hashlib
import os
import pathlib
import shutil
import tempfile
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass, field

import pieces

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OMNIORB = pathlib.Path("/usr/share/idl/omniORB")
# JacORB's idl/omg and idl/jacorb: the IDL compiler's artifact with the classifier "resources".
JACORB_URL = "https://repo1.maven.org/maven2/org/jacorb/jacorb-idl-compiler/3.9/jacorb-idl-compiler-3.9-resources.zip"
JACORB_SHA256 = "5326be8a127a8660e1edb35e3e09d75c19d6b5b728371c95c2b53278962e7eb1"


class Missing(Exception):
    """A set cannot be had here; the text says why."""


@dataclass
class Set:
    name: str
    folder: pathlib.Path
    includes: tuple  # for files of its folder; those of `alone`, a folder in it, see only that one
    defines: tuple
    sample: tuple  # the files of ./dev test
    alone: str = ""
    listed: list = field(default_factory=list)  # its files, where these are not all of its folder
    apart: bool = False  # the code of each file, and of what it includes, in a folder by itself
    in_turn: bool = False  # those that include the same with one of the compilers

    def includes_of(self, file):
        if self.apart:
            return ((self.folder / file).parent, *self.includes)
        return (self.folder / self.alone,) if self.alone and file.startswith(self.alone + "/") else self.includes

    def files(self):
        """All of them, by their path from the folder."""
        return self.listed or sorted(str(f.relative_to(self.folder)) for f in self.folder.rglob("*.idl"))


def omniorb(_cache):
    if not OMNIORB.is_dir():
        raise Missing(f"{OMNIORB} is not there: the package omniorb-idl")
    # COS with the orb.idl that is built in, the others with omniORB's own.
    return Set("omniorb", OMNIORB, (OMNIORB, OMNIORB / "COS"), (),
               ("Naming.idl", "echo.idl", "COS/CosNaming.idl", "COS/CosTime.idl", "COS/CosEventComm.idl",
                "COS/CosRelationships.idl", "COS/SecurityLevel1.idl"), "COS")


def debian(cache):
    """The same by the include paths of a user of Debian's omniorb-idl: omniORB's orb.idl comes first."""
    own = omniorb(cache)
    return Set("debian", own.folder, own.includes, (),
               ("COS/CosNaming.idl", "COS/CosEventComm.idl", "COS/CosQuery.idl", "COS/Security.idl"))


def fetch(url, sha256, file):
    """Downloads it once; a file with another checksum is none."""
    if file.exists() and hashlib.sha256(file.read_bytes()).hexdigest() == sha256:
        return
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            data = answer.read()
    except (urllib.error.URLError, OSError) as problem:
        raise Missing(f"{url}: {getattr(problem, 'reason', problem)}") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Missing(f"{url} has another checksum than the one known")
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
        new.write(data)
    os.replace(new.name, file)


def jacorb(cache):
    archive = cache / os.path.basename(JACORB_URL)
    fetch(JACORB_URL, JACORB_SHA256, archive)
    folder = cache / "jacorb"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=cache) as scratch, zipfile.ZipFile(archive) as packed:
            packed.extractall(scratch)
            shutil.move(next(pathlib.Path(scratch).iterdir()), folder)
    return Set("jacorb", folder, (folder,), ("_PRE_3_0_COMPILER_", "JACORB"),
               ("TimeBase.idl", "CosNaming.idl", "CosTime.idl", "CosTrading.idl", "CSI.idl", "orb.idl"))


def callis(_cache):
    """What this tree has: the files of the runtime, the services and the tools, those of the tests and examples."""
    places = ("callis", "services", "tools", "examples", "tests", "bench", "idl/testdata/good", "idl/testdata/json")
    files = sorted(str(f.relative_to(ROOT)) for place in places for f in (ROOT / place).rglob("*.idl"))
    # The folders of the runtime's and the services' own files, which the others include.
    offered = sorted({f.parent for place in ("callis", "services") for f in (ROOT / place).rglob("*.idl") if f.parent.name != "testing"})
    return Set("callis", ROOT, (*offered, ROOT / "idl/testdata/include"), ("MODULE=Sample",),
               ("callis/interceptors/PortableInterceptor.idl", "tests/interop/values.idl", "tests/mapping/corpus.idl",
                "tests/styles/house.idl", "idl/testdata/good/macro_tokens.idl"),
               listed=files, apart=True)


def small(cache):
    folder = cache / "pieces"
    every, sample = pieces.write(folder)
    return Set("pieces", folder, (folder,), (), sample, listed=every, apart=True, in_turn=True)


SETS = {"omniorb": omniorb, "debian": debian, "jacorb": jacorb, "callis": callis, "pieces": small}
