// SPDX-License-Identifier: Apache-2.0
// Trees of facts as lines and as JSON. Texts are printable ASCII by the time they come here (escaped()).
#include <callis/base/json_text.h>
#include <tools/ior/tree.h>
#include <algorithm>

namespace callis::tools {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

std::string value_of(const Tree& t) {
  if (t.kind == Tree::Kind::Text || !t.words.empty()) return t.words;
  if (t.kind == Tree::Kind::Number) return std::to_string(t.number);
  if (t.kind == Tree::Kind::Truth) return t.number ? "yes" : "no";
  return {};
}

void put_lines(std::string& out, const Tree& t, std::size_t depth) {
  if (t.only_json) return;
  // A list has no line of its own: the names of its elements say what they are.
  if (t.kind == Tree::Kind::List) {
    for (const Tree& item : t.items) put_lines(out, item, depth);
    return;
  }
  std::string name = t.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  if (name.starts_with("component TAG ")) name = t.name;
  const std::string value = value_of(t);
  out.append(2 * depth, ' ').append(name).append(value.empty() ? ":" : ": ").append(value) += '\n';
  for (const Tree& item : t.items) put_lines(out, item, depth + 1);
}

void put_json(std::string& out, const Tree& t, std::size_t depth) {
  const bool is_list = t.kind == Tree::Kind::List;
  switch (t.kind) {
    case Tree::Kind::Text: out += json_string(t.words); return;
    case Tree::Kind::Number: out += std::to_string(t.number); return;
    case Tree::Kind::Truth: out += t.number ? "true" : "false"; return;
    case Tree::Kind::Object: case Tree::Kind::List: break;
  }
  if (t.items.empty()) {
    out += is_list ? "[]" : "{}";
    return;
  }
  out += is_list ? "[" : "{";
  const char* between = "\n";
  for (const Tree& item : t.items) {
    out.append(between).append(2 * (depth + 1), ' ');
    if (!is_list) {
      out += json_string(item.name) + ": ";
    }
    put_json(out, item, depth + 1);
    between = ",\n";
  }
  out.append("\n").append(2 * depth, ' ') += is_list ? ']' : '}';
}

}  // namespace

const Tree* Tree::find(std::string_view item) const {
  for (const Tree& t : items) {
    if (t.name == item) return &t;
  }
  return nullptr;
}

std::string to_lines(const Tree& root) {
  std::string out;
  for (const Tree& item : root.items) put_lines(out, item, 0);
  return out;
}

std::string to_json(const Tree& root) {
  std::string out;
  put_json(out, root, 0);
  out += '\n';
  return out;
}

std::string hex(ByteView bytes) {
  std::string out;
  for (const Byte b : bytes) {
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

std::string hex_number(std::uint64_t n, int digits) {
  std::string out = "0x";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kDigits[(n >> shift) & 15];
  return out;
}

}  // namespace callis::tools
