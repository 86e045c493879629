// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/handlers.h>
#include <callis/value/internal/handlers.h>
#include <callis/value/value_base.h>
#include <vector>

namespace {

// No value is without this file.
CALLIS_INSTALLER void install() { callis::value::install_handlers(); }

// The values that this thread is destroying, each because the one before let go of it. A peer can make a list of any
// length (of offsets, for which nothing nests), so those that come too deep wait until the outermost is gone.
struct Endings {
  static constexpr unsigned kMaxNested = 100;
  unsigned nested = 0;
  std::vector<CORBA::DefaultValueRefCountBase*>* waiting = nullptr;
};
constinit thread_local Endings endings;

}  // namespace

namespace CORBA {

ValueBase::~ValueBase() = default;
const callis::value::ValueLink* ValueBase::_callis_link() const noexcept { return nullptr; }
void* ValueBase::_callis_state(const callis::value::ValueLink&) noexcept { return nullptr; }

DefaultValueRefCountBase::~DefaultValueRefCountBase() = default;

void DefaultValueRefCountBase::_add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }

void DefaultValueRefCountBase::_remove_ref() {
  if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) end(this);
}

void DefaultValueRefCountBase::end(DefaultValueRefCountBase* v) {
  Endings& e = endings;
  if (e.nested == Endings::kMaxNested) {
    try {
      return e.waiting->push_back(v);
    } catch (const std::bad_alloc&) {
      delete v;
      return;
    }
  }
  if (e.nested != 0) {
    ++e.nested;
    delete v;
    --e.nested;
    return;
  }
  std::vector<DefaultValueRefCountBase*> waiting;
  e = {1, &waiting};
  for (delete v; !waiting.empty(); delete v) {
    v = waiting.back();
    waiting.pop_back();
  }
  e = {};
}

ULong DefaultValueRefCountBase::_refcount_value() { return count_.load(std::memory_order_relaxed); }

}  // namespace CORBA
