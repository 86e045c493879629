// SPDX-License-Identifier: Apache-2.0
// Named facts in a tree, printed as lines for people or as JSON for programs. Both show the same facts, so that
// neither falls behind the other.
#pragma once
#include <callis/base/bytes.h>
#include <services/programs/usage.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace callis::tools {

using programs::escaped;

struct Tree {
  enum class Kind { Text, Number, Truth, Object, List };

  std::string name;         // "object_key"; lines show it with blanks. Elements of lists have it in lines only
  Kind kind = Kind::Object;
  // Text: the value. Others: what lines say behind the name instead of the value; JSON leaves it out.
  std::string words;
  std::uint64_t number = 0;  // Number, Truth
  bool only_json = false;    // the words of the parent say it already
  std::vector<Tree> items;   // Object: its members; List: its elements

  static Tree text(std::string name, std::string value) {
    return {std::move(name), Kind::Text, std::move(value), 0, {}, {}};
  }
  static Tree count(std::string name, std::uint64_t value, std::string words = {}) {
    return {std::move(name), Kind::Number, std::move(words), value, {}, {}};
  }
  static Tree truth(std::string name, bool value) { return {std::move(name), Kind::Truth, {}, value, {}, {}}; }
  static Tree object(std::string name, std::string words = {}) {
    return {std::move(name), Kind::Object, std::move(words), 0, {}, {}};
  }
  static Tree list(std::string name) { return {std::move(name), Kind::List, {}, 0, {}, {}}; }

  Tree&& in_json_only() && {
    only_json = true;
    return std::move(*this);
  }
  Tree& add(Tree item) {
    items.push_back(std::move(item));
    return items.back();
  }
  // The first item of that name, or nullptr.
  const Tree* find(std::string_view item) const;
};

// The items of the root, a line each, deeper ones further in.
std::string to_lines(const Tree& root);
// The root without its name, and a line end.
std::string to_json(const Tree& root);

std::string hex(ByteView bytes);
std::string hex_number(std::uint64_t n, int digits = 8);  // "0x00000000"

}  // namespace callis::tools
