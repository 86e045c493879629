# SPDX-License-Identifier: Apache-2.0
"""The SPDX 2.3 document of a release: the source archive, each Debian package with its files, what each depends on, and the packages of
others whose headers, or static libraries, are compiled in (compiled_in.py)."""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

LICENCE = "Apache-2.0"
NAMESPACE = "https://callis.example.org/spdx"


def identifier(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(words))


def digests(data):
    return [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
            {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}]


def field(deb, name):
    return subprocess.run(["dpkg-deb", "-f", deb, name], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def needed(depends):
    """Names and conditions of a field Depends; of alternatives the first."""
    for part in filter(None, (p.strip() for p in depends.split(","))):
        m = re.match(r"([a-z0-9][a-z0-9+.-]*)(?::\w+)?(?:\s*\(([^)]*)\))?", part)
        yield m[1], m[2] or ""


def of_others(name, version, machine, comment):
    package = {"SPDXID": identifier("Debian", machine, name, version or "any"), "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
               "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
               "supplier": "Organization: Debian", "comment": comment,
               "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                 "referenceLocator": f"pkg:deb/debian/{name}" + (f"@{version}" if version else "") + f"?arch={machine}"}]}
    if version:
        package["versionInfo"] = version
    return package


class Document:
    """Collects packages, files and relationships; each has its identifier once."""

    def __init__(self):
        self.packages, self.files, self.relationships = {}, {}, {}

    def relate(self, one, kind, other, comment=""):
        relation = {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
        self.relationships[one, kind, other] = {**relation, "comment": comment} if comment else relation

    def own(self, name, version, file, **more):
        package = {"SPDXID": identifier("Package", file.name), "name": name, "versionInfo": version, "packageFileName": file.name,
                   "downloadLocation": "NOASSERTION", "licenseConcluded": LICENCE, "licenseDeclared": LICENCE,
                   "copyrightText": "2026 the callis developers", "checksums": digests(file.read_bytes()), "filesAnalyzed": False, **more}
        self.packages[package["SPDXID"]] = package
        self.relate("SPDXRef-DOCUMENT", "DESCRIBES", package["SPDXID"])
        return package

    def contents(self, package, deb):
        """The files of a package; their names, for who wants to say more of them."""
        shas, names = [], []
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["dpkg-deb", "-x", deb, folder], check=True)
            for path in sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file() and not p.is_symlink()):
                name = os.path.relpath(path, folder)
                data = path.read_bytes()
                shas.append(hashlib.sha1(data).hexdigest())
                file = {"SPDXID": identifier("File", hashlib.sha256(f"{deb.name}/{name}".encode()).hexdigest()[:24]), "fileName": f"./{name}", "checksums": digests(data),
                        "licenseConcluded": LICENCE, "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION"}
                self.files[file["SPDXID"]] = file
                self.relate(package["SPDXID"], "CONTAINS", file["SPDXID"])
                names.append(path.name)
        package["filesAnalyzed"] = True
        package["licenseInfoFromFiles"] = [LICENCE]
        package["packageVerificationCode"] = {"packageVerificationCodeValue": hashlib.sha1("".join(sorted(shas)).encode()).hexdigest()}
        return names


def add_packages(document, source, machine, build):
    """Those of one machine."""
    compiled_in = json.loads((build / "compiled_in.json").read_text(encoding="utf-8"))
    debs = sorted((build / "package").glob("*.deb"))
    ids = {}
    for deb in debs:
        name = field(deb, "Package")
        ids[name] = document.own(name, field(deb, "Version"), deb)["SPDXID"]
    for deb in debs:
        own = ids[field(deb, "Package")]
        document.relate(own, "GENERATED_FROM", source)
        for name in document.contents(document.packages[own], deb):
            for other in compiled_in["files"].get(name, []):
                package = of_others(other, compiled_in["versions"].get(other), machine, "compiled in: headers, or a static library")
                document.packages[package["SPDXID"]] = package
                document.relate(own, "STATIC_LINK", package["SPDXID"])
        for other, condition in needed(field(deb, "Depends")):
            if other not in ids:
                package = of_others(other, None, machine, "needed where callis runs")
                document.packages.setdefault(package["SPDXID"], package)
            document.relate(own, "DEPENDS_ON", ids.get(other) or package["SPDXID"], condition)


def document(version, commit, epoch, source, made):
    """made: the build of each machine, with package/*.deb and compiled_in.json."""
    found = Document()
    tar = found.own("callis", version, source, comment=f"git archive of commit {commit}")
    for machine, build in made.items():
        add_packages(found, tar["SPDXID"], machine, build)
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"callis-{version}",
            "documentNamespace": f"{NAMESPACE}/callis-{version}-{commit}",
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)), "creators": ["Tool: callis-packaging-sbom"]},
            "packages": list(found.packages.values()), "files": list(found.files.values()), "relationships": list(found.relationships.values())}


def write(spdx, path):
    path.write_text(json.dumps(spdx, indent=1, sort_keys=True) + "\n", encoding="utf-8")
