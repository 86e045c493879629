// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/reply.h>
#include <callis/marshal/plan.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/profile.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/dispatch/parts.h>
#include <callis/poa/servant/minor_codes.h>

CALLIS_PROVIDE(flat_requests);

namespace callis::poa {
namespace {

constexpr std::size_t kMostFrameBytes = 256, kFrameAlignment = 16;

// The servant has thrown.
[[gnu::cold, gnu::noinline]] void answer_exception(const marshal::OperationPlans& plans, orb::FlatRequest& request) {
  request.answer(
      [](void* p, orb::ServerRequest& r) noexcept {
        try {
          answer_thrown_by(*static_cast<const marshal::OperationPlans*>(p), r);
        } catch (...) {  // no memory to describe the failure
          answer<CORBA::NO_MEMORY>(r, kServantNoMemory, CORBA::COMPLETED_MAYBE);
        }
      },
      const_cast<void*>(static_cast<const void*>(&plans)));
}

}  // namespace

const marshal::OperationPlans* flat_plans(const Slot& slot, const SkeletonOperation& op) noexcept {
  if (!slot.servant || slot.adapter->serves_one_at_a_time() ||
      marshal::OperationView(*slot.skeleton->unit, op.op).compiled())
    return nullptr;
  const marshal::OperationPlans* const plans = marshal::operation_plans(*slot.skeleton->unit, op.op);
  const bool flat = plans && plans->server_is_flat && plans->server_frame_bytes <= kMostFrameBytes &&
                    plans->server_frame_alignment <= kFrameAlignment &&
                    giop::kPlainReplyBytes + plans->flat_reply_bytes <=
                        orb::FlatRequest::kMostReplyBytes;
  return flat ? plans : nullptr;
}

// Requests that may be watched or profiled go the usual way. So does a request that is too short, which is refused
// there.
[[gnu::hot]] bool serve_flat(Registry& registry, orb::FlatRequest& request) noexcept {
  const orb::ServerRequest::Memo& memo = request.memo;
  const marshal::OperationPlans& plans = *memo.flat;
  Buffer& out = request.out;
  if (request.arguments.size() < plans.flat_request_bytes || watch_of_targets() || orb::profiling)
      [[unlikely]]
    return false;
  Slot* const slot = registry.enter_again(*static_cast<Slot*>(memo.object), memo.generation);
  if (!slot) [[unlikely]] return false;
  const Pin pin{registry, slot};
  orb::Upcall::innermost()->enter(*slot->adapter, slot->servant, request.object_key);
  alignas(kFrameAlignment) Byte frame[kMostFrameBytes];  // as much of it as is used starts as zeros
  for (std::size_t i = 0; i < plans.server_frame_bytes; i += kFrameAlignment)
    __builtin_memset(frame + i, 0, kFrameAlignment);
  marshal::decode_flat(*plans.server_request, frame, request.arguments.data());
  try {
    static_cast<const SkeletonOperation*>(memo.operation)->thunk(slot->self, frame);
  } catch (...) {
    answer_exception(plans, request);
    return true;
  }
  const std::size_t at = out.size(), reply_bytes = giop::kPlainReplyBytes + plans.flat_reply_bytes;
  Byte* const message = out.data() + at;
  giop::put_plain_reply(message, request.request_id, reply_bytes);
  marshal::encode_flat(*plans.server_reply, frame, message + giop::kPlainReplyBytes);
  out.set_size(at + reply_bytes);
  return true;
}

}  // namespace callis::poa
