// SPDX-License-Identifier: Apache-2.0
// C++ names of IDL's.
#include <callis/base/generated_form.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/text.h>
#include <algorithm>
#include <array>
#include <cstdint>

namespace callis::idl::backends::classic {

namespace {

// C++20, with the alternative tokens.
constexpr std::array<std::string_view, 92> kKeywords = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
    "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept",
    "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete",
    "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
    "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
    "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
    "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq"};
static_assert(std::ranges::is_sorted(kKeywords));

// For each first letter, a bit for each length that keywords have: most names are none by that alone.
constexpr auto kKeywordLengths = [] {
  std::array<std::uint32_t, 26> lengths{};
  for (const std::string_view k : kKeywords) lengths[static_cast<std::size_t>(k[0] - 'a')] |= 1u << k.size();
  return lengths;
}();

bool is_keyword(std::string_view name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z' || name.size() > 31) return false;
  if (!(kKeywordLengths[static_cast<std::size_t>(name[0] - 'a')] >> name.size() & 1u)) return false;
  return std::ranges::binary_search(kKeywords, name);
}

}  // namespace

// The first appearance of a module has its id; a later one may stand behind another prefix.
bool is_of_the_omg(const ast::Declaration& d) {
  const ast::Declaration* outermost = &d;
  while (outermost->parent) outermost = outermost->parent;
  const auto* m = ast::as<ast::Module>(outermost);
  return m && m->first->repository_id.starts_with("IDL:omg.org/");
}

std::string inline_namespace(const ast::Declaration& d) {
  return is_of_the_omg(d) ? cat("::inline ", kInlineNamespace) : std::string();
}

std::string identifier(std::string_view idl_name) {
  return is_keyword(idl_name) ? cat("_cxx_", idl_name) : std::string(idl_name);
}

std::string name(const ast::Declaration& d) { return identifier(d.name); }

std::string scoped(const ast::Declaration& d) {
  std::string s;
  for (const std::string& part : ast::path(d)) {
    if (!s.empty()) s += "::";
    s += identifier(part);
  }
  return s;
}

std::string absolute(const ast::Declaration& d) { return "::" + scoped(d); }
std::string absolute(const ast::Declaration& d, std::string_view suffix) { return cat("::", scoped(d), suffix); }

std::string skeleton_name(const ast::Interface& i) { return i.parent ? name(i) : "POA_" + i.name; }

std::string skeleton_scoped(const ast::Interface& i) {
  const auto parts = ast::path(i);
  if (parts.size() == 1) return "POA_" + parts[0];
  std::string s = "POA_" + parts[0];
  for (std::size_t k = 1; k < parts.size(); ++k) s += "::" + identifier(parts[k]);
  return s;
}

std::string skeleton_absolute(const ast::Interface& i) { return "::" + skeleton_scoped(i); }

std::string counting_scope(const ast::Interface& i) { return i.parent ? absolute(*i.parent) + "::" : "::"; }

std::string interface_link(const ast::Interface& i) {
  const std::string scope = i.parent ? absolute(*i.parent) : "";
  return cat(scope, "::callis_link_", i.name);
}

// No identifier begins with a digit, so "_0" for "_" cannot be mistaken for a scope.
std::string flat(std::string_view idl_name) {
  std::string s;
  for (char c : idl_name) {
    s += c;
    if (c == '_') s += '0';
  }
  return s;
}

std::string flat(const ast::Declaration& d) {
  std::string s;
  for (const std::string& part : ast::path(d)) s += (s.empty() ? "" : "_") + flat(part);
  return s;
}

namespace {

void hash_ids(const ast::Declarations& contents, std::uint64_t& h) {
  for (const ast::Declaration* d : contents) {
    if (!d->from_main_file) continue;
    for (char c : d->repository_id) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    h = (h ^ '\n') * 0x100000001b3u;
    if (const auto* m = ast::as<ast::Module>(d)) hash_ids(m->contents, h);
  }
}

}  // namespace

std::string unit_namespace(const ast::Unit& unit) {
  std::uint64_t h = 0xcbf29ce484222325u;
  hash_ids(unit.contents, h);
  std::string s = "callis_unit_";
  for (char c : ast::stem(unit)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    s += plain ? c : '_';
  }
  s += '_';
  for (int shift = 28; shift >= 0; shift -= 4) s += "0123456789abcdef"[(h ^ h >> 32) >> shift & 15];
  return s;
}

std::string quoted(std::string_view bytes) {
  std::string s = "\"";
  for (char c : bytes) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      s += '\\';
      s += c;
    } else if (u >= 0x20 && u < 0x7f && c != '?') {  // no trigraphs
      s += c;
    } else {  // always three digits, so that the next character cannot belong to it
      s += '\\';
      s += static_cast<char>('0' + (u >> 6));
      s += static_cast<char>('0' + (u >> 3 & 7));
      s += static_cast<char>('0' + (u & 7));
    }
  }
  return s + '"';
}

std::string stem_of_path(std::string_view path) {
  const auto slash = path.find_last_of('/');
  if (slash != path.npos) path.remove_prefix(slash + 1);
  const auto dot = path.find_last_of('.');
  return std::string(dot == path.npos || dot == 0 ? path : path.substr(0, dot));
}

}  // namespace callis::idl::backends::classic
