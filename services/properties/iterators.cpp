// SPDX-License-Identifier: Apache-2.0
// Iterators, and the two servants that stand for all of them.
#include <services/common/numbered_objects.h>
#include <services/properties/iterators.h>
#include <services/properties/value_bytes.h>
#include "CosPropertyService_skel.h"

namespace callis::properties {

namespace cos = CosPropertyService;

namespace {

using Names = Iterators::Names;
using Values = Iterators::Values;

std::size_t bytes_of(const std::string& name) { return name.size() + 8; }
std::size_t bytes_of(const std::pair<std::string, CORBA::Any>& p) { return p.first.size() + 8 + size_of(p.second); }

// What an iterator has of it: a name or two, and the value, which it may be the last to have.
std::size_t kept_of(const std::string& name) { return name.size() + 64; }
std::size_t kept_of(const std::pair<std::string, CORBA::Any>& p) {
  return p.first.size() + 96 + memory_of(p.second, size_of(p.second));
}

void put(const std::string& from, cos::PropertyNames& to, CORBA::ULong at) { to[at] = from.c_str(); }
void put(const std::pair<std::string, CORBA::Any>& from, cos::Property& to) {
  to.property_name = from.first.c_str();
  to.property_value = from.second;
}
void put(const std::pair<std::string, CORBA::Any>& from, cos::Properties& to, CORBA::ULong at) { put(from, to[at]); }

// Up to `most` of the elements from `next` on, fewer when they are long, but one at least.
template <class Elements, class Sequence>
void fill(const Elements& from, std::size_t& next, std::size_t most, Sequence& to) {
  const std::size_t end = services::end_of_answer(from, next, most, [](const auto& e) { return bytes_of(e); });
  to.length(static_cast<CORBA::ULong>(end - next));
  for (CORBA::ULong i = 0; next < end; ++i, ++next) put(from[next], to, i);
}

template<class Elements>
struct List final : services::IteratorTable::Cursor {
  List(Elements&& elements, std::size_t from) : all(std::move(elements)), first(from), next(from) {}
  const Elements all;
  const std::size_t first;
  std::size_t next;
};

// The elements that the first answer has, and the number of an iterator for the others; nothing: there are none.
template<class Elements, class Sequence>
std::optional<std::uint64_t> begin(services::IteratorTable& table, services::MemoryBound* memory, Elements&& all,
                                   CORBA::ULong how_many, Sequence& first) {
  std::size_t next = 0;
  if (how_many != 0) fill(all, next, how_many, first);
  if (next >= all.size()) return {};
  std::size_t bytes = 0;
  for (std::size_t i = next; i < all.size(); ++i) bytes += kept_of(all[i]);
  const std::size_t elements = all.size() - next;
  services::MemoryBound::Hold hold = memory ? memory->take(0) : services::MemoryBound::Hold();
  return table.add(std::make_shared<List<Elements>>(std::move(all), next), elements, bytes, std::move(hold));
}

}  // namespace

// What both kinds have in common. Classes with external linkage derive from it, so it stands outside the anonymous
// namespace.
template<class Elements>
class IteratorServant {
 protected:
  explicit IteratorServant(services::IteratorTable& table) : table_(table) {}

  std::shared_ptr<List<Elements>> here() { return table_.here<List<Elements>>(kAgain); }
  void to_first() {
    const auto list = here();
    const std::lock_guard lock(list->mutex);
    list->next = list->first;
  }
  // False: there is none.
  template <class Take>
  bool one(Take&& take) {
    const auto list = here();
    const std::lock_guard lock(list->mutex);
    if (list->next >= list->all.size()) return false;
    take(list->all[list->next++]);
    return true;
  }
  template <class Sequence>
  bool several(CORBA::ULong how_many, Sequence& to) {
    const auto list = here();
    const std::lock_guard lock(list->mutex);
    fill(list->all, list->next, how_many, to);
    return to.length() != 0;
  }
  void end() { table_.end_here(kAgain); }

 private:
  static constexpr const char* kAgain = "ask the set again";
  services::IteratorTable& table_;
};

class Iterators::NamesServant final : public POA_CosPropertyService::PropertyNamesIterator,
                                      private IteratorServant<Names> {
 public:
  explicit NamesServant(services::IteratorTable& table) : IteratorServant<Names>(table) {}
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

class Iterators::ValuesServant final : public POA_CosPropertyService::PropertiesIterator,
                                      private IteratorServant<Values> {
 public:
  explicit ValuesServant(services::IteratorTable& table) : IteratorServant<Values>(table) {}
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

Iterators::Iterators(PortableServer::POA_ptr parent, services::MemoryBound* memory) : memory_(memory) {
  names_poa_ = services::make_adapter(parent, "names", false, new NamesServant(table_));
  values_poa_ = services::make_adapter(parent, "values", false, new ValuesServant(table_));
}

Iterators::~Iterators() = default;

void Iterators::split(Names&& all, CORBA::ULong how_many, cos::PropertyNames_out first,
                      cos::PropertyNamesIterator_out rest) {
  cos::PropertyNames_var out = new cos::PropertyNames;
  rest = cos::PropertyNamesIterator::_nil();
  if (const auto number = begin(table_, memory_, std::move(all), how_many, out.inout())) {
    const CORBA::Object_var object =
        services::make_reference(names_poa_.in(), *number, cos::PropertyNamesIterator::_repository_id());
    rest = cos::PropertyNamesIterator::_unchecked_narrow(object.in());
  }
  first = out._retn();
}

void Iterators::split(Values&& all, CORBA::ULong how_many, cos::Properties_out first,
                      cos::PropertiesIterator_out rest) {
  cos::Properties_var out = new cos::Properties;
  rest = cos::PropertiesIterator::_nil();
  if (const auto number = begin(table_, memory_, std::move(all), how_many, out.inout())) {
    const CORBA::Object_var object =
        services::make_reference(values_poa_.in(), *number, cos::PropertiesIterator::_repository_id());
    rest = cos::PropertiesIterator::_unchecked_narrow(object.in());
  }
  first = out._retn();
}

}  // namespace callis::properties
