// SPDX-License-Identifier: Apache-2.0
// Valuetypes that this program does not know, by their TypeCodes: enough to pass over their values, so that an Any
// which has one can be kept and passed on. May throw bad_alloc.
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
  explicit Described(marshal::Work& work) : work_(&work) {}
  // What they may take together, plans included: a TypeCode can name many and large ones.
  static constexpr std::size_t kMaxBytes = 4u << 20;

  // The link of a value or box; one for each repository id. Lives as long as this.
  const value::ValueLink* link(const TypeCode& type);
  // Works out the states of all. A state that no plan can be made for cannot be passed over; other faults are final.
  Fault finish();
  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    value::ValueLink link;
    const TypeCode* type;
    std::shared_ptr<const marshal::Plan> state;
    const marshal::Plan* plan;
  };
  // One, with its place in both lists.
  static constexpr std::size_t kEntryBytes = sizeof(Entry) + 128;
  Fault work_out(Entry& entry);

  marshal::Work* work_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::map<std::string_view, Entry*> by_id_;
  std::size_t bytes_ = 0;
};

}  // namespace callis::typecode
