// SPDX-License-Identifier: Apache-2.0
// A graph as JSON, and back.
#include <tools/ns/arguments.h>
#include <tools/ns/graph.h>
#include <nlohmann/json.hpp>

namespace callis::ns {

namespace {

using Json = nlohmann::json;

// Bytes as the characters U+0001 to U+00FF.
std::string characters(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : bytes) {
    const auto b = static_cast<unsigned char>(c);
    if (b >= ' ' && b < 127 && c != '"' && c != '\\') {
      out += c;
    } else {
      out += "\\u00";
      out += kDigits[b >> 4];
      out += kDigits[b & 15];
    }
  }
  return out + '"';
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Graph graph(const Json& top) {
    if (!top.is_object() || top.value("callis_names", 0) != 1)
      fail("it is no export of callis ns: no \"callis_names\": 1");
    const auto contexts = top.find("contexts");
    if (contexts == top.end() || !contexts->is_array() || contexts->empty()) fail("it has no \"contexts\"");
    Graph out;
    for (const Json& context : *contexts) {
      out.contexts.emplace_back();
      const auto bindings = context.is_object() ? context.find("bindings") : context.end();
      if (!context.is_object() || bindings == context.end() || !bindings->is_array())
        fail("a context has no \"bindings\"");
      for (const Json& b : *bindings) out.contexts.back().push_back(bound(b, contexts->size()));
    }
    return out;
  }
  [[noreturn]] void fail(const std::string& what) const { throw Failure{kCannot, file_ + ": " + what}; }

 private:
  Bound bound(const Json& from, std::size_t contexts) const {
    if (!from.is_object()) fail("a binding is no object");
    Bound out;
    out.id = bytes(from, "id");
    out.kind_text = bytes(from, "kind");
    const auto context = from.find("context"), object = from.find("object"), foreign = from.find("foreign");
    if ((context != from.end()) + (object != from.end()) + (foreign != from.end()) != 1)
      fail("a binding has one of \"object\", \"context\" and \"foreign\"");
    if (context != from.end()) {
      out.kind = Bound::Kind::Local;
      if (!context->is_number_unsigned() || context->get<std::size_t>() >= contexts)
        fail("a \"context\" is no index into \"contexts\"");
      out.context = context->get<std::size_t>();
      return out;
    }
    out.kind = object != from.end() ? Bound::Kind::Object : Bound::Kind::Foreign;
    const Json& reference = object != from.end() ? *object : *foreign;
    if (!reference.is_string()) fail("a reference is no string");
    out.reference = reference.get<std::string>();
    return out;
  }

  std::string bytes(const Json& from, const char* name) const {
    const auto found = from.find(name);
    if (found == from.end()) return {};
    if (!found->is_string()) fail(std::string("\"") + name + "\" is no string");
    const std::string text = found->get<std::string>();
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      auto b = static_cast<unsigned char>(text[i]);
      if (b >= 0xc4)
        fail(std::string("\"") + name + "\" has a character above U+00FF: each character stands for a byte");
      if (b >= 0xc2 && i + 1 < text.size())
        b = static_cast<unsigned char>((b & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
      if (b == 0) fail(std::string("\"") + name + "\" has a NUL");
      out += static_cast<char>(b);
    }
    return out;
  }

  const std::string& file_;
};

}  // namespace

std::string to_json(const Graph& graph) {
  std::string out = "{\"callis_names\": 1,\n \"contexts\": [";
  for (std::size_t c = 0; c < graph.contexts.size(); ++c) {
    out += c == 0 ? "\n  {\"bindings\": [" : ",\n  {\"bindings\": [";
    bool first = true;
    for (const Bound& b : graph.contexts[c]) {
      out += first ? "\n    {\"id\": " : ",\n    {\"id\": ";
      first = false;
      out += characters(b.id);
      if (!b.kind_text.empty()) out += ", \"kind\": " + characters(b.kind_text);
      if (b.kind == Bound::Kind::Local) {
        out += ", \"context\": " + std::to_string(b.context) + "}";
      } else {
        out += b.kind == Bound::Kind::Object ? ", \"object\": " : ", \"foreign\": ";
        out += characters(b.reference) + "}";
      }
    }
    out += "]}";
  }
  return out + "]}\n";
}

Graph graph_of_json(std::string_view text, const std::string& file) {
  Reader reader(file);
  try {
    return reader.graph(Json::parse(text));
  } catch (const Json::exception& e) {
    reader.fail(std::string("it is no JSON: ") + e.what());
  }
}

}  // namespace callis::ns
