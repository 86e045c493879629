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
  explicit ServerInterceptor(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

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
  // Of who is believed; none: no context.
  std::optional<ByteView> context_of(PI::ServerRequestInfo_ptr ri) const;
  ParameterPtr floor_of_servant() const;
  bool end(PI::ServerRequestInfo_ptr ri);

  const std::shared_ptr<Engine> engine_;
  const PortableServer::Current_var upcall_ = poa::make_current();
};

std::optional<ByteView> ServerInterceptor::context_of(PI::ServerRequestInfo_ptr ri) const {
  auto* const info = dynamic_cast<interceptors::CommonInfo*>(ri);
  const auto data = info ? info->request_contexts().find(kSchedulingContext) : std::nullopt;
  if (!data || engine_->believes_everybody() || engine_->believes(interceptors::client_of(ri))) return data;
  return std::nullopt;
}

void ServerInterceptor::receive_request_service_contexts(PI::ServerRequestInfo_ptr ri) {
  const auto data = context_of(ri);
  if (!data) return;
  const CORBA::String_var operation = ri->operation();
  if (std::strcmp(operation.in(), kCancel) != 0) return;
  const SchedulingContext c = read_context(*data, ContextKind::Cancellation, engine_->discipline());
  engine_->threads().cancel(c.id);
  orb::raise<CORBA::NO_IMPLEMENT>(kCancellation, CORBA::COMPLETED_NO, "a cancellation, which is done");
}

ParameterPtr ServerInterceptor::floor_of_servant() const {
  if (!engine_->has_floors()) return nullptr;
  try {
    const PortableServer::ServantBase_var servant(upcall_.in()->get_servant());
    return engine_->floor_of(servant.in());
  } catch (const PortableServer::Current::NoContext&) {
    return nullptr;
  }
}

void ServerInterceptor::receive_request(PI::ServerRequestInfo_ptr ri) {
  const auto data = context_of(ri);
  ParameterPtr floor = floor_of_servant();
  if (!data && !floor) return;
  SchedulingContext c;
  if (data) c = read_context(*data, ContextKind::Request, engine_->discipline());
  else c.id = new_thread_id();
  if (!c.segment.parameter) c.segment.parameter = data ? engine_->usual() : floor;
  Activation& a =
      Activation::begin(engine_, engine_->threads().hold(c.id), Origin::Upcall, std::move(c.segment));
  a.set_upcall(this, ri->request_id());
  engine_->gate().set_executed(a.entry(), c.executed);
  if (floor) engine_->gate().set_floor(a.entry(), std::move(floor));
  try {
    a.enter();
  } catch (...) {
    Activation::end(a);
    throw;
  }
}

// True: the thread has been cancelled.
bool ServerInterceptor::end(PI::ServerRequestInfo_ptr ri) {
  Activation* const a = Activation::current(*engine_);
  if (!a || !a->is_upcall(this, ri->request_id())) return false;
  const bool cancelled = a->cancelled();
  const IOP::ServiceContext told = write_reply(a->thread().id(), engine_->gate().executed(a->entry()));
  Activation::end(*a);
  if (ri->response_expected()) ri->add_reply_service_context(told, true);
  return cancelled;
}

}  // namespace

PI::ServerRequestInterceptor_ptr make_server_interceptor(std::shared_ptr<Engine> engine) {
  return new ServerInterceptor(std::move(engine));
}

}  // namespace callis::rt::scheduling
