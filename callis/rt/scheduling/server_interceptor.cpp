// SPDX-License-Identifier: Apache-2.0
// Upcalls of distributable threads: the request's claims, the wait for a turn, and the end. Cancellations are taken
// before an object is looked for.
#include <callis/interceptors/request_info.h>
#include <callis/rt/scheduling/context.h>
#include <callis/rt/scheduling/interceptors.h>
#include <callis/rt/scheduling/minor_codes.h>
#include <cstring>
#include <optional>

namespace callis::rt::scheduling {
namespace {

namespace PI = PortableInterceptor;

constexpr const char* kCancel = "callis_cancel_distributable_thread";

class ServerInterceptor final : public PI::ServerRequestInterceptor {
 public:
  explicit ServerInterceptor(std::shared_ptr<SchedulerState> state) : state_(std::move(state)) {}

  char* name() override { return CORBA::string_dup("callis.scheduling"); }
  void destroy() override {}

  void receive_request_service_contexts(PI::ServerRequestInfo_ptr ri) override;
  void receive_request(PI::ServerRequestInfo_ptr ri) override;
  void send_reply(PI::ServerRequestInfo_ptr ri) override {
    if (end(ri)) throw_cancelled(CORBA::COMPLETED_YES);
  }
  void send_exception(PI::ServerRequestInfo_ptr ri) override { end(ri); }
  void send_other(PI::ServerRequestInfo_ptr ri) override { end(ri); }

 private:
  // Returns the context of a client that is believed; none without a context.
  std::optional<ByteView> context_of(PI::ServerRequestInfo_ptr ri) const;
  ParameterPtr floor_of_servant() const;
  bool end(PI::ServerRequestInfo_ptr ri);

  const std::shared_ptr<SchedulerState> state_;
  const PortableServer::Current_var upcall_ = poa::make_current();
};

std::optional<ByteView> ServerInterceptor::context_of(PI::ServerRequestInfo_ptr ri) const {
  auto* const info = dynamic_cast<interceptors::CommonInfo*>(ri);
  const auto data = info ? info->request_contexts().find(kSchedulingContext) : std::nullopt;
  if (!data || state_->believes_everybody() || state_->believes(interceptors::client_of(ri))) return data;
  return std::nullopt;
}

void ServerInterceptor::receive_request_service_contexts(PI::ServerRequestInfo_ptr ri) {
  const auto data = context_of(ri);
  if (!data) return;
  const CORBA::String_var operation = ri->operation();
  if (std::strcmp(operation.in(), kCancel) != 0) return;
  const SchedulingContext c = read_context(*data, ContextKind::Cancellation, state_->discipline());
  state_->threads().cancel(c.id);
  orb::raise<CORBA::NO_IMPLEMENT>(kCancellation, CORBA::COMPLETED_NO, "a cancellation, which is done");
}

ParameterPtr ServerInterceptor::floor_of_servant() const {
  if (!state_->has_floors()) return nullptr;
  try {
    const PortableServer::ServantBase_var servant(upcall_.in()->get_servant());
    return state_->floor_of(servant.in());
  } catch (const PortableServer::Current::NoContext&) {
    return nullptr;
  }
}

void ServerInterceptor::receive_request(PI::ServerRequestInfo_ptr ri) {
  const auto data = context_of(ri);
  ParameterPtr floor = floor_of_servant();
  if (!data && !floor) return;
  SchedulingContext c;
  if (data) c = read_context(*data, ContextKind::Request, state_->discipline());
  else c.id = new_thread_id();
  if (!c.segment.parameter) c.segment.parameter = data ? state_->usual() : floor;
  ThreadPart& part =
      ThreadPart::begin(state_, state_->threads().hold(c.id), Origin::Upcall, std::move(c.segment));
  part.set_upcall(this, ri->request_id());
  state_->gate().set_executed(part.entry(), c.executed);
  if (floor) state_->gate().set_floor(part.entry(), std::move(floor));
  try {
    part.enter();
  } catch (...) {
    ThreadPart::end(part);
    throw;
  }
}

// Returns true if the thread has been cancelled.
bool ServerInterceptor::end(PI::ServerRequestInfo_ptr ri) {
  ThreadPart* const part = ThreadPart::current(*state_);
  if (!part || !part->is_upcall(this, ri->request_id())) return false;
  const bool cancelled = part->cancelled();
  const IOP::ServiceContext told = write_reply(part->thread().id(), state_->gate().executed(part->entry()));
  ThreadPart::end(*part);
  if (ri->response_expected()) ri->add_reply_service_context(told, true);
  return cancelled;
}

}  // namespace

PI::ServerRequestInterceptor_ptr make_server_interceptor(std::shared_ptr<SchedulerState> state) {
  return new ServerInterceptor(std::move(state));
}

}  // namespace callis::rt::scheduling
