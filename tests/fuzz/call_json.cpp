// SPDX-License-Identifier: Apache-2.0
// Text read as JSON, and where it is some, as a value of a type of tools/call/testing/call.idl; the first byte says
// which. What is accepted is printed, and what is printed is read again and printed the same.
#include "target.h"
#include <services/json/json.h>
#include <tools/call/mapping.h>
#include <memory>

namespace {

using namespace callis;
using namespace callis::tools;

CORBA::ORB_var the_orb;
Types types;
std::unique_ptr<Mapping> mapping;

constexpr const char* kTypes[] = {"any",      "TypeCode",  "T::Everything", "T::Purse", "T::Money",    "T::Shape",
                                  "T::Nodes", "T::Ages",   "T::Accounts",   "T::Matrix", "T::Bytes",   "T::Number",
                                  "T::Odd",   "Object",    "T::Flags",      "double",   "T::Printable", "fixed"};
constexpr const char* kSeeds[] = {
    R"({"type":"long","value":5})",
    R"({"kind":"struct","id":"IDL:X:1.0","name":"X","members":[{"name":"a","type":"long"}]})",
    R"({"type":{"kind":"sequence","element":{"kind":"alias","id":"IDL:A:1.0","name":"A","type":"any"}},)"
    R"("value":[null]})",
    R"({"kind":"union","id":"IDL:U:1.0","name":"U","discriminator":"long",)"
    R"("members":[{"name":"a","type":"long","label":1}]})",
    R"({"first":{"id":1,"members":{"amount":1,"next":{"same":1}}},"second":{"same":1},"label":{"boxed":"x"}})",
    R"({"type":"T::Coin","members":{"amount":-1,"next":null,"year":1999}})",
    R"({"discriminator":"red","value":5})",
    R"([{"value":1,"children":[{"value":2,"children":[]}]}])",
    R"([{"key":"Ada","value":36}])",
    R"([{"owner":{"name":"Ada","age":36},"balance":"12.50"}])",
    R"("aGVsbG8=")",
    R"({"base64":"aGVsbG8="})",
    R"({"codes":[55296,65]})",
    R"("corbaloc::127.0.0.1:9/there")",
    "-1.5e300",
    "\"Infinity\"",
    "null",
    "[[1,2,3],[4,5,6]]",
    R"({"kind":"valuetype","id":"IDL:V:1.0","name":"V","modifier":3,"base":"T::Money","members":[]})"};

std::vector<Byte> seed(std::size_t i) {
  const std::string_view text = kSeeds[i % std::size(kSeeds)];
  std::vector<Byte> bytes = {static_cast<Byte>(i / std::size(kSeeds))};
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

void require(bool ok, const std::string& first, const std::string& second) {
  if (ok) return;
  std::fprintf(stderr, "not the same again:\n%s\n%s\n", first.c_str(), second.c_str());
  std::abort();
}

CORBA::TypeCode_var type_of(const char* name) {
  if (std::string_view(name) == "fixed") return CORBA::TypeCode_var(the_orb->create_fixed_tc(12, 3));
  return mapping->type_from_json(Json::string(name), "type");
}

void try_text(CORBA::TypeCode_ptr type, std::string_view text) {
  const auto parsed = parse_json(text);
  if (!std::holds_alternative<Json>(parsed)) return;
  const Json& json = std::get<Json>(parsed);
  const std::string plain = to_text(json, false);
  const auto again = parse_json(plain);
  require(std::holds_alternative<Json>(again), plain, "");
  require(to_text(std::get<Json>(again), false) == plain, plain, to_text(std::get<Json>(again), false));
  try {
    const CORBA::Any any = mapping->from_json(type, json, "x");
    const std::string printed = to_text(mapping->to_json(any), false);
    const auto back = parse_json(printed);
    if (!std::holds_alternative<Json>(back)) return;  // deeper than may be read
    const std::string second = to_text(mapping->to_json(mapping->from_json(type, std::get<Json>(back), "x")), false);
    require(second == printed, printed, second);
  } catch (const WrongJson&) {
  } catch (const CannotShow&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  int n = 1;
  char name[] = "call_json";
  char* arguments[] = {name, nullptr};
  the_orb = CORBA::ORB_init(n, arguments);
  std::string diagnostics;
  if (!types.load(CALLIS_SOURCE_DIR "/tools/call/testing/call.idl", {}, diagnostics)) {
    std::fprintf(stderr, "%s", diagnostics.c_str());
    return 1;
  }
  mapping = std::make_unique<Mapping>(the_orb.in(), types);
  fuzz::write_seeds(*argc, *argv, std::size(kTypes) * std::size(kSeeds), seed);
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return;
  static const auto known = [] {
    std::vector<CORBA::TypeCode_var> all;
    for (const char* t : kTypes) all.push_back(type_of(t));
    return all;
  }();
  try_text(known[data[0] % known.size()].in(), {reinterpret_cast<const char*>(data) + 1, size - 1});
}
