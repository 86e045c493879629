# SPDX-License-Identifier: Apache-2.0
# Cap'n Proto has no char (a number stands for it) and no arrays of a fixed length (BinStruct's eight pad octets are one
# number); char and octet sequences are Data.
@0xb5d3a1c2e4f60718;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("proto");

struct FixedStruct { l @0 :Int32; c @1 :UInt8; s @2 :Int16; o @3 :UInt8; f @4 :Float32; b @5 :Bool; d @6 :Float64; }
struct VarStruct { dummy1 @0 :Text; dummy2 @1 :Text; seq @2 :List(Text); }
struct NestedStruct { vs @0 :VarStruct; }

interface ParamTest {
  testShort @0 (s1 :Int16, s2 :Int16) -> (ret :Int16, s2 :Int16, s3 :Int16);
  testUnboundedString @1 (s1 :Text, s2 :Text) -> (ret :Text, s2 :Text, s3 :Text);
  testFixedStruct @2 (s1 :FixedStruct, s2 :FixedStruct) -> (ret :FixedStruct, s2 :FixedStruct, s3 :FixedStruct);
  testStrseq @3 (s1 :List(Text), s2 :List(Text)) -> (ret :List(Text), s2 :List(Text), s3 :List(Text));
  testVarStruct @4 (s1 :VarStruct, s2 :VarStruct) -> (ret :VarStruct, s2 :VarStruct, s3 :VarStruct);
  testNestedStruct @5 (s1 :NestedStruct, s2 :NestedStruct)
                   -> (ret :NestedStruct, s2 :NestedStruct, s3 :NestedStruct);
  testStructSequence @6 (s1 :List(VarStruct), s2 :List(VarStruct))
                     -> (ret :List(VarStruct), s2 :List(VarStruct), s3 :List(VarStruct));
}

struct BinStruct { s @0 :Int16; c @1 :UInt8; l @2 :Int32; o @3 :UInt8; d @4 :Float64; pad @5 :UInt64; }

interface Ttcp {
  sendShort @0 (ts :List(Int16)) -> stream;
  sendLong @1 (ts :List(Int32)) -> stream;
  sendDouble @2 (ts :List(Float64)) -> stream;
  sendData @3 (ts :Data) -> stream;
  sendStruct @4 (ts :List(BinStruct)) -> stream;
  barrier @5 () -> (intact :UInt64, arrived :UInt64, ns :UInt64);
}
