#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what reads callgrind's files (bench/tools/callgrind.py) and of what divides functions into layers."""
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "tools")]
import callgrind  # noqa: E402
from layers import CALLER, CALLIS, LAYERS, UNCLASSIFIED, Classifier  # noqa: E402

# main calls f twice and g once; f calls itself and memcpy, which g calls too.
FILE = """# callgrind format
version: 1
events: Ir
positions: line
ob=(1) /usr/bin/program
fl=(1) ???
fn=(1) main
10 5
+2 3
cfn=(2) f(int)
calls=2 0
* 100
cfn=(3) g(int)
calls=1 0
0 60
fn=(2)
0 20
cfn=(4) f(int)'2
calls=1 0
0 30
cob=(2) /lib/libc.so.6
cfn=(5) memcpy
calls=4 0
0 40

fn=(4)
0 30
fn=(3)
0 20
cob=(2)
cfn=(5)
calls=1 0
0 10
ob=(2)
fn=(5)
0 50
totals: 128
"""


class Reading(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "1"), "w", encoding="utf-8") as f:
                f.write(FILE)
            self.found = callgrind.read_folder(folder)

    def test_counts_own_instructions_and_calls(self):
        plain = {key: (cost.instructions, cost.calls) for key, cost in self.found.items()}
        self.assertEqual(plain, {("main", "program"): (8, 0), ("f(int)", "program"): (50, 3), ("g(int)", "program"): (20, 1),
                                 ("memcpy", "libc.so.6"): (50, 5)})
        self.assertEqual(sum(cost.instructions for cost in self.found.values()), 128)

    def test_knows_on_whose_behalf(self):
        self.assertEqual(self.found["memcpy", "libc.so.6"].callers, {("f(int)", "program"): 40, ("g(int)", "program"): 10})

    def test_takes_the_difference_of_two_runs(self):
        half = {key: callgrind.Cost(cost.instructions / 2, cost.calls / 2) for key, cost in self.found.items()}
        a_call = callgrind.difference(self.found, half, 5)
        self.assertEqual(a_call["f(int)", "program"].instructions, 5)
        self.assertEqual(callgrind.difference(self.found, self.found, 5), {})

    def test_shortens_names(self):
        for name, expected in {
                "callis::marshal::(anonymous namespace)::walk(callis::marshal::Plan const&, void*) [clone .isra.0]":
                    "callis::marshal::walk",
                "void callis::classic::put_primitive<unsigned int>(callis::cdr::Encoder&, unsigned int)":
                    "callis::classic::put_primitive",
                "BinStruct::operator>>=(cdrStream&) const": "BinStruct::operator>>=",
                "operator new(unsigned long)": "operator new", "_int_malloc": "_int_malloc",
                "std::_Function_handler<void (long), f(int)::{lambda(long)#1}>::_M_invoke(long&&)":
                    "std::_Function_handler::_M_invoke"}.items():
            self.assertEqual(callgrind.short(name), expected)


class Layers(unittest.TestCase):
    def layer(self, system, library, function):
        return Classifier(system).of((function, library))

    def test_goes_by_a_function_not_by_its_parameters(self):
        view = "std::span<unsigned char const, 18446744073709551615ul>&, callis::Buffer&"
        for function, expected in {f"callis::orb::Session::step({view})": "headers",
                                   "callis::poa::(anonymous namespace)::run(callis::poa::Target const&)": "upcall",
                                   "callis::poa::Dispatcher::handle(callis::orb::ServerRequest&)": "demultiplexing",
                                   "callis::Buffer::reserve(unsigned long)": "memory",
                                   "callis::marshal::encode(callis::marshal::Plan const&, void const*, callis::cdr::Encoder&)":
                                       "marshal",
                                   "callis::marshal::decode(callis::marshal::Plan const&, void*, callis::cdr::Decoder&)":
                                       "demarshal",
                                   "callis::marshal::destroy_block(callis::marshal::Program const&, unsigned, void*)": "memory",
                                   "bench::Param::test_short(short, short&, short&)": "upcall",
                                   "callis::something::new()": UNCLASSIFIED}.items():
            self.assertEqual(self.layer("callis-interpreted", "bench_server_interpreted", function), expected, function)

    def test_knows_the_steps_of_a_call(self):
        for function, expected in {"callis::orb::(anonymous namespace)::call_plainly(callis::orb::Reference&)": "headers",
                                   "callis::orb::Invocation::build()": "headers",
                                   "callis::orb::RequestTemplates::put(callis::orb::RequestTemplates::Kind&)": "headers",
                                   "callis::orb::HeaderCache::find(unsigned char const*)": "headers",
                                   "callis::orb::ClientConnection::receive(unsigned int)": "transport",
                                   "callis::orb::invoke(callis::marshal::Unit const&)": "stub"}.items():
            self.assertEqual(self.layer("callis-interpreted", "bench_caller_interpreted", function), expected, function)

    def test_names_classes_that_there_are(self):
        """A class that got another name would fall to another layer, and nobody would notice."""
        root = os.path.join(HERE, "..", "..", "callis")
        sources = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names
                   if name.endswith((".h", ".cpp")) and not name.endswith("_test.cpp")]
        text = "\n".join(Path(source).read_text(encoding="utf-8") for source in sources)
        for _, pattern in CALLIS:
            for name in re.findall(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+", pattern):
                self.assertRegex(text, rf"\b{name}\b", pattern)

    def test_knows_omniorb(self):
        for function, expected in {"omni::giopImpl12::marshalRequestHeader(omni::giopStream*)": "headers",
                                   "omni::giopImpl12::unmarshalReplyHeader(omni::giopStream*)": "headers",
                                   "BinStruct::operator>>=(cdrStream&) const": "marshal",
                                   "BinStruct::operator<<=(cdrStream&)": "demarshal",
                                   "omni::omniCodeSet::NCS_C_8bit::marshalChar(cdrStream&)": "marshal",
                                   "omni::omniCodeSet::NCS_C_8bit::unmarshalChar(cdrStream&)": "demarshal",
                                   "_0RL_cd_a0000000::marshalArguments(cdrStream&)": "marshal",
                                   "_0RL_cd_a0000000::unmarshalArguments(cdrStream&)": "demarshal",
                                   "omni::tcpConnection::Send(void*, unsigned long)": "transport"}.items():
            self.assertEqual(self.layer("omniorb", "libomniORB4.so.2.5", function), expected, function)
        self.assertEqual(self.layer("omniorb", "libc.so.6", "pthread_mutex_lock@@GLIBC_2.2.5"), "locks")
        self.assertEqual(self.layer("omniorb", "libc.so.6", "_int_malloc"), "memory")

    def test_divides_shared_helpers_among_their_callers(self):
        program = "bench_caller_interpreted"
        walk = ("callis::marshal::(anonymous namespace)::EncodeWalk::block()", program)
        read = ("callis::marshal::(anonymous namespace)::DecodeWalk::block()", program)
        helper = ("void callis::marshal::(anonymous namespace)::loop<2u, 0u>(unsigned char*)", program)
        below = ("callis::marshal::shuffle(unsigned char*)", program)
        costs = {walk: callgrind.Cost(10, 1), read: callgrind.Cost(10, 1),
                 helper: callgrind.Cost(40, 4, {walk: 30, read: 10}), below: callgrind.Cost(20, 1, {helper: 20})}
        classifier = Classifier("callis-interpreted")
        self.assertEqual(classifier.of(helper), CALLER)
        divided = classifier.divide(costs)
        self.assertEqual(divided["marshal"], (10 + 30 + 15, 1 + 3 + 0.75))
        self.assertEqual(divided["demarshal"], (10 + 10 + 5, 1 + 1 + 0.25))
        self.assertEqual(set(divided), set(LAYERS))


if __name__ == "__main__":
    unittest.main()
