// SPDX-License-Identifier: Apache-2.0
// Iterators, and the servant that stands for all of them.
#include <services/common/store_failed.h>
#include <services/logging/iterators.h>
#include <services/properties/iterators.h>
#include "DsLogAdmin_skel.h"

namespace callis::logs {

class Iterators::Servant final : public POA_DsLogAdmin::Iterator {
 public:
  explicit Servant(Iterators& all) : all_(all) {}

  DsLogAdmin::RecordList* get(CORBA::ULong position, CORBA::ULong how_many) override {
    const auto result = here();
    if (position > result->ids.size())
      throw DsLogAdmin::InvalidParam(("the result has " + std::to_string(result->ids.size()) + " records").c_str());
    std::size_t looked = 0;
    try {
      return all_.records(*result, position, std::min<std::size_t>(how_many, kMostAnswer), looked);
    } catch (const services::StoreFailed& failed) {
      services::raise(failed);
    }
  }
  void destroy() override {
    const auto number = properties::number_of(properties::request_id());
    if (!number || !all_.drop(*number)) gone();
  }

 private:
  [[noreturn]] static void gone() {
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                  "the iterator has been destroyed, or it rested for too long: ask the log again");
  }
  std::shared_ptr<const Result> here() {
    const auto number = properties::number_of(properties::request_id());
    auto out = number ? all_.find(*number) : nullptr;
    if (!out) gone();
    return out;
  }
  Iterators& all_;
};

Iterators::Iterators(PortableServer::POA_ptr parent, orb::OrbContext& context)
    : context_(context), poa_(properties::make_adapter(parent, "iterators", false, new Servant(*this))) {}

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
                                         DsLogAdmin::Iterator_out rest) {
  const auto result = std::make_shared<Result>(Result{log, std::move(ids)});
  std::size_t looked = 0;
  DsLogAdmin::RecordList_var out = records(*result, 0, kMostAnswer, looked);
  rest = DsLogAdmin::Iterator::_nil();
  if (looked < result->ids.size()) {
    const std::uint64_t number = properties::new_number();
    const Time now = std::chrono::steady_clock::now();
    reap(now);
    {
      const std::lock_guard lock(mutex_);
      while (!entries_.empty() && (entries_.size() >= kMost || ids_ + result->ids.size() > kMostIds))
        forget(entries_.begin());
      entries_.push_back({number, now, result});
      by_number_[number] = std::prev(entries_.end());
      ids_ += result->ids.size();
    }
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(properties::digits_of(number).c_str());
    const CORBA::Object_var object = poa_->create_reference_with_id(id.in(), DsLogAdmin::Iterator::_repository_id());
    rest = DsLogAdmin::Iterator::_unchecked_narrow(object.in());
  }
  return out._retn();
}

void Iterators::forget(Entries::iterator entry) {
  ids_ -= entry->result->ids.size();
  by_number_.erase(entry->number);
  entries_.erase(entry);
}

std::shared_ptr<const Iterators::Result> Iterators::find(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return nullptr;
  found->second->used = std::chrono::steady_clock::now();
  entries_.splice(entries_.end(), entries_, found->second);
  return found->second->result;
}

bool Iterators::drop(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return false;
  forget(found->second);
  return true;
}

void Iterators::reap(Time now) {
  const std::lock_guard lock(mutex_);
  while (!entries_.empty() && entries_.front().used + kIdle <= now) forget(entries_.begin());
}

std::size_t Iterators::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace callis::logs
