// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/locate.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/locate.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint.h>

namespace callis::orb {
namespace {

class NoBody final : public CallBody {
  void encode(cdr::Encoder&) override {}
  void decode(cdr::Decoder&) override {}
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return nullptr; }
};

}  // namespace

Located locate(Reference& target, Deadline deadline) {
  target.orb().check_running();
  NoBody body;
  const CallOperation operation{"LocateRequest"};
  Invocation invocation(Invocation::Locate(), target, operation, body, Clock::steady().now(), deadline);
  complete(invocation);
  return invocation.located();
}

Fault Invocation::build_locate() {
  ClientConnection& c = *connection_;
  c.templates().front_changes();
  c.request().clear();
  cdr::Encoder e(c.request());
  const giop::Started started = giop::begin_locate_request(e, path().version, id_, address());
  return giop::finish_message(e, started);
}

void Invocation::located_at(const giop::Message& m) {
  cdr::MessageBudget budget(orb_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  d.set_context(orb_.source(connection_->from()));
  giop::LocateReplyHeader header;
  if (m.header.type != giop::MessageType::LocateReply || !giop::decode(d, m.header.version, header))
    return fail_at(Fault::BadHeader, "answer to LocateRequest from ", connection_->peer(), Step::Exchange);
  switch (header.status) {
    case giop::LocateStatus::UnknownObject:
      done();
      if (back_to_first()) return end_attempt(End::Again);  // gone from where we were forwarded to
      located_ = Located::Unknown;
      return completed();
    case giop::LocateStatus::ObjectHere:
      done();
      located_ = Located::Here;
      return completed();
    case giop::LocateStatus::ObjectForward: return forward(d, false);
    case giop::LocateStatus::ObjectForwardPerm: return forward(d, true);
    case giop::LocateStatus::SystemException: return system_exception(d, nullptr);
    case giop::LocateStatus::NeedsAddressingMode: return other_addressing(d);
  }
}

}  // namespace callis::orb
