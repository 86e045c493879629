// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/locate.h>
#include <callis/orb/core.h>
#include <callis/orb/endpoint.h>
#include <callis/orb/errors.h>
#include <callis/orb/locate.h>
#include <callis/orb/unusual_call.h>

namespace callis::orb {
namespace {

class NoBody final : public CallBody {
  void encode(cdr::Encoder&) override {}
  void decode(cdr::Decoder&) override {}
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return nullptr; }
};

}  // namespace

Located locate(Reference& target, Deadline deadline) {
  target.core().check_running();
  NoBody body;
  return UnusualCall(target, {"LocateRequest"}, body, Clock::steady().now(), deadline).locate();
}

Located UnusualCall::locate() {
  locates_ = true;
  run(nullptr, nullptr);
  return located_;
}

Fault UnusualCall::build_locate(ClientConnection& c) {
  c.templates().front_changes();
  c.request().clear();
  cdr::Encoder e(c.request());
  const giop::Started started = giop::begin_locate_request(e, path().version, id_, address());
  return giop::finish_message(e, started);
}

bool UnusualCall::located(Connection& c, const giop::Message& m) {
  cdr::MessageBudget budget(core_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  d.set_context(&core_);
  giop::LocateReplyHeader header;
  if (m.header.type != giop::MessageType::LocateReply || !giop::decode(d, m.header.version, header))
    throw_fault({Fault::BadHeader, 0, "answer to LocateRequest from " + c->peer()}, Step::Exchange);
  switch (header.status) {
    case giop::LocateStatus::UnknownObject:
      done(c);
      if (back_to_first()) return false;  // gone from where we were forwarded to
      located_ = Located::Unknown;
      return true;
    case giop::LocateStatus::ObjectHere:
      done(c);
      located_ = Located::Here;
      return true;
    case giop::LocateStatus::ObjectForward: forward(c, d, false); break;
    case giop::LocateStatus::ObjectForwardPerm: forward(c, d, true); break;
    case giop::LocateStatus::SystemException: return system_exception(c, d);
    case giop::LocateStatus::NeedsAddressingMode: other_addressing(c, d); break;
  }
  return false;
}

}  // namespace callis::orb
