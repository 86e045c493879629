// SPDX-License-Identifier: Apache-2.0
// BindingIterators, and the servant that stands for all of them.
#include <services/common/numbered_objects.h>
#include <services/naming/iterators.h>
#include "CosNaming_skel.h"

namespace callis::naming {

namespace {

std::size_t bytes_of(const Binding& b) { return b.name.size() + 24; }

void put(const Binding& from, CosNaming::Binding& to) {
  const Component c = from.component();
  to.binding_name.length(1);
  to.binding_name[0].id = std::string(c.id).c_str();
  to.binding_name[0].kind = std::string(c.kind).c_str();
  to.binding_type = from.is_context() ? CosNaming::ncontext : CosNaming::nobject;
}

struct List final : services::IteratorTable::Cursor {
  explicit List(BindingTable::Cursor&& from) : bindings(std::move(from)) {}
  BindingTable::Cursor bindings;
};

constexpr const char* kAgain = "list() makes another";

}  // namespace

class Iterators::Servant final : public POA_CosNaming::BindingIterator {
 public:
  explicit Servant(services::IteratorTable& table) : table_(table) {}

  CORBA::Boolean next_one(CosNaming::Binding_out b) override {
    const auto list = table_.here<List>(kAgain);
    CosNaming::Binding_var out = new CosNaming::Binding;
    out->binding_type = CosNaming::nobject;  // also where there is none
    const std::lock_guard lock(list->mutex);
    const Binding* const next = list->bindings.at();
    if (next) {
      put(*next, out.inout());
      list->bindings.next();
    }
    b = out._retn();
    return next != nullptr;
  }
  CORBA::Boolean next_n(CORBA::ULong how_many, CosNaming::BindingList_out bl) override {
    const auto list = table_.here<List>(kAgain);
    if (how_many == 0) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "next_n for no bindings");
    CosNaming::BindingList_var out = new CosNaming::BindingList;
    const std::lock_guard lock(list->mutex);
    fill(list->bindings, how_many, out.inout());
    const bool any = out->length() != 0;
    bl = out._retn();
    return any;
  }
  void destroy() override { table_.end_here(kAgain); }

 private:
  services::IteratorTable& table_;
};

Iterators::Iterators(PortableServer::POA_ptr parent, services::MemoryBound* memory) : memory_(memory) {
  poa_ = services::make_adapter(parent, "iterators", false, new Servant(table_));
}

Iterators::~Iterators() = default;

// What a snapshot costs is what changes copy because of it: most often little, and at most its nodes. A quarter of
// them is counted.
CosNaming::BindingIterator_ptr Iterators::make(BindingTable::Cursor&& bindings) {
  const std::size_t n = bindings.left();
  services::MemoryBound::Hold hold = memory_ ? memory_->take(0) : services::MemoryBound::Hold();
  const std::uint64_t number = table_.add(std::make_shared<List>(std::move(bindings)), n,
                                          BindingTable::kNodeBytes / 4 * n, std::move(hold));
  const CORBA::Object_var object =
      services::make_reference(poa_.in(), number, CosNaming::BindingIterator::_repository_id());
  return CosNaming::BindingIterator::_unchecked_narrow(object.in());
}

void Iterators::fill(BindingTable::Cursor& from, std::size_t most, CosNaming::BindingList& to) {
  std::vector<const Binding*> next;
  for (std::size_t bytes = 0; from.at() && next.size() < most; from.next()) {
    bytes += bytes_of(*from.at());
    if (!next.empty() && bytes > services::kMostAnswerBytes) break;
    next.push_back(from.at());
  }
  to.length(static_cast<CORBA::ULong>(next.size()));
  for (CORBA::ULong i = 0; i < next.size(); ++i) put(*next[i], to[i]);
}

}  // namespace callis::naming
