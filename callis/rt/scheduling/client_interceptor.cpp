// SPDX-License-Identifier: Apache-2.0
// Calls of distributable threads: what goes with the request, waiting for the reply, and what that tells.
//
//   send_request ─→ the thread gives up its place ─→ receive_reply / _exception / _other ─→ it waits for its turn
#include <callis/interceptors/request_info.h>
#include <callis/rt/scheduling/context.h>
#include <callis/rt/scheduling/interceptors.h>
#include <algorithm>
#include <cstring>

namespace callis::rt::scheduling {
namespace {

namespace PI = PortableInterceptor;

class ClientInterceptor final : public PI::ClientRequestInterceptor {
 public:
  explicit ClientInterceptor(std::shared_ptr<SchedulerState> state) : state_(std::move(state)) {}

  char* name() override { return CORBA::string_dup("callis.scheduling"); }
  void destroy() override {}

  void send_request(PI::ClientRequestInfo_ptr ri) override;
  void send_poll(PI::ClientRequestInfo_ptr) override {}
  void receive_reply(PI::ClientRequestInfo_ptr ri) override { go_on(ri); }
  void receive_exception(PI::ClientRequestInfo_ptr ri) override { go_on(ri); }
  void receive_other(PI::ClientRequestInfo_ptr ri) override { go_on(ri); }

 private:
  static constexpr const char* kCancelledId = "IDL:omg.org/CORBA/THREAD_CANCELLED:1.0";

  void send_oneway(PI::ClientRequestInfo_ptr ri, ThreadPart& part);
  void go_on(PI::ClientRequestInfo_ptr ri);
  void count_execution(PI::ClientRequestInfo_ptr ri, ThreadPart& part, const OutstandingCall& call);

  const std::shared_ptr<SchedulerState> state_;
};

void ClientInterceptor::send_request(PI::ClientRequestInfo_ptr ri) {
  if (const ThreadId* const id = cancellation_under_way())
    return ri->add_request_service_context(write_cancellation(*id), true);
  ThreadPart* const part = ThreadPart::current(*state_);
  if (!part) return;
  part->check();
  if (ri->sync_scope() != Messaging::SYNC_WITH_TARGET) return send_oneway(ri, *part);
  const Ticks executed = state_->gate().executed(part->entry());
  ri->add_request_service_context(
      write_request(part->thread().id(), executed, part->innermost_segment(), state_->discipline()), true);
  if (!part->call_begins({this, ri->request_id(), ri->effective_target(), state_->gate().now()}))
    part->raise_cancelled();
  part->leave();
}

// The operation is another distributable thread's, with the parameter that is implicit here.
void ClientInterceptor::send_oneway(PI::ClientRequestInfo_ptr ri, ThreadPart& part) {
  const Segment& mine = part.innermost_segment();
  Segment theirs;
  theirs.parameter = theirs.implicit = mine.implicit ? mine.implicit : mine.parameter;
  ri->add_request_service_context(write_request(new_thread_id(), 0, theirs, state_->discipline()), true);
  if (state_->gate().point(part.entry()) == Gate::Outcome::Cancelled) part.raise_cancelled();
}

void ClientInterceptor::go_on(PI::ClientRequestInfo_ptr ri) {
  ThreadPart* const part = ThreadPart::current(*state_);
  if (!part) return;
  const auto call = part->call_ends(this, ri->request_id());
  if (!call) return;
  try {
    if (ri->reply_status() == PI::SYSTEM_EXCEPTION) {
      const CORBA::String_var id = ri->received_exception_id();
      if (std::strcmp(id.in(), kCancelledId) == 0) state_->threads().note_cancelled(part->thread());
    }
    count_execution(ri, *part, *call);
  } catch (...) {
    part->enter();
    throw;
  }
  part->enter();
}

// Counts the execution time of the server here, too. It can be no more than the time that has passed.
void ClientInterceptor::count_execution(PI::ClientRequestInfo_ptr ri, ThreadPart& part, const OutstandingCall& call) {
  auto* const info = dynamic_cast<interceptors::CommonInfo*>(ri);
  const auto data = info ? info->reply_contexts().find(kSchedulingContext) : std::nullopt;
  if (!data) return;
  const SchedulingContext c = read_context(*data, ContextKind::Reply, state_->discipline());
  if (c.id != part.thread().id()) return;
  Gate& gate = state_->gate();
  const Ticks here = gate.executed(part.entry()), passed = std::max<Ticks>(0, gate.now() - call.sent);
  gate.set_executed(part.entry(), std::clamp(c.executed, here, here + passed));
}

}  // namespace

PI::ClientRequestInterceptor_ptr make_client_interceptor(std::shared_ptr<SchedulerState> state) {
  return new ClientInterceptor(std::move(state));
}

}  // namespace callis::rt::scheduling
