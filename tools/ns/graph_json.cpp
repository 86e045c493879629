// SPDX-License-Identifier: Apache-2.0
// A graph as JSON, and back.
#include <callis/base/json_text.h>
#include <callis/base/text.h>
#include <services/json/json.h>
#include <tools/ns/arguments.h>
#include <tools/ns/graph.h>

namespace callis::ns {

namespace {

using json::Json;

// Bytes as the characters U+0001 to U+00FF.
std::string characters(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) out += JsonCharacter(static_cast<unsigned char>(c), JsonCharacter::Beyond::Escaped);
  return out + '"';
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Graph graph(const Json& top) {
    const Json* const version = top.find("callis_names");
    if (!version || version->text != "1") fail("it is no export of callis ns: no \"callis_names\": 1");
    const Json* const contexts = top.find("contexts");
    if (!contexts || contexts->kind != Json::Kind::Array || contexts->items.empty()) fail("it has no \"contexts\"");
    Graph out;
    for (const Json& context : contexts->items) {
      out.contexts.emplace_back();
      const Json* const bindings = context.find("bindings");
      if (!bindings || bindings->kind != Json::Kind::Array) fail(context, "a context has no \"bindings\"");
      for (const Json& b : bindings->items) out.contexts.back().push_back(bound(b, contexts->items.size()));
    }
    return out;
  }
  [[noreturn]] void fail(const std::string& what) const { throw Failure{kCannot, file_ + ": " + what}; }

 private:
  [[noreturn]] void fail(const Json& at, const std::string& what) const {
    fail(json::JsonError{at.where, what}.said());
  }

  Bound bound(const Json& from, std::size_t contexts) const {
    if (from.kind != Json::Kind::Object) fail(from, "a binding is no object");
    Bound out;
    out.id = bytes(from, "id");
    out.kind_text = bytes(from, "kind");
    const Json *const context = from.find("context"), *const object = from.find("object"),
                      *const foreign = from.find("foreign");
    if (!!context + !!object + !!foreign != 1)
      fail(from, "a binding has one of \"object\", \"context\" and \"foreign\"");
    if (context) {
      out.kind = Bound::Kind::Local;
      std::uint64_t index = 0;
      if (context->kind != Json::Kind::Number || !parse_decimal(context->text, contexts - 1, index))
        fail(*context, "a \"context\" is no index into \"contexts\"");
      out.context = index;
      return out;
    }
    out.kind = object ? Bound::Kind::Object : Bound::Kind::Foreign;
    const Json& reference = object ? *object : *foreign;
    if (reference.kind != Json::Kind::String) fail(reference, "a reference is no string");
    out.reference = reference.text;
    return out;
  }

  std::string bytes(const Json& from, const char* name) const {
    const Json* const found = from.find(name);
    if (!found) return {};
    const std::string quoted = std::string("\"") + name + "\"";
    if (found->kind != Json::Kind::String) fail(*found, quoted + " is no string");
    std::string out;
    std::string_view text = found->text;
    for (Utf8Character c; (c = first_character(text)).bytes != 0; text.remove_prefix(c.bytes)) {
      if (c.value > 0xff) fail(*found, quoted + " has a character above U+00FF: each character stands for a byte");
      if (c.value == 0) fail(*found, quoted + " has a NUL");
      out += static_cast<char>(c.value);
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
  const auto parsed = json::parse_json(text);
  if (const auto* const error = std::get_if<json::JsonError>(&parsed)) reader.fail("it is no JSON: " + error->said());
  return reader.graph(std::get<Json>(parsed));
}

}  // namespace callis::ns
