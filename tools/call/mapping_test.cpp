// SPDX-License-Identifier: Apache-2.0
// JSON to values and back, for types of every kind.
#include <callis/classic/fixed.h>
#include <callis/poa/testing/orb_fixture.h>
#include <gtest/gtest.h>
#include <tools/call/mapping.h>
#include <tools/call/texts.h>
#include <cmath>
#include <limits>
#include <random>

namespace callis::tools {
namespace {

struct JsonMapping : ::testing::Test {
  CORBA::ORB_var orb;
  Types types;
  std::unique_ptr<Mapping> mapping;

  JsonMapping() {
    static int number = 0;
    orb = poa::testing::make_orb(("mapping" + std::to_string(++number)).c_str(), {});
    std::string diagnostics;
    EXPECT_TRUE(types.load(CALLIS_SOURCE_DIR "/tools/call/testing/call.idl", {}, diagnostics)) << diagnostics;
    mapping = std::make_unique<Mapping>(orb.in(), types);
  }
  ~JsonMapping() override {
    mapping.reset();
    orb->destroy();
  }

  static Json parse(const std::string& text) {
    auto parsed = parse_json(text);
    if (auto* e = std::get_if<JsonError>(&parsed)) ADD_FAILURE() << text << ": " << e->said();
    return std::holds_alternative<Json>(parsed) ? std::get<Json>(std::move(parsed)) : Json();
  }
  CORBA::TypeCode_var type(const std::string& json) { return mapping->type_from_json(parse(json), "type"); }
  // JSON, a value, JSON again; by way of the wire's form, as a decoded message gives it.
  std::string through(const std::string& type_text, const std::string& json) {
    const CORBA::TypeCode_var t = type(type_text);
    try {
      return to_text(mapping->to_json(mapping->from_json(t.in(), parse(json), "arguments.x")), false);
    } catch (const WrongJson& e) {
      return e.path + ": " + e.text;
    }
  }
  void same(const std::string& type_text, const std::string& json) { EXPECT_EQ(through(type_text, json), json); }
  void named(const std::string& name, const std::string& json) { same("\"T::" + name + "\"", json); }
};

TEST_F(JsonMapping, IntegersKeepAllDigits) {
  same("\"boolean\"", "true");
  same("\"octet\"", "255");
  same("\"short\"", "-32768");
  same("\"unsigned short\"", "65535");
  same("\"long\"", "-2147483648");
  same("\"unsigned long\"", "4294967295");
  same("\"long long\"", "-9223372036854775808");
  same("\"long long\"", "9007199254740993");
  same("\"unsigned long long\"", "18446744073709551615");
  EXPECT_EQ(through("\"unsigned long long\"", "\"18446744073709551615\""), "18446744073709551615");
}

TEST_F(JsonMapping, IntegersThatDoNotFitAreRefused) {
  EXPECT_EQ(through("\"octet\"", "256"), "arguments.x: expected an integer from 0 to 255, found the number 256");
  EXPECT_EQ(through("\"unsigned long\"", "-1"),
            "arguments.x: expected an integer from 0 to 4294967295, found the number -1");
  const std::string range =
      "arguments.x: expected an integer from -9223372036854775808 to 9223372036854775807, found ";
  EXPECT_EQ(through("\"long long\"", "9223372036854775808"), range + "the number 9223372036854775808");
  EXPECT_EQ(through("\"long long\"", "1e3"), range + "the number 1e3");
  EXPECT_EQ(through("\"long long\"", "1.0"), range + "the number 1.0");
  EXPECT_EQ(through("\"long long\"", "\"5 \""), range + "the string \"5 \"");
  EXPECT_EQ(through("\"long long\"", std::string(100, '9')), range + "the number " + std::string(40, '9') + "...");
}

TEST_F(JsonMapping, FloatingPointNumbersComeBackBitForBit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const double d = std::bit_cast<double>(random());
    const float f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    double d2 = 0;
    float f2 = 0;
    if (std::isfinite(d)) {
      ASSERT_TRUE(read_floating(floating(d).text, d2));
      ASSERT_EQ(std::bit_cast<std::uint64_t>(d), std::bit_cast<std::uint64_t>(d2));
    }
    if (std::isfinite(f)) {
      ASSERT_TRUE(read_floating(floating(f).text, f2));
      ASSERT_EQ(std::bit_cast<std::uint32_t>(f), std::bit_cast<std::uint32_t>(f2));
    }
    const long double l = std::ldexp(static_cast<long double>(random()), static_cast<int>(random() % 32000) - 16000);
    long double l2 = 0;
    ASSERT_TRUE(read_floating(floating(l).text, l2)) << floating(l).text;
    ASSERT_EQ(l, l2);
  }
  same("\"double\"", "-0.0");
  same("\"float\"", "0.1");
  same("\"double\"", "1e+300");
  same("\"double\"", "5e-324");
  for (const char* t : {"\"float\"", "\"double\"", "\"long double\""}) {
    for (const char* v : {"\"NaN\"", "\"Infinity\"", "\"-Infinity\""}) same(t, v);
  }
  same("\"long double\"", "0.1");
  same("\"long double\"", "\"1e+4000\"");
  EXPECT_TRUE(through("\"float\"", "1e39").find("expected a number of type float") != std::string::npos);
  EXPECT_TRUE(through("\"double\"", "\"1e400\"").find("expected a number of type double") != std::string::npos);
  EXPECT_TRUE(through("\"double\"", "\"0x10\"").find("expected a number of type double") != std::string::npos);
}

TEST_F(JsonMapping, CharactersAndStrings) {
  same("\"char\"", "\"c\"");
  same("\"char\"", "\"\\u0000\"");
  same("\"char\"", "{\"base64\":\"/w==\"}");
  same("\"wchar\"", "\"\xe2\x82\xac\"");
  same("\"wchar\"", "\"\xf0\x9f\x98\x80\"");
  same("\"wchar\"", "{\"codes\":[55296]}");
  same("\"string\"", "\"caf\xc3\xa9 \\\"\\\\ \\n \\u001b \\u009b\"");
  same("\"string\"", "{\"base64\":\"/w==\"}");
  same("\"wstring\"", "\"caf\xc3\xa9\xf0\x9f\x98\x80\"");
  same("\"wstring\"", "{\"codes\":[97,55296]}");
  named("FourBytes", "\"four\"");
  named("FourWide", "\"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\"");
  EXPECT_EQ(through("\"string\"", "\"a\\u0000b\""),
            "arguments.x: expected a string without the character 0, found the string \"a\\u0000b\"");
  EXPECT_EQ(through("\"T::FourBytes\"", "\"fives\""),
            "arguments.x: expected a string of at most 4 bytes, found one of 5, found the string \"fives\"");
  EXPECT_EQ(through("\"char\"", "\"ab\""),
            "arguments.x: expected a string of one character of ASCII, or "
            "{\"base64\": ...} of one byte, found the string \"ab\"");
}

TEST_F(JsonMapping, OctetsAreBase64) {
  named("Bytes", "\"AAEC/w==\"");
  named("Bytes", "\"\"");
  named("Digest", "\"AAEC/w==\"");
  EXPECT_EQ(through("\"T::Bytes\"", "[0,1,2,255]"), "\"AAEC/w==\"");
  EXPECT_EQ(through("\"T::Digest\"", "\"AAEC\""),
            "arguments.x: expected 4 bytes, found 3, found the string \"AAEC\"");
  for (const char* bad : {"\"A\"", "\"AA=A\"", "\"AAE=AAEC\"", "\"A===\"", "\"AB==\"", "\"AA C\""})
    EXPECT_EQ(through("\"T::Bytes\"", bad), std::string("arguments.x: expected base64, found the string ") + bad);
  std::mt19937 random(3);
  for (std::size_t n = 0; n < 100; ++n) {
    std::string bytes, back;
    for (std::size_t i = 0; i < n; ++i) bytes += static_cast<char>(random());
    ASSERT_TRUE(from_base64(to_base64(bytes), back));
    ASSERT_EQ(back, bytes);
  }
}

TEST_F(JsonMapping, StructsSequencesAndArrays) {
  named("Account", R"({"owner":{"name":"Ada","age":36},"balance":"12.50"})");
  named("Accounts", "[]");
  named("Accounts",
        R"([{"owner":{"name":"Ada","age":36},"balance":"0.01"},{"owner":{"name":"","age":0},"balance":"-1.00"}])");
  named("Matrix", "[[1,2,3],[4,5,6]]");
  named("Few", "[1,2]");
  named("Node", R"({"value":1,"children":[{"value":2,"children":[{"value":3,"children":[]}]}]})");
  named("A", R"({"list":[{"list":[{"list":[]}]},{"list":[]}]})");
  named("B", R"({"list":[{"list":[{"list":[]}]}]})");
  named("Ages", R"([{"key":"Ada","value":36}])");
  named("Flags", "9");
  EXPECT_EQ(through("\"T::Few\"", "[1,2,3]"),
            "arguments.x: expected at most 2 elements, found 3, found an array of 3");
  EXPECT_EQ(through("\"T::Matrix\"", "[[1,2,3],[4,5]]"),
            "arguments.x[1]: expected 3 elements, found 2, found an array of 2");
  EXPECT_EQ(through("\"T::Matrix\"", "{}"), "arguments.x: expected an array, found an empty object");
}

TEST_F(JsonMapping, WrongMembersAreNamedWithTheirPath) {
  EXPECT_EQ(through("\"T::Account\"", R"({"owner":{"name":5,"age":36},"balance":"1.00"})"),
            "arguments.x.owner.name: expected a string, found the number 5");
  EXPECT_EQ(through("\"T::Account\"", R"({"owner":{"nme":"a","age":36},"balance":"1.00"})"),
            "arguments.x.owner.nme: there is no such member; did you mean 'name'?");
  EXPECT_EQ(through("\"T::Account\"", R"({"owner":{"name":"a"},"balance":"1.00"})"),
            "arguments.x.owner: the member 'age' is missing");
  EXPECT_EQ(through("\"T::Accounts\"", R"([{"owner":null,"balance":"1.00"}])"),
            "arguments.x[0].owner: expected an object with the members of Person, found null");
}

TEST_F(JsonMapping, EnumsAreNames) {
  named("Color", "\"blue\"");
  EXPECT_EQ(through("\"T::Color\"", "\"bleu\""),
            "arguments.x: expected one of Color (red, green, blue), found the string \"bleu\"");
  EXPECT_EQ(through("\"T::Color\"", "1"),
            "arguments.x: expected one of Color (red, green, blue), found the number 1");
}

TEST_F(JsonMapping, FixedIsText) {
  const std::string t = R"({"kind":"fixed","digits":5,"scale":2})";
  same(t, "\"123.45\"");
  same(t, "\"-0.01\"");
  EXPECT_EQ(through(t, "1.5"), "\"1.50\"");
  const std::string expected =
      "arguments.x: expected a decimal number of at most 5 digits, 2 of them behind the point, found ";
  EXPECT_EQ(through(t, "\"1.234\""), expected + "the string \"1.234\"");
  EXPECT_EQ(through(t, "12345"), expected + "the number 12345");
  EXPECT_EQ(through(t, "\"x\""), expected + "the string \"x\"");
  EXPECT_EQ(through(t, "1e2"), expected + "the number 1e2");
}

TEST_F(JsonMapping, UnionsHaveDiscriminatorAndValue) {
  named("Shape", R"({"discriminator":"red","value":5})");
  named("Shape", R"({"discriminator":"blue","value":{"name":"a","age":1}})");
  named("Number", R"({"discriminator":-2,"value":"text"})");
  named("Number", R"({"discriminator":77,"value":0.5})");
  named("Half", R"({"discriminator":true,"value":5})");
  named("Half", R"({"discriminator":false})");
  named("ByLetter", R"({"discriminator":"a","value":1})");
  named("ByLetter", R"({"discriminator":"z","value":2})");
  EXPECT_EQ(through("\"T::Half\"", R"({"discriminator":false,"value":5})"),
            "arguments.x.value: this discriminator selects no member, so there is no value");
  EXPECT_EQ(through("\"T::Shape\"", R"({"discriminator":"red"})"), "arguments.x: the member 'value' is missing");
  EXPECT_EQ(through("\"T::Shape\"", R"({"discriminator":"red","value":"x"})").substr(0, 40),
            "arguments.x.value: expected an integer f");
}

TEST_F(JsonMapping, AnysSayTheirType) {
  same("\"any\"", "null");
  same("\"any\"", R"({"type":"long","value":5})");
  same("\"any\"", R"({"type":"IDL:T/Account:1.0","value":{"owner":{"name":"Ada","age":36},"balance":"12.50"}})");
  same("\"any\"", R"({"type":"any","value":{"type":"string","value":"deep"}})");
  same("\"any\"", R"({"type":{"kind":"sequence","element":"long"},"value":[1,2]})");
  same("\"any\"", R"({"type":{"kind":"string","bound":3},"value":"abc"})");
  same("\"any\"", R"({"type":"void","value":null})");
  EXPECT_EQ(through("\"any\"", R"({"type":"T::Color","value":"red"})"),
            R"({"type":"IDL:T/Color:1.0","value":"red"})");
  EXPECT_EQ(through("\"any\"", R"({"type":"T::Account","value":{"owner":1,"balance":"1"}})"),
            "arguments.x.value.owner: expected an object with the members of Person, found the number 1");
  EXPECT_EQ(through("\"any\"", R"({"type":"T::Nowhere","value":1})"),
            "arguments.x.type: expected a basic type, or a name or repository id of the IDL files, found the string "
            "\"T::Nowhere\"");
}

TEST_F(JsonMapping, TypesThatNoFileDeclaresAreDescribed) {
  const auto type_is = [&](const std::string& t) { same("\"TypeCode\"", t); };
  type_is(
      R"({"kind":"struct","id":"IDL:X:1.0","name":"X","members":[{"name":"a","type":"long"},{"name":"b",)"
      R"("type":"IDL:T/Node:1.0"}]})");
  type_is(
      R"({"kind":"struct","id":"IDL:L:1.0","name":"L","members":[{"name":"next","type":{"kind":"sequence",)"
      R"("element":{"kind":"recursive","id":"IDL:L:1.0"}}}]})");
  type_is(
      R"({"kind":"union","id":"IDL:U:1.0","name":"U","discriminator":"long","members":[{"name":"a",)"
      R"("type":"long","label":1},{"name":"b","type":"string"}]})");
  type_is(R"({"kind":"enum","id":"IDL:E:1.0","name":"E","members":["x","y"]})");
  type_is(R"({"kind":"alias","id":"IDL:Y:1.0","name":"Y","type":{"kind":"array","element":"char","length":3}})");
  type_is(R"({"kind":"exception","id":"IDL:Q:1.0","name":"Q","members":[]})");
  type_is(R"({"kind":"interface","id":"IDL:I:1.0","name":"I"})");
  type_is(R"({"kind":"abstract interface","id":"IDL:I:1.0","name":"I"})");
  type_is(R"({"kind":"valuebox","id":"IDL:VB:1.0","name":"VB","type":"string"})");
  type_is(
      R"({"kind":"valuetype","id":"IDL:V:1.0","name":"V","modifier":0,"members":[{"name":"a","type":"long",)"
      R"("public":true}]})");
  type_is(R"({"kind":"fixed","digits":5,"scale":2})");
  for (const char* basic : {"null",      "void",           "short",         "long",
                            "long long", "unsigned short", "unsigned long", "unsigned long long",
                            "float",     "double",         "long double",   "boolean",
                            "char",      "wchar",          "octet",         "any",
                            "TypeCode",  "Object",         "string",        "wstring",
                            "ValueBase", "AbstractBase"})
    type_is("\"" + std::string(basic) + "\"");
  EXPECT_EQ(through("\"TypeCode\"", R"({"kind":"thing","id":"IDL:X:1.0","name":"X","members":[]})"),
            "arguments.x.kind: there is no such kind of type: 'thing'");
  EXPECT_NE(through("\"TypeCode\"", R"({"kind":"struct","id":"X","name":"not a name","members":[]})").find("no type"),
            std::string::npos);
}

TEST_F(JsonMapping, EveryDeclaredTypeIsItsRepositoryIdAgain) {
  for (const char* name :
       {"Color",     "Person", "Account",   "NoFunds",    "Nothing", "Bytes",  "Digest", "Accounts",
        "Few",       "Matrix", "FourBytes", "FourWide",   "Shape",   "Number", "Half",   "ByLetter",
        "Node",      "Nodes",  "A",         "B",          "As",      "Bs",     "Money",  "Boxed",
        "Printable", "Page",   "Boxes",     "Prints",     "Flags",  "Ages",      "Everything", "Bank"})
    same("\"TypeCode\"", "\"IDL:T/" + std::string(name) + ":1.0\"");
}

TEST_F(JsonMapping, ReferencesAreText) {
  same("\"Object\"", "null");
  const CORBA::Object_var object = orb->string_to_object("corbaloc::127.0.0.1:9/there");
  const CORBA::String_var ior = orb->object_to_string(object.in());
  EXPECT_EQ(through("\"T::Bank\"", "\"corbaloc::127.0.0.1:9/there\""), "\"" + std::string(ior.in()) + "\"");
  EXPECT_EQ(through("\"Object\"", "\"nowhere\"").substr(0, 27), "arguments.x: no reference: ");
  EXPECT_EQ(through("\"Object\"", "5"),
            "arguments.x: expected a reference (IOR:, corbaloc:, corbaname:), or null, found "
            "the number 5");
}

TEST_F(JsonMapping, ValuetypesAreObjectsOfTheirMembers) {
  named("Money", "null");
  named("Boxed", "null");
  named("Printable", "null");
  named("Money", R"({"members":{"amount":1,"next":null}})");
  named("Money", R"({"members":{"amount":1,"next":{"members":{"amount":2,"next":null}}}})");
  named("Money", R"({"type":"IDL:T/Coin:1.0","members":{"amount":1,"next":null,"year":1999}})");
  named("Boxed", R"({"boxed":"text"})");
  EXPECT_TRUE(mapping->left_out().empty());
}

TEST_F(JsonMapping, ValuesThatOccurTwiceHaveANumber) {
  named("Money", R"({"id":1,"members":{"amount":1,"next":{"same":1}}})");
  named("Purse", R"({"first":{"id":1,"members":{"amount":1,"next":null}},"second":{"same":1},"label":null})");
  named("Purse", R"({"first":{"members":{"amount":1,"next":null}},"second":{"members":{"amount":1,"next":null}},)"
                 R"("label":{"boxed":"x"}})");
  named("Purse",
        R"({"first":{"id":1,"members":{"amount":1,"next":{"id":2,"members":{"amount":2,"next":{"same":1}}}}},)"
        R"("second":{"same":2},"label":null})");
  // A number each for what is in another any.
  same("\"any\"", R"({"type":"IDL:T/Money:1.0","value":{"id":1,"members":{"amount":1,"next":{"same":1}}}})");
}

TEST_F(JsonMapping, ValuesAndReferencesBehindAbstractInterfaces) {
  named("Printable", R"({"type":"IDL:T/Page:1.0","members":{"text":"one","next":null}})");
  named("Printable", R"({"type":"IDL:T/Boxes:1.0","boxed":[1,2]})");
  named("Prints", R"({"first":{"type":"IDL:T/Page:1.0","id":1,"members":{"text":"one","next":{"same":1}}},)"
                  R"("second":{"same":1}})");
  const CORBA::Object_var there = orb->string_to_object("corbaloc::127.0.0.1:9/there");
  const CORBA::String_var ior = orb->object_to_string(there.in());
  named("Printable", ("\"" + std::string(ior.in()) + "\"").c_str());
  EXPECT_TRUE(mapping->left_out().empty());
  EXPECT_EQ(through("\"T::Printable\"", "5"),
            "arguments.x: expected null, a reference, or an object with \"type\" and \"members\" for the abstract "
            "interface Printable, found the number 5");
  EXPECT_EQ(through("\"T::Printable\"", R"({"type":"long","members":{}})"), "arguments.x.type: this is no valuetype");
  EXPECT_EQ(through("\"T::Printable\"", R"({"type":"T::Page","members":{"text":"x"}})"),
            "arguments.x.members: the member 'next' is missing");
  EXPECT_EQ(through("\"T::Printable\"", R"({"same":3})"),
            "arguments.x.same: no value before this one has the \"id\" 3");
}

TEST_F(JsonMapping, WhatIsWrongWithAValueIsSaid) {
  EXPECT_EQ(through("\"T::Money\"", "5"),
            "arguments.x: expected null, or an object with \"members\" for a Money, found the number 5");
  EXPECT_EQ(through("\"T::Boxed\"", R"({"members":{}})"), "arguments.x.members: there is no such member");
  EXPECT_EQ(through("\"T::Money\"", R"({"members":{"amount":1}})"),
            "arguments.x.members: the member 'next' is missing");
  EXPECT_EQ(through("\"T::Money\"", R"({"members":{"amount":1,"next":{"same":7}}})"),
            "arguments.x.members.next.same: no value before this one has the \"id\" 7");
  EXPECT_EQ(through("\"T::Money\"", R"({"type":"T::Odd","members":{}})"),
            "arguments.x.type: this type is not derived from Money");
  EXPECT_EQ(through("\"T::Odd\"", R"({"members":{"amount":1}})").substr(0, 35),
            "arguments.x: Odd is a custom or abs");
  EXPECT_EQ(through("\"T::Money\"", R"({"id":1,"members":{"amount":1,"next":{"id":1,"members":null}}})"),
            "arguments.x.members.next.id: two values have the \"id\" 1");
}

TEST_F(JsonMapping, DeepValuesAreTaken) {
  std::string node = R"({"value":1,"children":[]})";
  for (int i = 0; i < 150; ++i) node = R"({"value":1,"children":[)" + node + "]}";
  named("Node", node);
  std::string any = "null";
  for (int i = 0; i < 150; ++i) any = R"({"type":"any","value":)" + any + "}";
  same("\"any\"", any);
}

TEST_F(JsonMapping, TypesWhosePartsAreSharedManyTimesAreNotPrintedWithoutEnd) {
  CORBA::TypeCode_var t = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  for (int i = 0; i < 16; ++i) {
    CORBA::StructMemberSeq members;
    members.length(2);
    for (CORBA::ULong k = 0; k < 2; ++k) {
      members[k].name = CORBA::string_dup(k == 0 ? "a" : "b");
      members[k].type = CORBA::TypeCode::_duplicate(t.in());
    }
    const std::string name = "S" + std::to_string(i);
    t = orb->create_struct_tc(("IDL:" + name + ":1.0").c_str(), name.c_str(), members);
  }
  EXPECT_THROW((void)mapping->type_to_json(t.in()), CannotShow);
}

}  // namespace
}  // namespace callis::tools
