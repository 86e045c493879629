// SPDX-License-Identifier: Apache-2.0
// Iterators, and the servant that stands for all of them.
#include <services/common/numbered_objects.h>
#include <services/common/store_failed.h>
#include <services/logging/iterators.h>
#include "DsLogAdmin_skel.h"

namespace callis::logs {

class Iterators::Servant final : public POA_DsLogAdmin::Iterator {
 public:
  explicit Servant(Iterators& all) : all_(all) {}

  DsLogAdmin::RecordList* get(CORBA::ULong position, CORBA::ULong how_many) override {
    const auto result = all_.table_.here<Result>(kAgain);
    if (position > result->ids.size())
      throw DsLogAdmin::InvalidParam(("the result has " + std::to_string(result->ids.size()) + " records").c_str());
    std::size_t looked = 0;
    try {
      return all_.records(*result, position, std::min<std::size_t>(how_many, kMostAnswer), looked);
    } catch (const services::StoreFailed& failed) {
      services::raise(failed);
    }
  }
  void destroy() override { all_.table_.end_here(kAgain); }

 private:
  static constexpr const char* kAgain = "ask the log again";
  Iterators& all_;
};

Iterators::Iterators(PortableServer::POA_ptr parent, orb::OrbContext& context)
    : context_(context), poa_(services::make_adapter(parent, "iterators", false, new Servant(*this))) {}

Iterators::~Iterators() = default;

DsLogAdmin::RecordList* Iterators::records(const Result& result, std::size_t from, std::size_t most,
                                           std::size_t& looked) const {
  DsLogAdmin::RecordList_var out = new DsLogAdmin::RecordList;
  std::size_t bytes = 0, at = from;
  for (; at < result.ids.size() && at - from < most; ++at) {
    const std::optional<Row> row = result.log->find(result.ids[at]);
    if (!row) continue;
    bytes += row->bytes();
    const CORBA::ULong has = out->length();
    if (has != 0 && bytes > kMostAnswerBytes) break;
    out->length(has + 1);
    out[has] = record_of(*row, context_);
  }
  looked = at - from;
  return out._retn();
}

DsLogAdmin::RecordList* Iterators::split(const LogPtr& log, std::vector<RecordId>&& ids,
                                         DsLogAdmin::Iterator_out rest, services::HeldBytes&& kept) {
  ids.shrink_to_fit();
  kept.settle(sizeof(Result) + sizeof(RecordId) * ids.size());
  const auto result = std::make_shared<Result>(log, std::move(ids), std::move(kept));
  std::size_t looked = 0;
  DsLogAdmin::RecordList_var out = records(*result, 0, kMostAnswer, looked);
  rest = DsLogAdmin::Iterator::_nil();
  if (looked < result->ids.size()) {
    const std::uint64_t number = table_.add(result, result->ids.size());
    const CORBA::Object_var object =
        services::make_reference(poa_.in(), number, DsLogAdmin::Iterator::_repository_id());
    rest = DsLogAdmin::Iterator::_unchecked_narrow(object.in());
  }
  return out._retn();
}

}  // namespace callis::logs
