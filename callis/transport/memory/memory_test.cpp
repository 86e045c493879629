// SPDX-License-Identifier: Apache-2.0
// Connections inside the process.
#include <callis/transport/memory/memory.h>
#include <callis/transport/testing/bytes.h>
#include <gtest/gtest.h>
#include <functional>

namespace callis::transport {
namespace {

using testing::bytes;

std::string text(ByteView b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }

class Echo final : public MemoryConnection {
 public:
  explicit Echo(std::shared_ptr<bool> gone) : gone_(std::move(gone)) {}
  ~Echo() override { *gone_ = true; }
  bool bytes_in(ByteView in, Buffer& answer) override {
    (void)answer.append(in);
    return text(in) != "bye";
  }

 private:
  const std::shared_ptr<bool> gone_;
};

class EchoAcceptor final : public MemoryAcceptor {
 public:
  std::unique_ptr<MemoryConnection> accept() override {
    if (refuse) return nullptr;
    return std::make_unique<Echo>(gone);
  }
  bool refuse = false;
  const std::shared_ptr<bool> gone = std::make_shared<bool>(false);
};

std::string receive(Stream& s, std::size_t at_most = 100) {
  std::vector<Byte> b(at_most);
  const Transfer t = s.receive(b, Deadline::never());
  return t.ok() ? text({b.data(), t.bytes}) : std::string("<") + fault_name(t.fault) + ">";
}

TEST(MemoryStream, send_runs_the_server_and_receive_returns_its_answer) {
  auto endpoint = listen_memory("m1", std::make_shared<EchoAcceptor>()).value();
  auto s = connect_memory("m1").value();
  EXPECT_EQ(s->send(bytes("hello"), Deadline::never()).bytes, 5u);
  EXPECT_EQ(receive(*s), "hello");
}

TEST(MemoryStream, an_answer_may_be_taken_in_pieces) {
  auto endpoint = listen_memory("m2", std::make_shared<EchoAcceptor>()).value();
  auto s = connect_memory("m2").value();
  ASSERT_TRUE(s->send(bytes("hello"), Deadline::never()).ok());
  EXPECT_EQ(receive(*s, 2), "he");
  ASSERT_TRUE(s->send(bytes("!"), Deadline::never()).ok());
  EXPECT_EQ(receive(*s), "llo!");
}

// Keeps what it is given to answer in.
class Looking final : public MemoryConnection {
 public:
  explicit Looking(std::size_t& capacity) : capacity_(capacity) {}
  bool bytes_in(ByteView, Buffer& answer) override {
    capacity_ = answer.capacity();
    return true;
  }

 private:
  std::size_t& capacity_;
};
class LookingAcceptor final : public MemoryAcceptor {
 public:
  std::unique_ptr<MemoryConnection> accept() override { return std::make_unique<Looking>(capacity); }
  std::size_t capacity = 0;
};

TEST(MemoryStream, has_the_memory_for_answers_that_client_and_server_say) {
  const auto acceptor = std::make_shared<LookingAcceptor>();
  auto endpoint = listen_memory("m-answers", acceptor).value();
  const auto found = [&](std::size_t asked) {
    auto s = connect_memory("m-answers", asked).value();
    EXPECT_TRUE(s->send(bytes("x"), Deadline::never()).ok());
    return acceptor->capacity;
  };
  EXPECT_EQ(found(0), 0u);
  EXPECT_GE(found(50'000), 50'000u);
  EXPECT_TRUE(set_memory_answer_bytes("m-answers", 100'000));
  EXPECT_GE(found(50'000), 100'000u);
  EXPECT_GE(found(0), 100'000u);
  EXPECT_FALSE(set_memory_answer_bytes("m-nobody", 1));
}

TEST(MemoryStream, more_memory_for_answers_than_there_is_is_told) {
  auto endpoint = listen_memory("m-too-much", std::make_shared<EchoAcceptor>()).value();
  const auto s = connect_memory("m-too-much", std::size_t{1} << 62);
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().fault, Fault::TransportFailed);
}

TEST(MemoryStream, receive_with_nothing_to_take_fails_at_once) {
  auto endpoint = listen_memory("m3", std::make_shared<EchoAcceptor>()).value();
  auto s = connect_memory("m3").value();
  EXPECT_EQ(receive(*s), "<DeadlinePassed>");
}

TEST(MemoryStream, the_servers_close_comes_after_its_answer) {
  auto endpoint = listen_memory("m4", std::make_shared<EchoAcceptor>()).value();
  auto s = connect_memory("m4").value();
  ASSERT_TRUE(s->send(bytes("bye"), Deadline::never()).ok());
  EXPECT_FALSE(s->quiet());
  EXPECT_EQ(receive(*s), "bye");
  EXPECT_EQ(receive(*s), "<ConnectionLost>");
  const Transfer t = s->send(bytes("more"), Deadline::never());
  EXPECT_EQ(t.fault, Fault::ConnectionLost);
  EXPECT_EQ(t.bytes, 0u);
}

TEST(MemoryStream, the_servers_side_lives_as_long_as_the_stream) {
  const auto acceptor = std::make_shared<EchoAcceptor>();
  auto endpoint = listen_memory("m5", acceptor).value();
  auto s = connect_memory("m5").value();
  EXPECT_FALSE(*acceptor->gone);
  s.reset();
  EXPECT_TRUE(*acceptor->gone);
}

TEST(MemoryStream, shutdown_ends_both_directions) {
  auto endpoint = listen_memory("m6", std::make_shared<EchoAcceptor>()).value();
  auto s = connect_memory("m6").value();
  s->shutdown();
  EXPECT_EQ(s->send(bytes("x"), Deadline::never()).fault, Fault::ConnectionLost);
  EXPECT_EQ(receive(*s), "<ConnectionLost>");
}

TEST(MemoryEndpoint, a_name_can_be_taken_once) {
  auto endpoint = listen_memory("m7", std::make_shared<EchoAcceptor>()).value();
  EXPECT_FALSE(listen_memory("m7", std::make_shared<EchoAcceptor>()).ok());
  EXPECT_FALSE(listen_memory("", std::make_shared<EchoAcceptor>()).ok());
}

TEST(MemoryEndpoint, connecting_to_nobody_is_refused) {
  { auto endpoint = listen_memory("m8", std::make_shared<EchoAcceptor>()).value(); }
  EXPECT_EQ(connect_memory("m8").fault(), Fault::ConnectRefused);
}

TEST(MemoryEndpoint, the_server_may_refuse) {
  const auto acceptor = std::make_shared<EchoAcceptor>();
  acceptor->refuse = true;
  auto endpoint = listen_memory("m9", acceptor).value();
  EXPECT_EQ(connect_memory("m9").fault(), Fault::ConnectRefused);
}

TEST(MemoryEndpoint, streams_outlive_the_endpoint) {
  auto s = [] {
    auto endpoint = listen_memory("m10", std::make_shared<EchoAcceptor>()).value();
    return connect_memory("m10").value();
  }();
  ASSERT_TRUE(s->send(bytes("still"), Deadline::never()).ok());
  EXPECT_EQ(receive(*s), "still");
}

}  // namespace
}  // namespace callis::transport
