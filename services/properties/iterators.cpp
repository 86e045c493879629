// SPDX-License-Identifier: Apache-2.0
// Iterators, and the two servants that stand for all of them.
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/upcall.h>
#include <services/properties/iterators.h>
#include <services/properties/value_bytes.h>
#include <sys/random.h>
#include <algorithm>
#include <charconv>
#include <type_traits>
#include "CosPropertyService_skel.h"

namespace callis::properties {

namespace cos = CosPropertyService;

namespace {

std::size_t bytes_of(const std::string& name) { return name.size() + 8; }
std::size_t bytes_of(const std::pair<std::string, CORBA::Any>& p) { return p.first.size() + 8 + size_of(p.second); }

void put(const std::string& from, cos::PropertyNames& to, CORBA::ULong at) { to[at] = from.c_str(); }
void put(const std::pair<std::string, CORBA::Any>& from, cos::Property& to) {
  to.property_name = from.first.c_str();
  to.property_value = from.second;
}
void put(const std::pair<std::string, CORBA::Any>& from, cos::Properties& to, CORBA::ULong at) { put(from, to[at]); }

// Up to `most` of the elements from `next` on, fewer when they are long, but one at least.
template <class Elements, class Sequence>
void fill(const Elements& from, std::size_t& next, std::size_t most, Sequence& to) {
  std::size_t end = next, bytes = 0;
  while (end < from.size() && end - next < most) {
    bytes += bytes_of(from[end]);
    if (end != next && bytes > Iterators::kMostAnswerBytes) break;
    ++end;
  }
  to.length(static_cast<CORBA::ULong>(end - next));
  for (CORBA::ULong i = 0; next < end; ++i, ++next) put(from[next], to, i);
}

template <class Elements>
std::size_t bytes_from(const Elements& all, std::size_t next) {
  std::size_t bytes = 0;
  for (; next < all.size(); ++next) bytes += bytes_of(all[next]);
  return bytes;
}

}  // namespace

std::string_view request_id() {
  const poa::Upcall* const upcall = poa::current_upcall;
  if (!upcall) throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "outside of a request");
  const ByteView id = upcall->adapter->id_in(upcall->key);
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

std::string digits_of(std::uint64_t number) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- != 0; number >>= 4) out[i] = "0123456789abcdef"[number & 15];
  return out;
}

std::optional<std::uint64_t> number_of(std::string_view digits) {
  if (digits.size() != 16) return {};
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 16, out, 16);
  if (error != std::errc() || end != digits.data() + 16) return {};
  return out;
}

std::uint64_t new_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, "the system has no random number");
  return number;
}

PortableServer::POA_var make_adapter(PortableServer::POA_ptr parent, const char* name, bool persistent,
                                     PortableServer::ServantBase* servant) {
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  const PortableServer::POAManager_var manager = parent->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(5);
  policies[0] = parent->create_lifespan_policy(persistent ? PortableServer::PERSISTENT : PortableServer::TRANSIENT);
  policies[1] = parent->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = parent->create_servant_retention_policy(PortableServer::NON_RETAIN);
  policies[3] = parent->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
  policies[4] = parent->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  PortableServer::POA_var out = parent->create_POA(name, manager.in(), policies);
  out->set_servant(owned.in());
  return out;
}

// What both kinds have in common.
template <class Elements>
class Iterators::Servant {
 protected:
  explicit Servant(Iterators& all) : all_(all) {}

  [[noreturn]] static void gone() {
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                  "the iterator has been destroyed, or it rested for too long: ask the set again");
  }
  std::shared_ptr<Cursor> here() {
    const auto number = number_of(request_id());
    auto out = number ? all_.find(*number) : nullptr;
    if (!out) gone();
    return out;
  }
  void to_first() {
    const auto cursor = here();
    const std::lock_guard lock(cursor->mutex);
    cursor->next = cursor->first;
  }
  // False: there is none.
  template <class Take>
  bool one(Take&& take) {
    const auto cursor = here();
    const std::lock_guard lock(cursor->mutex);
    const Elements& all = elements(*cursor);
    if (cursor->next >= all.size()) return false;
    take(all[cursor->next++]);
    return true;
  }
  template <class Sequence>
  bool several(CORBA::ULong how_many, Sequence& to) {
    const auto cursor = here();
    const std::lock_guard lock(cursor->mutex);
    fill(elements(*cursor), cursor->next, how_many, to);
    return to.length() != 0;
  }
  void end() {
    const auto number = number_of(request_id());
    if (!number || !all_.drop(*number)) gone();
  }

 private:
  static const Elements& elements(const Cursor& cursor) {
    if constexpr (std::is_same_v<Elements, Names>) return cursor.names;
    else return cursor.values;
  }
  Iterators& all_;
};

class Iterators::NamesServant final : public POA_CosPropertyService::PropertyNamesIterator, private Servant<Names> {
 public:
  explicit NamesServant(Iterators& all) : Servant<Names>(all) {}
  void reset() override { to_first(); }
  CORBA::Boolean next_one(CORBA::String_out name) override {
    CORBA::String_var out = CORBA::string_dup("");  // also where there is none
    const bool more = one([&](const std::string& n) { out = n.c_str(); });
    name = out._retn();
    return more;
  }
  CORBA::Boolean next_n(CORBA::ULong how_many, cos::PropertyNames_out names) override {
    cos::PropertyNames_var out = new cos::PropertyNames;
    const bool any = several(how_many, out.inout());
    names = out._retn();
    return any;
  }
  void destroy() override { end(); }
};

class Iterators::ValuesServant final : public POA_CosPropertyService::PropertiesIterator, private Servant<Values> {
 public:
  explicit ValuesServant(Iterators& all) : Servant<Values>(all) {}
  void reset() override { to_first(); }
  CORBA::Boolean next_one(cos::Property_out property) override {
    cos::Property_var out = new cos::Property;
    const bool more = one([&](const auto& p) { put(p, out.inout()); });
    property = out._retn();
    return more;
  }
  CORBA::Boolean next_n(CORBA::ULong how_many, cos::Properties_out properties) override {
    cos::Properties_var out = new cos::Properties;
    const bool any = several(how_many, out.inout());
    properties = out._retn();
    return any;
  }
  void destroy() override { end(); }
};

Iterators::Iterators(PortableServer::POA_ptr parent) {
  names_poa_ = make_adapter(parent, "names", false, new NamesServant(*this));
  values_poa_ = make_adapter(parent, "values", false, new ValuesServant(*this));
}

Iterators::~Iterators() = default;

void Iterators::split(Names&& all, CORBA::ULong how_many, cos::PropertyNames_out first,
                      cos::PropertyNamesIterator_out rest) {
  cos::PropertyNames_var out = new cos::PropertyNames;
  rest = cos::PropertyNamesIterator::_nil();
  std::size_t next = 0;
  if (how_many != 0) fill(all, next, how_many, out.inout());
  if (next < all.size()) {
    const std::size_t elements = all.size() - next, bytes = bytes_from(all, next);
    auto cursor = std::make_shared<Cursor>();
    cursor->names = std::move(all);
    cursor->first = cursor->next = next;
    const PortableServer::ObjectId_var id = add(std::move(cursor), elements, bytes);
    const CORBA::Object_var object =
        names_poa_->create_reference_with_id(id.in(), cos::PropertyNamesIterator::_repository_id());
    rest = cos::PropertyNamesIterator::_unchecked_narrow(object.in());
  }
  first = out._retn();
}

void Iterators::split(Values&& all, CORBA::ULong how_many, cos::Properties_out first,
                      cos::PropertiesIterator_out rest) {
  cos::Properties_var out = new cos::Properties;
  rest = cos::PropertiesIterator::_nil();
  std::size_t next = 0;
  if (how_many != 0) fill(all, next, how_many, out.inout());
  if (next < all.size()) {
    const std::size_t elements = all.size() - next, bytes = bytes_from(all, next);
    auto cursor = std::make_shared<Cursor>();
    cursor->values = std::move(all);
    cursor->first = cursor->next = next;
    const PortableServer::ObjectId_var id = add(std::move(cursor), elements, bytes);
    const CORBA::Object_var object =
        values_poa_->create_reference_with_id(id.in(), cos::PropertiesIterator::_repository_id());
    rest = cos::PropertiesIterator::_unchecked_narrow(object.in());
  }
  first = out._retn();
}

PortableServer::ObjectId_var Iterators::add(std::shared_ptr<Cursor> cursor, std::size_t elements, std::size_t bytes) {
  const std::uint64_t number = new_number();
  const Time now = std::chrono::steady_clock::now();
  reap(now);
  std::vector<std::shared_ptr<Cursor>> gone;  // let go without the lock
  {
    const std::lock_guard lock(mutex_);
    while (!entries_.empty() && (entries_.size() >= kMost || elements_ + elements > kMostElements ||
                                 bytes_ + bytes > kMostBytes))
      forget(entries_.begin(), gone);
    entries_.push_back({number, now, elements, bytes, std::move(cursor)});
    by_number_[number] = std::prev(entries_.end());
    elements_ += elements;
    bytes_ += bytes;
  }
  return PortableServer::string_to_ObjectId(digits_of(number).c_str());
}

void Iterators::forget(Entries::iterator entry, std::vector<std::shared_ptr<Cursor>>& gone) {
  gone.push_back(std::move(entry->cursor));
  elements_ -= entry->elements;
  bytes_ -= entry->bytes;
  by_number_.erase(entry->number);
  entries_.erase(entry);
}

std::shared_ptr<Iterators::Cursor> Iterators::find(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return nullptr;
  found->second->used = std::chrono::steady_clock::now();
  entries_.splice(entries_.end(), entries_, found->second);
  return found->second->cursor;
}

bool Iterators::drop(std::uint64_t number) {
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

}  // namespace callis::properties
