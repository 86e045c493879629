// SPDX-License-Identifier: Apache-2.0
// A RequestHandler in front of the object adapter that logs each request, and how it is answered.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/classic/exception.h>
#include <callis/giop/giop.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/diagnostics/log_texts.h>
#include <callis/orb/server/request_log.h>
#include <callis/transport/peer.h>

CALLIS_PROVIDE(request_log);

namespace callis::orb {
namespace {

// Hears how a request is answered.
class LoggedRequest final : public RequestBefore {
 public:
  explicit LoggedRequest(ServerRequest& inner) : RequestBefore(inner) {}

  cdr::Encoder& reply() override {
    outcome = "ok";
    return inner_.reply();
  }
  cdr::Encoder& user_exception(const char* repository_id) override {
    outcome = concat({"user exception ", repository_id});
    return inner_.user_exception(repository_id);
  }
  void system_exception(const CORBA::SystemException& e) override {
    outcome = outcome_of(e);
    inner_.system_exception(e);
  }
  void location_forward(const ior::Ior& to) override {
    outcome = "forwarded";
    inner_.location_forward(to);
  }

  std::string outcome = "ok";
};

class RequestLog final : public RequestHandler, public OrbPart {
 public:
  explicit RequestLog(RequestHandler& inner) : inner_(inner) {}

  void handle(ServerRequest& request) noexcept override {
    const TimePoint began = Clock::steady().now();
    std::string what;
    try {
      what = name_of(request);
      log(LogLevel::Debug, {"request ", what});
    } catch (const std::bad_alloc&) {  // no line, and the request is served nevertheless
    }
    LoggedRequest logged(request);
    inner_.handle(logged);
    try {
      const char* const sent = request.response_expected() ? "" : ", no reply is wanted";
      log(LogLevel::Debug, {"reply to ", what, ": ", logged.outcome, sent, ", ", time_since(began)});
    } catch (const std::bad_alloc&) {
    }
  }
  Locate locate(ByteView object_key, ior::Ior& forward) noexcept override {
    return inner_.locate(object_key, forward);
  }
  Locate ask(ByteView object_key, bool comes_back, ior::Ior& forward,
             giop::SystemExceptionBody& failure) noexcept override {
    return inner_.ask(object_key, comes_back, forward, failure);
  }
  // Calls from within become messages, and are logged as such.
  Collocation collocation(ByteView) noexcept override { return Collocation::Marshaled; }

  void stop() override {}
  void end() override {}

 private:
  static std::string name_of(ServerRequest& request) {
    const transport::Peer* const peer = request.client();
    return concat({request.operation(), "() of ", short_key(request.object_key()), " from ",
                   peer ? std::string_view(peer->host) : "this process"});
  }

  RequestHandler& inner_;
};

}  // namespace

RequestHandler* log_requests(OrbContext& orb, RequestHandler* handler) {
  if (!logging(LogLevel::Debug)) return handler;
  auto log = std::make_unique<RequestLog>(*handler);
  RequestHandler* const made = log.get();
  orb.add(std::move(log));
  return made;
}

void log_listening(std::span<const EndpointOption> endpoints, const std::list<EndpointAddress>& published) {
  if (!logging(LogLevel::Info)) return;
  const EndpointOption usual;
  std::string at, carry;
  for (const EndpointOption& e : endpoints.empty() ? std::span(&usual, 1) : endpoints)
    at += concat({at.empty() ? "" : ", ", e.address.text()});
  for (const EndpointAddress& a : published) carry += concat({carry.empty() ? "" : ", ", a.text()});
  log(LogLevel::Info, concat({"listening at ", at, "; references carry ", carry}));
}

}  // namespace callis::orb
