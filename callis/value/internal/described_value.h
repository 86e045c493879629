// SPDX-License-Identifier: Apache-2.0
// Values that the program has no class for, made from what the TypeCode of an any says of their types (Described in
// typecode/internal/described.h): an any that holds one is passed on from these, in any byte order and at any place.
// DynAnys take them apart (callis/value/described_graph.h).
#pragma once
#include <callis/marshal/handlers.h>
#include <callis/value/value_base.h>
#include <atomic>
#include <memory>
#include <vector>

namespace callis::value {

class DescribedValues;

class DescribedValue final : public CORBA::DefaultValueRefCountBase {
 public:
  // The link outlives the value's state. Throws std::bad_alloc.
  explicit DescribedValue(const ValueLink& link);
  // Whether such a value can be made: nothing is custom, abstract or unknown in the type.
  static bool can_be(const ValueLink& link) noexcept;
  // What the states of all levels take; plan_of() of each is made. SIZE_MAX when memory is exhausted.
  static std::size_t state_bytes(const ValueLink& link);

  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return link_; }
  void* _callis_state(const ValueLink& level) noexcept override;
  // Those that it ends with; nullptr: it has ended.
  DescribedValues* all() const noexcept { return all_; }
  // Lets go of all that the state holds. The value has no type and no state from then on.
  void end_state() noexcept;
  // described_companion().
  void* companion = nullptr;
  void (*drop_companion)(void*) noexcept = nullptr;

 private:
  ~DescribedValue() override {
    end_state();
    if (companion) drop_companion(companion);
  }
  struct Level {
    const ValueLink* link;
    const marshal::Plan* plan;
    void* memory;
  };
  friend class DescribedValues;
  std::vector<Level> levels_;
  const ValueLink* link_;
  DescribedValues* all_ = nullptr;
};

// All described values of one message. They may refer to each other in circles, which nobody outside could break: so
// all end together, when no any outside holds one of them. Anys *within* them do not count as outside.
class DescribedValues {
 public:
  DescribedValues() = default;
  DescribedValues(const DescribedValues&) = delete;
  DescribedValues& operator=(const DescribedValues&) = delete;
  ~DescribedValues() { end(); }
  void hold() noexcept { outside_.fetch_add(1, std::memory_order_relaxed); }
  void let_go() noexcept {
    if (outside_.fetch_sub(1, std::memory_order_acq_rel) == 1) end();
  }
  // What the links of values that are made belong to. Throws std::bad_alloc.
  void add_type(std::shared_ptr<void> type) {
    if (types_.empty() || types_.back() != type) types_.push_back(std::move(type));
  }
  void add_types_of(const DescribedValues& others);
  // Throws std::bad_alloc.
  void add(const CORBA::ValueBase_var& value);
  const std::vector<CORBA::ValueBase_var>& all() const { return all_; }

 private:
  void end() noexcept;
  std::vector<CORBA::ValueBase_var> all_;
  std::vector<std::shared_ptr<void>> types_;
  std::atomic<std::uint32_t> outside_{1};  // the message
};

// What an any holds of them, for marshal::ValueScopes::drop_described(); nullptr when memory is exhausted.
void* keep(const std::shared_ptr<DescribedValues>& values, bool outside) noexcept;

}  // namespace callis::value
