// SPDX-License-Identifier: Apache-2.0
// Interpreted, compiled and reference coders behind one interface.
#include "coders.h"
#include "servants.h"
#include "small_orb.h"
#include <callis/base/arena.h>
#include <callis/classic/exception.h>
#include <callis/marshal/testing/reference_reader.h>
#include <callis/marshal/values.h>
#include <algorithm>
#include <cstring>

namespace differential {

using namespace callis;

namespace {

const poa::SkeletonOperation& find(const poa::Skeleton& s, const marshal::OperationView& op) {
  return s.operations[s.hash.find(op.name(), op.name_length())];
}

// A buffer whose next byte stands at a phase.
class Reply {
 public:
  Reply(std::size_t phase, ByteOrder order) : phase_(phase), buffer_(64), encoder_(prepared(), order) {}
  cdr::Encoder& encoder() { return encoder_; }
  Fault finish(Bytes& to) {
    encoder_.finish();
    to.assign(buffer_.data() + phase_, buffer_.data() + buffer_.size());
    return encoder_.fault();
  }

 private:
  Buffer& prepared() {
    const Byte zeros[8] = {};
    (void)buffer_.append({zeros, phase_});
    return buffer_;
  }
  std::size_t phase_;
  Buffer buffer_;
  cdr::Encoder encoder_;
};

// A decoder over a message, and what it costs.
struct Input {
  explicit Input(const Message& m)
      : segments(m), budget(m.budget),
        decoder(segments.list().size() == 1
                    ? cdr::Decoder(segments.list()[0].bytes, m.order, budget, m.phase)
                    : cdr::Decoder(segments.list(), m.order, budget)) {}
  void finish(Outcome& o) const {
    o.fault = decoder.fault();
    o.remaining = decoder.remaining();
    o.budget = budget;
  }
  Message::Segments segments;
  cdr::Budget budget;
  cdr::Decoder decoder;
};

class Request final : public orb::ServerRequest {
 public:
  Request(cdr::Decoder& arguments, cdr::Encoder& reply) : ServerRequest({{}, {}, arguments}), reply_(reply) {}
  cdr::Encoder& reply() override { return reply_; }
  cdr::Encoder& user_exception(const char*) override { return reply_; }
  void system_exception(const CORBA::SystemException&) override {}
  void location_forward(const ior::Ior&) override {}

 private:
  cdr::Encoder& reply_;
};

// For arguments that are borrowed, as a connection has one.
Arena& empty_arena() {
  static Arena arena;
  arena.reset();
  return arena;
}

// Zeroed memory of a frame, freed as a frame is.
class Frame {
 public:
  explicit Frame(const marshal::OperationPlans& plans) : plans_(plans), memory_(plans.server_frame_bytes) {}
  ~Frame() { marshal::destroy(*plans_.server_frame, memory_.data()); }
  void* get() { return memory_.data(); }

 private:
  const marshal::OperationPlans& plans_;
  Value memory_;
};

}  // namespace

std::size_t Operation::count() {
  return interpreted_servant(false)._callis_skeleton().hash.count;
}

std::vector<callis::marshal::Word> Operation::all_of_file() {
  std::vector<callis::marshal::Word> all;
  for (const bool keeper : {false, true}) {
    const auto& skeleton = interpreted_servant(keeper)._callis_skeleton();
    for (std::size_t i = 0; i < skeleton.hash.count; ++i) all.push_back(skeleton.operations[i].op);
  }
  std::sort(all.begin(), all.end());
  return all;
}

Operation::Operation(std::size_t index)
    : interpreted_(*interpreted_servant(false)._callis_skeleton().unit,
                   interpreted_servant(false)._callis_skeleton().operations[index].op) {}

Outcome Operation::by_compiled(const Message& m, const Compare& compare, bool keeper) const {
  Outcome o;
  Input in(m);
  in.decoder.set_arena(&empty_arena());
  Reply reply(m.reply_phase, m.order);
  Request request(in.decoder, reply.encoder());
  watcher() = [&](const void* value) { o.same = compare(value); };
  try {
    PortableServer::ServantBase& servant = compiled_servant(keeper);
    find(servant._callis_skeleton(), interpreted_).serve(servant._callis_self(), request);
  } catch (const CORBA::MARSHAL&) {
  }
  in.finish(o);
  const Fault fault = reply.finish(o.reply);
  if (o.fault == Fault::None) o.fault = fault;
  return o;
}

Outcome Operation::by_frame(const Message& m, const Compare& compare, bool keeper) const {
  PortableServer::ServantBase& servant = interpreted_servant(keeper);
  const poa::SkeletonOperation& operation = find(servant._callis_skeleton(), interpreted_);
  const marshal::OperationPlans& plans = *marshal::operation_plans(unit(), operation.op);
  Outcome o;
  Input in(m);
  in.decoder.set_arena(&empty_arena());
  Frame frame(plans);
  const bool ok = marshal::decode(*plans.server_request, frame.get(), in.decoder);
  in.finish(o);
  if (!ok) return o;
  watcher() = [&](const void* value) { o.same = compare(value); };
  operation.thunk(servant._callis_self(), frame.get());
  Reply reply(m.reply_phase, m.order);
  marshal::encode(*plans.server_reply, frame.get(), reply.encoder());
  o.fault = reply.finish(o.reply);
  return o;
}

Outcome by_plan(const marshal::Plan& plan, const Message& m, const Compare& compare) {
  Outcome o;
  Input in(m);
  Value value(marshal::native_size(plan));
  if (marshal::decode(plan, value.data(), in.decoder)) {
    o.same = compare(value.data());
    Reply reply(m.reply_phase, m.order);
    marshal::encode(plan, value.data(), reply.encoder());
    if (const Fault fault = reply.finish(o.reply); fault != Fault::None) in.decoder.set_fault(fault);
  }
  marshal::destroy(plan, value.data());
  in.finish(o);
  return o;
}

namespace {

Outcome without_value(bool (*read)(const marshal::Plan&, cdr::Decoder&), const marshal::Plan& plan,
                      const Message& m) {
  Outcome o;
  Input in(m);
  o.same = read(plan, in.decoder);
  in.finish(o);
  return o;
}

}  // namespace

Outcome by_validate(const marshal::Plan& plan, const Message& m) { return without_value(marshal::validate, plan, m); }
Outcome by_skip(const marshal::Plan& plan, const Message& m) { return without_value(marshal::skip, plan, m); }

Outcome by_reference(const marshal::Unit& unit, marshal::Word type, const Message& m, Byte* value) {
  Outcome o;
  const Message::Segments segments(m);
  marshal::testing::ReferenceReader reader(unit, segments.list(), m.order, m.budget, &references());
  o.same = reader.value(type, value);
  o.fault = reader.fault();
  o.remaining = reader.remaining();
  o.budget = reader.budget();
  if (o.fault != Fault::None) return o;
  marshal::testing::ReferenceWriter writer(unit, m.order, m.reply_phase, &references());
  writer.value(type, value);
  o.reply = std::move(writer.out);
  return o;
}

}  // namespace differential
