// SPDX-License-Identifier: Apache-2.0
// The table of value factories.
#include <callis/base/string_map.h>
#include <callis/classic/exception.h>
#include <callis/value/factory.h>
#include <mutex>

namespace CORBA::inline callis_orb {

ValueFactoryBase::~ValueFactoryBase() = default;

void ValueFactoryBase::_add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }

void ValueFactoryBase::_remove_ref() {
  if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

}  // namespace CORBA::inline callis_orb

namespace callis::value {
namespace {

struct Factories {
  std::mutex mutex;
  StringMap<CORBA::ValueFactory_var> by_id;
};

// Never destroyed: threads of ORBs may run until the process ends.
Factories& factories() {
  static Factories* const f = new Factories;
  return *f;
}

[[noreturn]] void refuse(const char* why) {
  classic::raise<CORBA::BAD_PARAM>(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO, why);
}

CORBA::ValueFactory_var find(std::string_view id) {
  std::lock_guard lock(factories().mutex);
  const CORBA::ValueFactory_var* known = factories().by_id.find(id);
  return known ? *known : CORBA::ValueFactory_var();
}

}  // namespace

CORBA::ValueFactory register_value_factory(const char* repository_id, CORBA::ValueFactory factory) {
  if (!repository_id || !*repository_id) refuse("a value factory without a repository id");
  if (!factory) refuse("a null value factory");
  CORBA::ValueFactory_var mine(CORBA::callis_duplicate(factory));
  std::lock_guard lock(factories().mutex);
  if (CORBA::ValueFactory_var* known = factories().by_id.find(repository_id)) {
    std::swap(*known, mine);
    return mine._retn();
  }
  factories().by_id.insert(repository_id, std::move(mine));
  return nullptr;
}

void unregister_value_factory(const char* repository_id) {
  CORBA::ValueFactory_var last;  // let go outside the lock
  std::lock_guard lock(factories().mutex);
  CORBA::ValueFactory_var* known = repository_id ? factories().by_id.find(repository_id) : nullptr;
  if (!known) refuse("no value factory is registered under that repository id");
  last = std::move(*known);
  factories().by_id.erase(repository_id);
}

CORBA::ValueFactory lookup_value_factory(const char* repository_id) {
  CORBA::ValueFactory_var found = repository_id ? find(repository_id) : CORBA::ValueFactory_var();
  if (!found.in()) refuse("no value factory is registered under that repository id");
  return found._retn();
}

CORBA::ValueBase* create_value(std::string_view repository_id) {
  const CORBA::ValueFactory_var factory = find(repository_id);
  return factory.in() ? factory->create_for_unmarshal() : nullptr;
}

// ---- types by their ids ----

namespace {

std::atomic<const BoxEntry*> boxes{nullptr};

}  // namespace

BoxEntry::BoxEntry(const ValueLink& link) noexcept : link_(link), next_(boxes.load(std::memory_order_relaxed)) {
  while (!boxes.compare_exchange_weak(next_, this, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

const ValueLink* find_box(std::string_view repository_id) {
  for (const BoxEntry* e = boxes.load(std::memory_order_acquire); e; e = e->next_)
    if (repository_id == e->link_.repository_id) return &e->link_;
  return nullptr;
}

const ValueLink* find_link(std::string_view repository_id) {
  if (const ValueLink* box = find_box(repository_id)) return box;
  try {
    const CORBA::ValueBase_var made(create_value(repository_id));
    return made.in() ? made->_callis_link() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

}  // namespace callis::value
