// SPDX-License-Identifier: Apache-2.0
// Bases and members of interfaces and valuetypes, in order.
#include <idl/ast/walk.h>
#include <algorithm>
#include <iterator>
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

void collect_bases(const ValueType& v, std::unordered_set<const ValueType*>& seen,
                   std::vector<const ValueType*>& out) {
  const auto add = [&](const ValueType& base) {
    if (seen.insert(&base).second) {
      collect_bases(base, seen, out);
      out.push_back(&base);
    }
  };
  if (v.base != nullptr) {
    add(*v.base);
  }
  for (const ValueType* base : v.abstract_bases) {
    add(*base);
  }
}

}  // namespace

std::vector<const ValueType*> all_bases(const ValueType& v) {
  std::unordered_set<const ValueType*> seen;
  std::vector<const ValueType*> out;
  collect_bases(v, seen, out);
  return out;
}

std::vector<const Interface*> all_supported(const ValueType& v) {
  std::unordered_set<const Interface*> seen;
  std::vector<const Interface*> out;
  const auto add = [&](const ValueType& value) {
    for (const Interface* i : value.supports) {
      if (seen.insert(i).second) {
        collect_bases(*i, seen, out);
        out.push_back(i);
      }
    }
  };
  for (const ValueType* base : all_bases(v)) {
    add(*base);
  }
  add(v);
  return out;
}

std::vector<const StateMember*> all_state(const ValueType& v) {
  std::vector<const ValueType*> values;
  for (const ValueType* at = &v; at != nullptr; at = at->base) {
    values.push_back(at);
  }
  std::vector<const StateMember*> out;
  for (auto at = values.rbegin(); at != values.rend(); ++at) {
    for (const Declaration* d : (*at)->contents) {
      if (const auto* member = as<StateMember>(d)) {
        out.push_back(member);
      }
    }
  }
  return out;
}

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
  out.reserve(i.contents.size());
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
    auto own = own_operations(*base);
    std::ranges::move(own, std::back_inserter(out));
  }
  auto own = own_operations(i);
  std::ranges::move(own, std::back_inserter(out));
  return out;
}

const std::vector<const Exception*>& raises(const WireOperation& op) {
  if (op.operation) return op.operation->raises;
  return op.is_setter ? op.attribute->set_raises : op.attribute->get_raises;
}

}  // namespace callis::idl::ast
