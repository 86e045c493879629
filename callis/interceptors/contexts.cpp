// SPDX-License-Identifier: Apache-2.0
#include <callis/interceptors/contexts.h>
#include <callis/interceptors/minor_codes.h>
#include <callis/orb/core/interception.h>
#include <algorithm>

namespace callis::interceptors {

IOP::ServiceContext* ContextList::get(IOP::ServiceId id) const {
  const auto found = std::find_if(list_.begin(), list_.end(), [id](const One& c) { return c.id == id; });
  if (found == list_.end())
    orb::raise<CORBA::BAD_PARAM>(orb::omg(26), CORBA::COMPLETED_NO, "no such service context");
  auto context = std::make_unique<IOP::ServiceContext>();
  context->context_id = id;
  fill(context->context_data, found->data);
  return context.release();
}

void ContextList::add(const IOP::ServiceContext& context, bool replace, const Limits& limits, std::size_t own) {
  const ByteView data = bytes_of(context.context_data);
  if (data.size() > limits.max_context_bytes)
    orb::raise<CORBA::IMP_LIMIT>(kTooManyContexts, CORBA::COMPLETED_NO, "a service context beyond max_context_bytes");
  const auto found =
      std::find_if(list_.begin(), list_.end(), [&](const One& c) { return c.id == context.context_id; });
  if (found != list_.end()) {
    if (!replace)
      orb::raise<CORBA::BAD_INV_ORDER>(orb::omg(15), CORBA::COMPLETED_NO, "there is a service context of that id");
    found->data.assign(data.begin(), data.end());
    return;
  }
  if (list_.size() + own >= limits.max_service_contexts)
    orb::raise<CORBA::IMP_LIMIT>(kTooManyContexts, CORBA::COMPLETED_NO, "more than max_service_contexts");
  list_.push_back({context.context_id, {data.begin(), data.end()}});
}

void ContextList::keep(const giop::ServiceContexts& came) {
  list_.clear();
  for (std::size_t i = 0; i < came.size(); ++i)
    list_.push_back({came[i].id, {came[i].data.begin(), came[i].data.end()}});
}

std::span<giop::ServiceContext> ContextList::to_send(std::size_t room) {
  views_.assign(room, {});
  for (const One& c : list_) views_.push_back({c.id, c.data});
  return views_;
}

}  // namespace callis::interceptors
