// SPDX-License-Identifier: Apache-2.0
#include <idl/ast/walk.h>
#include <unordered_set>

namespace callis::idl::ast {

namespace {

void collect_bases(const Interface& i, std::unordered_set<const Interface*>& seen,
                   std::vector<const Interface*>& out) {
  for (const Interface* base : i.bases) {
    if (seen.insert(base).second) {
      collect_bases(*base, seen, out);
      out.push_back(base);
    }
  }
}

}  // namespace

std::vector<const Interface*> all_bases(const Interface& i) {
  std::unordered_set<const Interface*> seen;
  std::vector<const Interface*> out;
  collect_bases(i, seen, out);
  return out;
}

bool is_a(const Interface& derived, const Interface& base) {
  if (&derived == &base) {
    return true;
  }
  for (const Interface* i : all_bases(derived)) {
    if (i == &base) {
      return true;
    }
  }
  return false;
}

std::vector<WireOperation> own_operations(const Interface& i) {
  std::vector<WireOperation> out;
  for (const Declaration* d : i.contents) {
    if (const auto* operation = as<Operation>(d)) {
      out.push_back({operation->name, &i, operation, nullptr, false});
    } else if (const auto* attribute = as<Attribute>(d)) {
      out.push_back({"_get_" + attribute->name, &i, nullptr, attribute, false});
      if (!attribute->readonly) {
        out.push_back({"_set_" + attribute->name, &i, nullptr, attribute, true});
      }
    }
  }
  return out;
}

std::vector<WireOperation> all_operations(const Interface& i) {
  std::vector<WireOperation> out;
  for (const Interface* base : all_bases(i)) {
    const auto own = own_operations(*base);
    out.insert(out.end(), own.begin(), own.end());
  }
  const auto own = own_operations(i);
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

}  // namespace callis::idl::ast
