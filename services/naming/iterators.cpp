// SPDX-License-Identifier: Apache-2.0
// BindingIterators, and the servant that stands for all of them.
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/upcall.h>
#include <services/naming/iterators.h>
#include <services/naming/request.h>
#include <sys/random.h>
#include "CosNaming_skel.h"

namespace callis::naming {

namespace {

constexpr std::size_t kMostListBytes = 1u << 20;  // of the names in one answer: omniORB takes messages of 2 MiB

std::size_t bytes_of(const Binding& b) { return b.name.size() + 24; }

void put(const Binding& from, CosNaming::Binding& to) {
  const Component c = from.component();
  to.binding_name.length(1);
  to.binding_name[0].id = std::string(c.id).c_str();
  to.binding_name[0].kind = std::string(c.kind).c_str();
  to.binding_type = from.is_context() ? CosNaming::ncontext : CosNaming::nobject;
}

}  // namespace

ByteView request_id() {
  const poa::Upcall* const upcall = poa::current_upcall;
  if (!upcall) throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "outside of a request");
  return upcall->adapter->id_in(upcall->key);
}

class Iterators::Servant final : public POA_CosNaming::BindingIterator {
 public:
  explicit Servant(Iterators& all) : all_(all) {}

  CORBA::Boolean next_one(CosNaming::Binding_out b) override {
    const auto cursor = here();
    CosNaming::Binding_var out = new CosNaming::Binding;
    out->binding_type = CosNaming::nobject;  // also where there is none
    const std::lock_guard lock(cursor->mutex);
    const bool more = cursor->next < cursor->bindings.size();
    if (more) put(*cursor->bindings[cursor->next++], out.inout());
    b = out._retn();
    return more;
  }
  CORBA::Boolean next_n(CORBA::ULong how_many, CosNaming::BindingList_out bl) override {
    const auto cursor = here();
    if (how_many == 0) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "next_n for no bindings");
    CosNaming::BindingList_var out = new CosNaming::BindingList;
    const std::lock_guard lock(cursor->mutex);
    fill(cursor->bindings, cursor->next, how_many, out.inout());
    const bool any = out->length() != 0;
    bl = out._retn();
    return any;
  }
  void destroy() override {
    if (!all_.drop(number())) gone();
  }

 private:
  [[noreturn]] static void gone() {
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                  "the iterator has been destroyed, or it rested for too long: list() makes another");
  }
  static Number number() {
    const ByteView id = request_id();
    if (id.size() != 16) gone();
    const auto out = from_digits({reinterpret_cast<const char*>(id.data()), id.size()});
    if (!out) gone();
    return *out;
  }
  std::shared_ptr<Cursor> here() {
    auto out = all_.find(number());
    if (!out) gone();
    return out;
  }

  Iterators& all_;
};

Iterators::Iterators(PortableServer::POA_ptr parent) {
  const PortableServer::POAManager_var manager = parent->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(5);
  policies[0] = parent->create_lifespan_policy(PortableServer::TRANSIENT);
  policies[1] = parent->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = parent->create_servant_retention_policy(PortableServer::NON_RETAIN);
  policies[3] = parent->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
  policies[4] = parent->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  poa_ = parent->create_POA("iterators", manager.in(), policies);
  const PortableServer::Servant_var<Servant> servant = new Servant(*this);
  poa_->set_servant(servant.in());
}

Iterators::~Iterators() = default;

CosNaming::BindingIterator_ptr Iterators::make(std::vector<BindingPtr>&& bindings, std::size_t next) {
  Number number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, "the system has no random number");
  const std::size_t n = bindings.size();
  auto cursor = std::make_shared<Cursor>();
  cursor->bindings = std::move(bindings);
  cursor->next = next;
  std::vector<std::shared_ptr<Cursor>> gone;  // let go without the lock
  {
    const std::lock_guard lock(mutex_);
    while (!entries_.empty() && (entries_.size() >= kMost || bindings_ + n > kMostBindings))
      forget(entries_.begin(), gone);
    entries_.push_back({number, std::chrono::steady_clock::now(), n, std::move(cursor)});
    by_number_[number] = std::prev(entries_.end());
    bindings_ += n;
  }
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(to_digits(number).c_str());
  const CORBA::Object_var object =
      poa_->create_reference_with_id(id.in(), CosNaming::BindingIterator::_repository_id());
  return CosNaming::BindingIterator::_unchecked_narrow(object.in());
}

void Iterators::forget(Entries::iterator entry, std::vector<std::shared_ptr<Cursor>>& gone) {
  gone.push_back(std::move(entry->cursor));
  bindings_ -= entry->bindings;
  by_number_.erase(entry->number);
  entries_.erase(entry);
}

std::shared_ptr<Iterators::Cursor> Iterators::find(Number number) {
  const std::lock_guard lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return nullptr;
  found->second->used = std::chrono::steady_clock::now();
  entries_.splice(entries_.end(), entries_, found->second);
  return found->second->cursor;
}

bool Iterators::drop(Number number) {
  std::vector<std::shared_ptr<Cursor>> gone;
  const std::lock_guard lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return false;
  forget(found->second, gone);
  return true;
}

void Iterators::reap(Time now) {
  std::vector<std::shared_ptr<Cursor>> gone;
  const std::lock_guard lock(mutex_);
  while (!entries_.empty() && entries_.front().used + kIdle <= now) forget(entries_.begin(), gone);
}

std::size_t Iterators::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

void Iterators::fill(const std::vector<BindingPtr>& from, std::size_t& next, std::size_t most,
                     CosNaming::BindingList& to) {
  std::size_t end = next, bytes = 0;
  // One at least, however long.
  while (end < from.size() && end - next < most && (end == next || bytes + bytes_of(*from[end]) <= kMostListBytes))
    bytes += bytes_of(*from[end++]);
  to.length(static_cast<CORBA::ULong>(end - next));
  for (CORBA::ULong i = 0; next < end; ++i, ++next) put(*from[next], to[i]);
}

}  // namespace callis::naming
