// SPDX-License-Identifier: Apache-2.0
// Calls in a program that has only the rooms of this library which calls need: no server, no Core, no CORBA::ORB.
#include <gtest/gtest.h>
#include <callis/ior/iiop_profile.h>
#include <callis/orb/client/invocation.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/transport/memory/memory.h>
#include <optional>

namespace callis::orb {
namespace {

class ClientOrb final : public OrbContext {
 public:
  ClientOrb() : OrbContext(Options()), directory_(options()) { set_parts(directory_, nullptr, nullptr); }

 private:
  EndpointDirectory directory_;
};

// Answers each request with the unsigned long in it.
class Echo final : public transport::MemoryConnection {
 public:
  bool bytes_in(ByteView bytes, Buffer& answer) override {
    const giop::Event event = engine_.receive(bytes);
    cdr::Budget budget = cdr::Budget::of(limits_, bytes.size());
    cdr::Decoder d = event.message.decoder(budget);
    giop::RequestHeader request;
    EXPECT_TRUE(giop::decode(d, event.message.header.version, request, limits_));
    cdr::Encoder e(answer);
    const auto s =
        giop::begin_reply(e, event.message.header.version, request.request_id, giop::ReplyStatus::NoException);
    e.put_ulong(d.get_ulong());
    return giop::finish_message(e, s) == Fault::None;
  }

 private:
  const Limits limits_{};
  giop::Connection engine_{giop::Role::Server, limits_};
};
struct Acceptor final : transport::MemoryAcceptor {
  std::unique_ptr<transport::MemoryConnection> accept() override { return std::make_unique<Echo>(); }
};

struct Number final : CallBody {
  std::uint32_t in = 0, out = 0;
  void encode(cdr::Encoder& e) override { e.put_ulong(in); }
  void decode(cdr::Decoder& d) override { out = d.get_ulong(); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return nullptr; }
};

TEST(ClientAlone, calls_a_server_and_finds_none) {
  const Counted<ClientOrb> orb = Counted<ClientOrb>::adopt(new ClientOrb);
  auto endpoint = std::make_optional(transport::listen_memory("alone", std::make_shared<Acceptor>()));
  ASSERT_TRUE(endpoint->ok());
  const Byte key[] = {'k'};
  ior::Ior ior;
  ior.profiles.push_back(ior::memory_profile("alone", key));
  const ReferencePtr target = ReferencePtr::adopt(new Reference(*orb, std::move(ior)));
  Number body;
  const CallOperation echo{"echo", false, "echo"};
  for (body.in = 1; body.in <= 3; ++body.in) {
    call(*target, echo, body);
    EXPECT_EQ(body.out, body.in);
  }
  endpoint.reset();
  target->paths()[0].endpoint->close_idle(false);
  EXPECT_THROW(call(*target, echo, body), CORBA::TRANSIENT);
}

}  // namespace
}  // namespace callis::orb
