#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""omniORB's programs by their names (callis/compat/omniorb_tools), as scripts call them, over callis's programs.

    tools.py FOLDER --bin DIR     FOLDER: of the programs; DIR: of callis, callis-idl, callis-ior, callis-ns, callis-naming
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import ports  # noqa: E402
from harness.process import Processes  # noqa: E402

ECHO = ("IDL:Echo:1.0", "somehost", "1234", "akey")
# GIOP 1.0, big-endian: the type, one profile of version 1.0 with host, port and key.
ECHO_IOR = ("IOR:00000000" "0000000d" "49444c3a4563686f3a312e3000" "000000" "00000001" "00000000" "0000001c" "00010000" "00000009"
            "736f6d65686f737400" "00" "04d2" "00000004" "616b6579")
TOOLS = BIN = None


def run(name, *words, cwd=None):
    """(status, output)"""
    done = subprocess.run([TOOLS / name, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=60, cwd=cwd, env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"})
    return done.returncode, done.stdout.strip()


class References(unittest.TestCase):
    def test_genior_makes_what_catior_reads(self):
        self.assertEqual(run("genior", *ECHO), (0, ECHO_IOR))
        for host in ("h", "host", "a.longer.host"):
            for key in ("k", "key", "longkeys"):
                status, text = run("catior", run("genior", "IDL:M/A:1.0", host, 1, key)[1])
                self.assertEqual(status, 0, text)
                for part in ("IDL:M/A:1.0", host, key):
                    self.assertIn(part, text)
        self.assertIn("65535", run("catior", "-x", "-o", run("genior", "-x", "IDL:A:1.0", "h", 65535, "0x00ff")[1])[1])

    def test_genior_refuses_what_it_cannot_mean(self):
        for words in ((), ("IDL:A:1.0", "h", "port", "key"), ("IDL:A:1.0", "h", "65536", "key"), ("IDL:A:1.0", "h", "-1", "key"),
                      ("-x", "IDL:A:1.0", "h", "1", "0xfff"), ("-x", "IDL:A:1.0", "h", "1", "zz"), (*ECHO, "more")):
            self.assertEqual(run("genior", *words)[0], 1, words)
        status, text = run("genior", *ECHO[:3])
        self.assertEqual(status, 1)
        self.assertIn("say one", text)

    def test_catior_refuses_what_is_no_reference(self):
        self.assertNotEqual(run("catior", "IOR:zz")[0], 0)
        self.assertEqual(run("catior")[0], 1)


class Compiler(unittest.TestCase):
    def test_omniidl_compiles_by_its_own_words_and_checks_without_a_back_end(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.idl").write_text("interface A { void f(); };\n")
            (pathlib.Path(folder) / "wrong.idl").write_text("interface A {\n")
            self.assertEqual(run("omniidl", "a.idl", cwd=folder), (0, ""))
            self.assertNotEqual(run("omniidl", "wrong.idl", cwd=folder)[0], 0)
            self.assertEqual(sorted(os.listdir(folder)), ["a.idl", "wrong.idl"])
            self.assertEqual(run("omniidl", "-bcxx", "-Wba", "-Wbtp", "-Cout", "a.idl", cwd=folder), (0, ""))
            self.assertEqual(sorted(os.listdir(pathlib.Path(folder) / "out")), ["a.hh", "aDynSK.cc", "aSK.cc"])


class Names(unittest.TestCase):
    def test_nameclt_binds_lists_resolves_and_unbinds(self):
        with Processes() as processes:
            port = ports.fixed_port()
            processes.start("naming", [BIN / "callis", "naming", "--allow", "admin=any", "-ORBEndpoint",
                                       f"tcp:127.0.0.1:{port}"]).wait_for(lambda line: line.startswith("IOR:"), 60)
            url = f"corbaloc::127.0.0.1:{port}/NameService"

            def by_reference(*words):
                return run("nameclt", "-ior", url, *words)

            def by_option(*words):
                return run("nameclt", "-ORBInitRef", f"NameService={url}", "-advanced", *words)
            status, reference = by_reference("bind_new_context", "shop.dir")
            self.assertEqual((status, reference[:4]), (0, "IOR:"))
            self.assertEqual(by_reference("bind", "shop.dir/echo", ECHO_IOR)[0], 0)
            self.assertNotEqual(by_reference("bind", "shop.dir/echo", ECHO_IOR)[0], 0, "it is bound")
            self.assertEqual(by_option("rebind", "shop.dir/echo", ECHO_IOR)[0], 0)
            self.assertIn("echo", by_option("list", "shop.dir")[1])
            self.assertIn("somehost", run("catior", by_option("resolve", "shop.dir/echo")[1])[1])
            self.assertEqual(by_option("bind_context", "again", reference)[0], 0)
            self.assertIn("echo", by_reference("list", "again")[1])
            self.assertIn("IOR:", by_reference("resolve", "again/echo")[1], "it is bound as a context")
            self.assertEqual(by_option("rebind_context", "again", reference)[0], 0)
            self.assertNotEqual(by_reference("remove_context", "shop.dir")[0], 0, "it is not empty")
            for name in ("shop.dir/echo", "again"):
                self.assertEqual(by_reference("unbind", name)[0], 0)
            self.assertEqual(by_reference("remove_context", "shop.dir")[0], 0)
            self.assertEqual(by_reference("list"), (0, ""))

    def test_nameclt_says_what_it_has_not(self):
        for operation in ("new_context", "destroy"):
            status, text = run("nameclt", "-advanced", operation)
            self.assertEqual(status, 1)
            self.assertIn(operation, text)
        for words in ((), ("-advanced",), ("-ORBInitRef", "a=b"), ("-ior",), ("nonsense",)):
            status, text = run("nameclt", *words)
            self.assertEqual(status, 1, words)
            self.assertIn("usage", text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    TOOLS, BIN = options.folder.resolve(), options.bin.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
