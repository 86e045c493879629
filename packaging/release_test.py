#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the scripts of this folder: what comparing packages finds, what the SPDX document says, what becomes of help texts."""
import hashlib
import os
import pathlib
import subprocess
import tempfile
import unittest

import compare
import compiled_in
import man_pages
import release
import sbom

CONTROL = "Package: libcallis9.9\nVersion: 9.9.1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: test\n"


class Folder(unittest.TestCase):
    def setUp(self):
        self._place = tempfile.TemporaryDirectory()
        self.addCleanup(self._place.cleanup)
        self.folder = pathlib.Path(self._place.name)

    def deb(self, where, text="a library", mode=0o644, depends=""):
        """A package with one file."""
        tree = self.folder / "tree"
        subprocess.run(["rm", "-rf", tree], check=True)
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN/control").write_text(CONTROL + (f"Depends: {depends}\n" if depends else ""))
        (tree / "usr/lib").mkdir(parents=True)
        file = tree / "usr/lib/libcallis.so.9.9.1"
        file.write_text(text)
        file.chmod(mode)
        out = self.folder / where
        out.mkdir(exist_ok=True)
        for path in [*tree.rglob("*"), tree]:
            path.chmod(path.stat().st_mode & 0o7777 & ~0o022)
            os.utime(path, (1000000000, 1000000000))
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, out / "libcallis9.9_9.9.1_all.deb"], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, SOURCE_DATE_EPOCH="1000000000"))
        return out

    def found(self):
        return list(compare.differences(self.folder / "one", self.folder / "other"))


class Comparing(Folder):
    def test_equal_packages(self):
        self.deb("one")
        self.deb("other")
        self.assertEqual(self.found(), [])

    def test_a_file_that_differs_is_named(self):
        self.deb("one")
        self.deb("other", text="another library")
        self.assertEqual(self.found(), ["libcallis9.9_9.9.1_all.deb: usr/lib/libcallis.so.9.9.1: content"])

    def test_a_mode_that_differs_is_named(self):
        self.deb("one")
        self.deb("other", mode=0o755)
        self.assertEqual(self.found(), ["libcallis9.9_9.9.1_all.deb: usr/lib/libcallis.so.9.9.1: mode"])

    def test_what_depends_on_other_packages_differs_in_its_control_file(self):
        self.deb("one")
        self.deb("other", depends="libc6")
        self.assertEqual(self.found(), ["libcallis9.9_9.9.1_all.deb: DEBIAN/control: content"])

    def test_a_package_of_one_build_alone(self):
        self.deb("one")
        (self.folder / "other").mkdir()
        self.assertEqual(self.found(), ["libcallis9.9_9.9.1_all.deb was built once alone"])

    def test_nothing_was_built(self):
        (self.folder / "one").mkdir()
        (self.folder / "other").mkdir()
        self.assertEqual(self.found(), ["there are no packages"])

    def test_only_the_archive_differs(self):
        deb = self.deb("one") / "libcallis9.9_9.9.1_all.deb"
        other = self.deb("other") / deb.name
        data = bytearray(other.read_bytes())
        data[data.index(b"debian-binary") + 16] = ord("2")  # the time of the first member
        other.write_bytes(data)
        self.assertEqual(self.found(), [f"{deb.name}: the archive, and no file in it"])


class Spdx(Folder):
    def test_files_have_their_sha256_and_packages_what_they_need(self):
        self.deb("build", depends="libc6 (>= 2.34), libgcc-s1 | libgcc1")
        (self.folder / "build/package").mkdir()
        (self.folder / "build/libcallis9.9_9.9.1_all.deb").rename(self.folder / "build/package/libcallis9.9_9.9.1_all.deb")
        (self.folder / "build/compiled_in.json").write_text(
            '{"files": {"libcallis.so.9.9.1": ["libcli11-dev"]}, "versions": {"libcli11-dev": "2.1.2"}}')
        source = self.folder / "callis-9.9.1.tar.xz"
        source.write_text("sources")
        spdx = sbom.document("9.9.1", "abc", 1000000000, source, {"amd64": self.folder / "build"})
        packages = {p["SPDXID"]: p for p in spdx["packages"]}
        self.assertEqual(sorted(p["name"] for p in packages.values()), ["callis", "libc6", "libcallis9.9", "libcli11-dev", "libgcc-s1"])
        self.assertEqual([f["fileName"] for f in spdx["files"]], ["./usr/lib/libcallis.so.9.9.1"])
        self.assertIn({"algorithm": "SHA256", "checksumValue": hashlib.sha256(b"a library").hexdigest()}, spdx["files"][0]["checksums"])
        related = {(packages[r["spdxElementId"]]["name"], r["relationshipType"], packages[r["relatedSpdxElement"]]["name"], r.get("comment"))
                   for r in spdx["relationships"] if r["spdxElementId"] in packages and r["relatedSpdxElement"] in packages}
        self.assertEqual(related, {("libcallis9.9", "GENERATED_FROM", "callis", None), ("libcallis9.9", "DEPENDS_ON", "libc6", ">= 2.34"),
                                   ("libcallis9.9", "DEPENDS_ON", "libgcc-s1", None), ("libcallis9.9", "STATIC_LINK", "libcli11-dev", None)})
        ids = [e["SPDXID"] for e in spdx["packages"] + spdx["files"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLessEqual({r["relatedSpdxElement"] for r in spdx["relationships"]}, set(ids))


class CompiledIn(Folder):
    def test_objects_of_a_program_and_not_those_of_the_compiler_that_made_its_code(self):
        (self.folder / "build.ninja").write_text(
            "build bin/callis-idl: LINK idl.o | lib/libx.a\n"
            "build gen.cpp gen.h: CUSTOM_COMMAND a.idl bin/callis-idl\n"
            "build gen.o: COMPILE gen.cpp | pch.gch || bin/callis-idl\n"
            "build lib/libx.a: AR gen.o\n"
            "build bin/callis: LINK main.o | lib/libx.a $\n lib/libcallis.so || order\n"
            "build lib/libcallis.so: LINK core.o\n")
        inputs = compiled_in.inputs_by_output(self.folder)
        self.assertEqual(compiled_in.objects_of("bin/callis", inputs), {"main.o", "lib/libx.a", "gen.o", "pch.gch"})


class Release(Folder):
    def test_packages_of_other_machines(self):
        packages, machines = release.packages_for(["g++", "ccache", "libcli11-dev", "libssl-dev"], "amd64", ["arm64", "armhf"])
        self.assertEqual(machines, "amd64,arm64,armhf")
        self.assertEqual(packages.split(","), ["g++", "libcli11-dev", "libssl-dev", "g++-aarch64-linux-gnu", "libssl-dev:arm64", "libstdc++6:arm64",
                                               "g++-arm-linux-gnueabihf", "libssl-dev:armhf", "libstdc++6:armhf"])

    def test_what_is_missing_for_one_machine_is_said(self):
        for machine, names in (("amd64", ("a", "b")), ("arm64", ("a",))):
            (self.folder / machine / "package").mkdir(parents=True)
            for name in names:
                (self.folder / machine / "package" / f"{name}_1_{machine}.deb").touch()
        self.assertEqual(release.names_missing({m: self.folder / m for m in ("amd64", "arm64")}), ["arm64: no package b"])
        log = self.folder / "configure.log"
        log.write_text("-- Found Threads\n-- callis: of the component browse callis-browse cannot be built: its sources need x\n")
        self.assertEqual(release.left_out(log), ["component browse callis-browse cannot be built: its sources need x"])


class ManPages(unittest.TestCase):
    def test_a_list_of_two_columns(self):
        lines = ["  -o, --output FILE    writes it", "                       there", "  ls -x REF", "  --long-name-of-it VALUE",
                 "                       is said here", "  query [A]", "        [--more B]", "                       asks"]
        self.assertEqual(man_pages.items(lines), [("-o, --output FILE", "writes it there"), ("ls -x REF", ""), ("--long-name-of-it VALUE", "is said here"),
                                                  ("query [A] [--more B]", "asks")])

    def test_sections(self):
        text = ("usage: callis x FILE [--log]\n                [--json]\n       callis x --stats\n\nDoes it.\n\n  --log    .says so\n\n"
                "Exit status: 0; 1: not.\n")
        page = man_pages.body(text, ".SH SYNOPSIS", ".SH DESCRIPTION")
        self.assertEqual([line for line in page.splitlines() if line.startswith(".S")], [".SH SYNOPSIS", ".SH DESCRIPTION", ".SH EXIT STATUS"])
        self.assertIn("\\fB\\-\\-log\\fR\n\\&.says so\n", page)
        self.assertEqual(page.count(".ti -4n"), 2)  # a form of the usage each

    def test_options_of_the_orb_have_what_is_said_below_them(self):
        page = man_pages.body("usage: callis config\n\nShows it.\n\n-ORBid a name\n    the id\n    CALLIS_ID\n-ORBLog\n    level\n", "", "")
        self.assertIn(".TP\n\\fB\\-ORBid\\fR a name\nthe id\n.br\nCALLIS_ID\n.br\n.TP\n\\fB\\-ORBLog\\fR\nlevel\n", page)

    def test_every_program_has_a_line(self):
        self.assertGreaterEqual(len(man_pages.descriptions()), 20)


if __name__ == "__main__":
    unittest.main()
