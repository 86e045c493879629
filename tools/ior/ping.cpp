// SPDX-License-Identifier: Apache-2.0
// Asks an address for an object, without an ORB: one connection, a handshake if the port is of TLS, one
// LocateRequest, one answer in words.
#include <callis/base/text.h>
#include <callis/ior/ior.h>
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/unix/unix.h>
#ifdef CALLIS_WITH_TLS
#include <callis/tls/option_list.h>
#include <callis/transport/certificate.h>
#include <callis/transport/tls/tls.h>
#endif
#include <tools/ior/ping.h>
#include <tools/ior/tree.h>

namespace callis::tools {
namespace {

using giop::AddressingDisposition;
using giop::EventKind;
using giop::LocateStatus;

constexpr std::uint32_t kRequestId = 2;

std::string milliseconds_since(TimePoint start) {
  const auto passed = std::chrono::duration_cast<Duration>(Clock::steady().now() - start);
  return std::to_string(passed.count()) + " ms";
}

// An answer to the request, or the words for why there is none.
struct Answer {
  std::optional<LocateStatus> status;
  std::string words;
};

std::string exception_words(cdr::Decoder& d) {
  giop::SystemExceptionBody body;
  if (!decode(d, body)) return "a malformed exception";
  return escaped(body.repository_id) + ", minor code " + hex_number(body.minor);
}

std::string forward_words(cdr::Decoder& d) {
  const Limits limits;
  ior::Ior target;
  if (!decode(d, target, limits)) return "to a malformed reference";
  return "to " + ior::to_text(target);
}

Answer read_locate_reply(const giop::Message& message) {
  const Limits limits;
  cdr::Budget budget = cdr::Budget::of(limits, message.body_bytes());
  cdr::Decoder d = message.decoder(budget);
  giop::LocateReplyHeader header;
  if (!decode(d, message.header.version, header)) return {{}, "the LocateReply is malformed"};
  switch (header.status) {
    case LocateStatus::ObjectHere: return {header.status, "the object is here"};
    case LocateStatus::UnknownObject: return {header.status, "the server has no such object"};
    case LocateStatus::ObjectForward: return {header.status, "the server forwards " + forward_words(d)};
    case LocateStatus::ObjectForwardPerm: return {header.status, "the server forwards for good " + forward_words(d)};
    case LocateStatus::SystemException: return {header.status, "the server raises " + exception_words(d)};
    case LocateStatus::NeedsAddressingMode:
      return {header.status, "the server wants the object named in another form (LOC_NEEDS_ADDRESSING_MODE)"};
  }
  return {{}, "the LocateReply is malformed"};
}

Answer receive_answer(transport::Stream& stream, Duration limit) {
  const Limits limits;
  giop::Connection connection(giop::Role::Client, limits);
  Buffer in(Buffer::kForPeer);
  const Deadline deadline = Deadline::in(limit);
  for (;;) {
    const giop::Event event = connection.receive(in.view());
    switch (event.kind) {
      case EventKind::Message:
        if (event.message.header.type == giop::MessageType::LocateReply) return read_locate_reply(event.message);
        return {{}, std::string("the server answers with a ") + giop::message_type_name(event.message.header.type)};
      case EventKind::PeerClosing: return {{}, "the server closes the connection: it takes no requests now"};
      case EventKind::PeerError:
        return {{}, "the server answers MessageError: it does not take this version of GIOP"};
      case EventKind::ProtocolError: case EventKind::Closed:
        return {{}, std::string("what answers does not speak GIOP (") + fault_name(event.fault) + ')'};
      case EventKind::NeedBytes: break;
    }
    in.drop_front(event.consumed);
    if (!in.reserve(connection.wanted_bytes())) return {{}, "the answer is too large"};
    const transport::Transfer got = stream.receive({in.data() + in.size(), in.capacity() - in.size()}, deadline);
    in.set_size(in.size() + got.bytes);
    if (got.fault == Fault::DeadlinePassed) return {{}, "no answer within " + std::to_string(limit.count()) + " ms"};
    if (!got.ok()) return {{}, "the connection was closed without an answer: no GIOP there, or only with TLS"};
  }
}

Answer ask(transport::Stream& stream, giop::Version version, ByteView object_key, Duration limit) {
  Buffer out;
  cdr::Encoder e(out);
  const giop::Started started = giop::begin_locate_request(e, version, kRequestId, giop::Target::key(object_key));
  if (giop::finish_message(e, started) != Fault::None) return {{}, "the request cannot be made"};
  if (!stream.send(out.view(), Deadline::in(limit)).ok()) return {{}, "the connection was lost while sending"};
  return receive_answer(stream, limit);
}

#ifdef CALLIS_WITH_TLS

std::string names_text(const transport::Certificate& c) {
  std::string out = c.subject;
  for (std::size_t i = 0; i < c.names.size(); ++i) out += concat({i == 0 ? " (" : ", ", c.names[i]});
  return c.names.empty() ? out : out + ")";
}

// Makes the handshake over the connection. Words about how it ended; the stream is empty if it failed.
std::string begin_tls(std::unique_ptr<transport::Stream>& stream, const Place& place, Duration limit) {
  const auto context = transport::TlsContext::make(tls::defaults_of_orbs().terms);
  if (!context) {
    stream.reset();
    return concat({"TLS not begun: ", Printable(context.error().detail)});
  }
  const TimePoint start = Clock::steady().now();
  const std::string& expect = context.value()->terms().expect;
  auto made = transport::start_tls(*context.value(), std::move(stream), expect.empty() ? place.host : expect,
                                   Deadline::in(limit));
  const std::string time = milliseconds_since(start);
  if (!made) return concat({Printable(made.error().detail)});
  stream = std::move(made).value();
  const auto server = transport::certificate_of(stream->peer_identity());
  const std::string who = server ? names_text(*server) : "";
  return concat({transport::tls_words(*stream), " in ", time, " with ", Printable(who), "; "});
}

#else

std::string begin_tls(std::unique_ptr<transport::Stream>& stream, const Place&, Duration) {
  stream.reset();
  return "TLS not begun: this program was built without the component tls";
}

#endif

Result<std::unique_ptr<transport::Stream>> connect(const Place& place, Deadline deadline) {
  return place.path.empty() ? transport::connect_tcp(place.host, place.port, deadline)
                            : transport::connect_unix(place.path, deadline);
}

}  // namespace

PingResult ping(const Place& place, giop::Version version, ByteView object_key, Duration limit) {
  TimePoint start = Clock::steady().now();
  auto stream = connect(place, Deadline::in(limit));
  if (!stream) return {false, false, concat({"not connected: ", Printable(stream.error().detail)})};
  PingResult result{true, false, "connected in " + milliseconds_since(start) + "; "};
  if (place.tls) {
    result.words += begin_tls(stream.value(), place, limit);
    if (!stream.value()) return result;
  }
  start = Clock::steady().now();
  const Answer answer =
      ask(*stream.value(), version > giop::kHighestVersion ? giop::kHighestVersion : version, object_key, limit);
  result.words += answer.words;
  if (answer.status) result.words += " (LocateReply in " + milliseconds_since(start) + ')';
  result.here = answer.status == LocateStatus::ObjectHere || answer.status == LocateStatus::ObjectForward ||
                answer.status == LocateStatus::ObjectForwardPerm;
  return result;
}

}  // namespace callis::tools
