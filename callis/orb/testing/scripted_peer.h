// SPDX-License-Identifier: Apache-2.0
// Servers that answer by a script, well-behaved or not, for the tests of the client's side.
#pragma once
#include <callis/giop/giop.h>
#include <callis/orb/testing/echo.h>
#include <callis/transport/transport.h>
#include <gtest/gtest.h>
#include <thread>

namespace callis::orb::testing {

// One request as the script sees it, and where its answer goes.
struct Turn {
  int connection = 0;  // counted from 1
  int request = 0;     // over all connections, counted from 1
  giop::Version version;
  std::uint32_t id = 0;
  giop::AddressingDisposition how{};
  std::string operation;
  std::optional<std::uint32_t> argument;
  Buffer& answer;
  ByteOrder order = kNativeOrder;  // of the answer

  // Replies, complete.
  template <class Body>
  bool reply(giop::ReplyStatus status, Body&& body, std::optional<std::uint32_t> other_id = {}) {
    cdr::Encoder e(answer, order);
    const auto s = giop::begin_reply(e, version, other_id.value_or(id), status);
    body(e);
    return giop::finish_message(e, s) == Fault::None;
  }
  bool ok(std::uint32_t v, std::optional<std::uint32_t> other_id = {}) {
    return reply(giop::ReplyStatus::NoException, [v](cdr::Encoder& e) { e.put_ulong(v); }, other_id);
  }
  bool echo() { return ok(argument.value_or(0)); }
  bool forward(const ior::Ior& to, giop::ReplyStatus status = giop::ReplyStatus::LocationForward) {
    return reply(status, [&to](cdr::Encoder& e) { ior::encode(e, to); });
  }
  bool system_exception(std::string_view id_, std::uint32_t minor, giop::Completion completed) {
    return reply(giop::ReplyStatus::SystemException,
                 [&](cdr::Encoder& e) { giop::encode(e, giop::SystemExceptionBody{id_, minor, completed}); });
  }
  bool raw(ByteView bytes) { return answer.append(bytes); }
  // False: nothing more on this connection.
  bool close_connection() {
    (void)answer.append(giop::close_connection(version));
    return false;
  }
};

// True keeps the connection open.
using Script = std::function<bool(Turn&)>;

// Reads requests and plays the script for each.
class ScriptedConnection final : public transport::MemoryConnection {
 public:
  ScriptedConnection(const Script& script, int number, int& requests)
      : script_(script), number_(number), requests_(requests) {}

  bool bytes_in(ByteView bytes, Buffer& answer) override {
    (void)in_.append(bytes);
    std::size_t from = 0;
    bool open = true;
    while (open) {
      const giop::Event ev = engine_.receive(in_.view(from));
      from += ev.consumed;
      if (ev.kind != giop::EventKind::Message) break;
      if (ev.message.header.type == giop::MessageType::Request) open = play(ev.message, answer);
    }
    in_.drop_front(from);
    return open;
  }

 private:
  bool play(const giop::Message& m, Buffer& answer) {
    cdr::Budget budget = cdr::Budget::of(limits_, m.body_bytes());
    cdr::Decoder d = m.decoder(budget);
    giop::RequestHeader h;
    if (!giop::decode(d, m.header.version, h, limits_)) return false;
    Turn t{number_, ++requests_, m.header.version, h.request_id, h.target.how, std::string(h.operation), {}, answer};
    if (d.remaining() >= 4) t.argument = d.get_ulong();
    return script_(t);
  }

  const Limits limits_;
  const Script& script_;
  const int number_;
  int& requests_;
  giop::Connection engine_{giop::Role::Server, limits_};
  Buffer in_;
};

// Behind the memory transport: no threads, so the script runs on the client's thread.
class ScriptedPeer final {
 public:
  ScriptedPeer(const std::string& name, Script script)
      : state_(std::make_shared<State>(std::move(script))),
        endpoint_(transport::listen_memory(name, state_).value()) {}

  int connections() const { return state_->connections; }
  int requests() const { return state_->requests; }
  ior::Ior ior(std::string_view key = "echo") const {
    const auto k = bytes_of(key);
    return {kEchoType, {ior::to_profile(ior::MemoryProfile{endpoint_.name(), {k.begin(), k.end()}})}};
  }
  CORBA::Object_var object(Core& client) const { return client.string_to_object(ior::to_text(ior()).c_str()); }

 private:
  struct State final : transport::MemoryAcceptor {
    explicit State(Script s) : script(std::move(s)) {}
    std::unique_ptr<transport::MemoryConnection> accept() override {
      return std::make_unique<ScriptedConnection>(script, ++connections, requests);
    }
    const Script script;
    int connections = 0, requests = 0;
  };
  std::shared_ptr<State> state_;
  transport::MemoryEndpoint endpoint_;
};

// Behind TCP: each connection accepted is given to the function, one after the other, on a thread.
class TcpPeer final {
 public:
  // host: to listen at, an address of this machine.
  explicit TcpPeer(std::function<void(transport::Stream&, int number)> f, std::string host = "127.0.0.1")
      : host_(std::move(host)), listener_(transport::listen_tcp(host_, 0).value()), thread_([this, f = std::move(f)] {
          for (int n = 1;; ++n) {
            auto s = listener_->accept();
            if (!s || !serving(s.value().get())) return;
            f(*s.value(), n);
            serving(nullptr);
          }
        }) {}
  ~TcpPeer() {
    listener_->close();
    {
      std::lock_guard lock(mutex_);
      ended_ = true;
      if (current_) current_->shutdown();
    }
    thread_.join();
  }
  std::uint16_t port() const { return listener_->port(); }
  CORBA::Object_var object(Core& client) const {
    return client.string_to_object(("corbaloc:iiop:1.2@" + host_ + ":" + std::to_string(port()) + "/echo").c_str());
  }
  CORBA::Object_var object(Core& client, const std::vector<ior::TaggedComponent>& components) const {
    const ByteView key = bytes_of("echo");
    const ior::IiopProfile profile{{1, 2}, {host_, port()}, {key.begin(), key.end()}, components};
    return client.string_to_object(ior::to_text({kEchoType, {ior::to_profile(profile)}}).c_str());
  }

 private:
  bool serving(transport::Stream* s) {
    std::lock_guard lock(mutex_);
    current_ = s;
    return !ended_;
  }

  const std::string host_;
  std::mutex mutex_;
  transport::Stream* current_ = nullptr;
  bool ended_ = false;
  std::unique_ptr<transport::TcpListener> listener_;
  std::thread thread_;
};

// Calls f, which must throw an E; returns the E. Any other outcome fails the test.
template <class E, class F>
E caught(F&& f) {
  try {
    f();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const E& e) {
    return e;
  } catch (const CORBA::Exception& e) {
    ADD_FAILURE() << "thrown instead: " << e.what();
  }
  if constexpr (std::is_base_of_v<CORBA::SystemException, E>) return E(0xffffffff, CORBA::COMPLETED_NO);
  else return E();
}

}  // namespace callis::orb::testing
