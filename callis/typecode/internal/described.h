// SPDX-License-Identifier: Apache-2.0
// Valuetypes that this program does not know, by their TypeCodes: enough to pass over their values and to make
// DescribedValues of them (callis/value), so that an Any which has one can be kept and passed on. May throw
// bad_alloc.
#pragma once
#include <callis/marshal/work.h>
#include <callis/typecode/internal/view.h>
#include <callis/value/link.h>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace callis::typecode {

class Described {
 public:
  // work: what is worked out is charged to it; needed until finish() is done.
  // all: those that the program knows as well.
  explicit Described(marshal::Work& work, bool all = false) : work_(&work), all_(all) {}
  // What they may take together, plans included: a TypeCode can name many and large ones.
  static constexpr std::size_t kMaxBytes = 4u << 20;

  // The link of a value or box; one for each repository id. Lives as long as this.
  const value::ValueLink* link(const TypeCode& type);
  // Works out the states of all. A state that no plan can be made for cannot be passed over; other faults are final.
  Fault finish();
  // nullptr for none.
  const value::ValueLink* find(std::string_view id) const {
    const auto known = by_id_.find(id);
    return known == by_id_.end() ? nullptr : &known->second->link;
  }
  bool all() const { return all_; }
  // What a link of those was made of.
  static const TypeCode& type_of(const value::ValueLink& link) { return *reinterpret_cast<const Entry&>(link).type; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    value::ValueLink link;  // first: type_of() finds the rest by it
    const TypeCode* type;
    std::shared_ptr<const marshal::Plan> state;
    const marshal::Plan* plan;
  };
  // One, with its place in both lists.
  static constexpr std::size_t kEntryBytes = sizeof(Entry) + 128;
  Fault work_out(Entry& entry);

  marshal::Work* work_;
  const bool all_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::map<std::string_view, Entry*> by_id_;
  std::size_t bytes_ = 0;
};

}  // namespace callis::typecode
