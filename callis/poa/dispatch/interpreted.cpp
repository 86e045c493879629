// SPDX-License-Identifier: Apache-2.0
// Operations of interpreted skeletons: the engine decodes into a frame, and encodes from there. Generated skeletons
// lead here (Skeleton::run), so programs whose skeletons are all compiled have neither this file nor the engine.
#include <callis/classic/explanations.h>
#include <callis/marshal/plan.h>
#include <callis/orb/base/errors.h>
#include <callis/poa/dispatch/frame_memory.h>
#include <callis/poa/dispatch/parts.h>
#include <callis/poa/servant/skeleton.h>
#include <cstring>

namespace callis::poa {
namespace {

// Destroys the values that a frame owns.
struct FrameScope {
  const marshal::OperationPlans& plans;
  void* frame;
  ~FrameScope() {
    if (plans.server_frame_owns) marshal::destroy(*plans.server_frame, frame);
  }
};

bool send_by_plan(orb::ServerRequest& request, const marshal::OperationPlans& plans, const CORBA::UserException& e) {
  const char* const id = e._rep_id();
  for (marshal::Word i = 0; i < plans.exception_count; ++i) {
    if (std::strcmp(static_cast<const orb::ExceptionLink*>(plans.exceptions[i].link)->repository_id, id) != 0)
      continue;
    if (CALLIS_HAS(exception_members))
      classic::note_members(e, *plans.unit, marshal::OperationView(*plans.unit, plans.op).exception(i));
    cdr::Encoder& encoder = request.user_exception(id);
    if (!marshal::encode(*plans.exceptions[i].body, dynamic_cast<const void*>(&e), encoder))
      report(request, encoder.fault(), orb::Step::EncodeReply);
    return true;
  }
  return false;
}

}  // namespace

void answer_thrown_by(const marshal::OperationPlans& plans, orb::ServerRequest& request) {
  const auto send = [&](const CORBA::UserException& e) { return send_by_plan(request, plans, e); };
  answer_thrown(
      request, CORBA::COMPLETED_MAYBE,
      [](void* f, const CORBA::UserException& e) { return (*static_cast<decltype(send)*>(f))(e); },
      const_cast<void*>(static_cast<const void*>(&send)));
}

[[gnu::hot]] void run_interpreted(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request) {
  const marshal::OperationPlans* plans = marshal::operation_plans(*object.skeleton->unit, op.op);
  if (!plans) return report(request, Fault::OutOfMemory, orb::Step::DecodeRequest);
  FrameMemory memory(plans->server_frame_bytes, plans->server_frame_alignment);
  if (!memory.get()) return report(request, Fault::OutOfMemory, orb::Step::DecodeRequest);
  const FrameScope frame{*plans, memory.get()};

  cdr::Decoder& arguments = request.arguments();
  if (!marshal::decode(*plans->server_request, memory.get(), arguments)) [[unlikely]]
    return report(request, arguments.fault(), orb::Step::DecodeRequest);
  try {
    op.thunk(object.self, memory.get());
  } catch (...) {
    return answer_thrown_by(*plans, request);
  }
  if (plans->oneway || !request.response_expected()) return;
  cdr::Encoder& reply = request.reply();
  if (!marshal::encode(*plans->server_reply, memory.get(), reply)) [[unlikely]]
    report(request, reply.fault(), orb::Step::EncodeReply);
}

void run_either(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request) {
  if (marshal::OperationView(*object.skeleton->unit, op.op).compiled()) run_compiled(object, op, request);
  else run_interpreted(object, op, request);
}

}  // namespace callis::poa
