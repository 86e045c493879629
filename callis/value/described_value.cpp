// SPDX-License-Identifier: Apache-2.0
// DescribedValue, and what the any library asks of a message's scope about such values.
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>
#include <callis/value/described_graph.h>
#include <callis/value/internal/described_value.h>
#include <callis/value/internal/scope.h>
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace callis::value {

bool DescribedValue::can_be(const ValueLink& link) noexcept {
  for (const ValueLink* l = &link; l; l = l->base)
    if (!(l->flags & kDescribed) || l->flags & (kCustom | kAbstract)) return false;
  return true;
}

std::size_t DescribedValue::state_bytes(const ValueLink& link) {
  std::size_t n = 0;
  for (const ValueLink* l = &link; l; l = l->base) {
    if (l->state == 0) continue;
    const marshal::Plan* const plan = plan_of(*l);
    if (!plan) return SIZE_MAX;
    n += marshal::native_size(*plan) + sizeof(Level);
  }
  return n;
}

DescribedValue::DescribedValue(const ValueLink& link) : link_(&link) {
  for (const ValueLink* l = &link; l; l = l->base)
    if (l->state != 0) levels_.push_back({l, plan_of(*l), nullptr});
  for (Level& level : levels_) {
    const std::size_t n = marshal::native_size(*level.plan);
    level.memory = ::operator new(n, std::nothrow);
    if (!level.memory) {
      end_state();
      throw std::bad_alloc();
    }
    std::memset(level.memory, 0, n);
  }
}

void* DescribedValue::_callis_state(const ValueLink& of) noexcept {
  for (const Level& level : levels_)
    if (level.link == &of) return level.memory;
  return nullptr;
}

void DescribedValue::end_state() noexcept {
  link_ = nullptr;
  all_ = nullptr;
  for (const Level& level : std::exchange(levels_, {})) {
    if (level.memory) marshal::destroy(*level.plan, level.memory);
    ::operator delete(level.memory);
  }
}

// What ends may hold an any of this message, which lets go of this.
void DescribedValues::end() noexcept {
  for (const CORBA::ValueBase_var& v : all_) {
    if (auto* const described = dynamic_cast<DescribedValue*>(v.in())) described->end_state();
    else empty(*v.in());
  }
  std::exchange(all_, {}).clear();
}

void DescribedValues::add(const CORBA::ValueBase_var& value) {
  all_.push_back(value);
  if (auto* const described = dynamic_cast<DescribedValue*>(value.in())) described->all_ = this;
}

void DescribedValues::add_types_of(const DescribedValues& others) {
  if (&others == this) return;
  for (const std::shared_ptr<void>& t : others.types_)
    if (std::find(types_.begin(), types_.end(), t) == types_.end()) types_.push_back(t);
}

namespace {

// What an any holds of them.
struct KeptValues {
  std::shared_ptr<DescribedValues> values;
  bool outside;
};

}  // namespace

bool ends_with_others(const void* kept) noexcept { return !static_cast<const KeptValues*>(kept)->outside; }

void* keep(const std::shared_ptr<DescribedValues>& values, bool outside) noexcept {
  auto* const kept = new (std::nothrow) KeptValues{values, outside};
  if (kept && kept->outside) values->hold();
  return kept;
}

void* keep_described(void* scope) noexcept {
  auto& reader = *static_cast<Reader*>(scope);
  return keep(reader.described, reader.described_around == 0);
}

void drop_described(void* held) noexcept {
  const std::unique_ptr<KeptValues> kept(static_cast<KeptValues*>(held));
  if (kept->outside) kept->values->let_go();
}

bool begin_described(void* scope, const marshal::Description& types, void* type, void (*drop)(void*) noexcept,
                     const marshal::Description*& before) noexcept try {
  auto& reader = *static_cast<Reader*>(scope);
  std::shared_ptr<void> owned(type, drop);
  if (!reader.described) reader.described = std::make_shared<DescribedValues>();
  reader.described->add_type(std::move(owned));
  before = std::exchange(reader.types, &types);
  ++reader.described_around;
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void end_described(void* scope, const marshal::Description* before) noexcept {
  auto& reader = *static_cast<Reader*>(scope);
  reader.types = before;
  --reader.described_around;
}

bool reads_described(const void* scope, bool& truncates) noexcept {
  const auto& reader = *static_cast<const Reader*>(scope);
  truncates = reader.types && reader.types->truncates;
  return reader.described_around != 0;
}

}  // namespace callis::value
