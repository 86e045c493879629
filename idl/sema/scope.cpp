// SPDX-License-Identifier: Apache-2.0
#include <idl/sema/scope.h>
#include <algorithm>

namespace callis::idl::sema {

std::string fold(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

const Entry* Scope::find_own(std::string_view name) const {
  const auto found = by_key_.find(fold(name));
  return found == by_key_.end() ? nullptr : found->second;
}

void Scope::add(Entry entry) {
  entries_.push_back(std::move(entry));
  by_key_.try_emplace(fold(entries_.back().name), &entries_.back());
}

void Scope::replace(std::string_view name, ast::Declaration* node, const source::Range& where) {
  if (const auto found = by_key_.find(fold(name)); found != by_key_.end()) {
    found->second->node = node;
    found->second->where = where;
  }
}

std::vector<const Entry*> Scope::find(std::string_view name) const {
  std::vector<const Entry*> out;
  std::unordered_set<const Scope*> visited;
  find(fold(name), visited, out);
  return out;
}

// One declaration reached over several paths is one result.
void Scope::find(const std::string& key, std::unordered_set<const Scope*>& visited,
                 std::vector<const Entry*>& out) const {
  if (!visited.insert(this).second) {
    return;
  }
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    out.push_back(found->second);
    return;
  }
  for (const Scope* base : bases) {
    base->find(key, visited, out);
  }
}

const Scope::Introduced* Scope::find_introduced(std::string_view name) const {
  const auto found = introduced_.find(fold(name));
  return found == introduced_.end() ? nullptr : &found->second;
}

void Scope::introduce(std::string_view name, const source::Range& where) {
  introduced_.try_emplace(fold(name), Introduced{std::string(name), where});
}

}  // namespace callis::idl::sema
