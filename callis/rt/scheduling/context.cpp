// SPDX-License-Identifier: Apache-2.0
// The service context, written and read.
#include <callis/base/buffer.h>
#include <callis/interceptors/contexts.h>
#include <callis/rt/scheduling/context.h>
#include <callis/rt/scheduling/minor_codes.h>
#include <algorithm>

namespace callis::rt::scheduling {
namespace {

constexpr std::uint8_t kForm = 1;
constexpr std::uint32_t kMostDisciplineBytes = 63;

// An encapsulation that is being written.
class Body final {
 public:
  Body() { encoder_.put_octet(static_cast<std::uint8_t>(kNativeOrder)); }
  cdr::Encoder& encoder() { return encoder_; }
  ByteView finish() {
    encoder_.finish();
    if (encoder_.fault() != Fault::None)
      orb::raise<CORBA::NO_MEMORY>(orb::own(encoder_.fault()), CORBA::COMPLETED_NO, "a scheduling context");
    return buffer_.view();
  }

 private:
  Buffer buffer_;
  cdr::Encoder encoder_{buffer_};
};

void begin(cdr::Encoder& e, ContextKind kind, const ThreadId& id) {
  e.put_octet(kForm);
  e.put_octet(static_cast<std::uint8_t>(kind));
  e.put_bytes(id);
}

IOP::ServiceContext context_of(Body& body) {
  IOP::ServiceContext result;
  result.context_id = kSchedulingContext;
  interceptors::fill(result.context_data, body.finish());
  return result;
}

void put_parameter(cdr::Encoder& e, const ParameterPtr& p, const Discipline& discipline) {
  if (!p) return e.put_octets({});
  Body body;
  discipline.write(*p, body.encoder());
  e.put_octets(body.finish());
}

[[noreturn]] void refuse(const char* why) {
  orb::raise<CORBA::MARSHAL>(kBadContext, CORBA::COMPLETED_NO, why);
}

ParameterPtr parameter_in(ByteView data, const Discipline& discipline) {
  cdr::Budget budget{data.size(), 4};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(data, budget);
  ParameterPtr p = discipline.read(d);
  if (!d.ok()) refuse("a scheduling context whose parameter cannot be read");
  if (!p) refuse("a scheduling context with a parameter that has no meaning");
  return p;
}

Ticks get_ticks(cdr::Decoder& d) {
  const std::uint64_t n = d.get_ulonglong();
  if (n > static_cast<std::uint64_t>(kMostTicks)) refuse("a scheduling context with more time than there is");
  return static_cast<Ticks>(n);
}

}  // namespace

IOP::ServiceContext write_request(const ThreadId& id, Ticks executed, const Segment& segment,
                                  const Discipline& discipline) {
  Body body;
  cdr::Encoder& e = body.encoder();
  begin(e, ContextKind::Request, id);
  e.put_ulonglong(static_cast<std::uint64_t>(executed));
  e.put_string(discipline.name());
  e.put_string(segment.name);
  put_parameter(e, segment.parameter, discipline);
  put_parameter(e, segment.implicit, discipline);
  return context_of(body);
}

IOP::ServiceContext write_reply(const ThreadId& id, Ticks executed) {
  Body body;
  begin(body.encoder(), ContextKind::Reply, id);
  body.encoder().put_ulonglong(static_cast<std::uint64_t>(executed));
  return context_of(body);
}

IOP::ServiceContext write_cancellation(const ThreadId& id) {
  Body body;
  begin(body.encoder(), ContextKind::Cancellation, id);
  return context_of(body);
}

SchedulingContext read_context(ByteView data, ContextKind kind, const Discipline& discipline) {
  cdr::Budget budget{data.size(), 4};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(data, budget);
  const std::uint8_t form = d.get_octet(), told = d.get_octet();
  SchedulingContext c;
  if (!d.get_bytes(c.id.data(), c.id.size())) refuse("a scheduling context that is too short");
  if (form != kForm) refuse("a scheduling context of an unknown form");
  if (told != static_cast<std::uint8_t>(kind)) refuse("a scheduling context of another kind than its message");
  if (c.id == ThreadId{}) refuse("a scheduling context without an id");
  c.kind = kind;
  if (kind == ContextKind::Cancellation) return c;
  c.executed = get_ticks(d);
  if (kind == ContextKind::Request) {
    const std::string_view theirs = d.get_string(kMostDisciplineBytes);
    c.segment.name = d.get_string(kMostNameBytes);
    const ByteView parameter = d.get_octets(Discipline::kMostParameterBytes);
    const ByteView implicit = d.get_octets(Discipline::kMostParameterBytes);
    if (d.ok() && theirs == discipline.name()) {
      c.segment.parameter = parameter_in(parameter, discipline);
      if (!implicit.empty()) c.segment.implicit = parameter_in(implicit, discipline);
    }
  }
  if (!d.ok()) refuse("a scheduling context that cannot be read");
  return c;
}

}  // namespace callis::rt::scheduling
