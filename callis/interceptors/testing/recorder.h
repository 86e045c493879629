// SPDX-License-Identifier: Apache-2.0
// Interceptors that record calls of their points and act as a test wants, and ORBs with such interceptors.
#pragma once
#include <callis/interceptors.h>
#include <callis/interceptors/slots.h>
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>
#include <map>

namespace callis::interceptors::testing {

using namespace orb::testing;
namespace PI = PortableInterceptor;

using Log = std::vector<std::string>;

// A test's actions while an ORB is being made. There is one initializer for the process, since initializers cannot be
// taken away.
struct Registration {
  std::function<void(PI::ORBInitInfo_ptr)> pre_init, post_init;
};
inline Registration registration;

class TestInitializer final : public PI::ORBInitializer {
 public:
  void pre_init(PI::ORBInitInfo_ptr info) override {
    const auto act = registration.pre_init;  // which may make another ORB
    if (act) act(info);
  }
  void post_init(PI::ORBInitInfo_ptr info) override {
    const auto act = registration.post_init;  // which may make another ORB
    if (act) act(info);
  }
};

// A new ORB with that registration.
inline orb::Core* make_orb(Registration with, std::vector<std::string> options = {}) {
  static const bool registered = [] {
    const PI::ORBInitializer_var initializer = new TestInitializer;
    PI::register_orb_initializer(initializer.in());
    return true;
  }();
  EXPECT_TRUE(registered);
  static int number = 0;
  registration = std::move(with);
  options.insert(options.begin(), "test");
  std::vector<char*> argv;
  for (std::string& o : options) argv.push_back(o.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  const std::string id = "intercepted" + std::to_string(++number);
  try {
    auto* const core = static_cast<orb::Core*>(CORBA::ORB_init(argc, argv.data(), id.c_str()));
    registration = {};
    return core;
  } catch (...) {
    registration = {};
    throw;
  }
}

// The name, and "NAME.point" in the log at each point; then what the test says for that point.
class ClientRecorder final : public PI::ClientRequestInterceptor {
 public:
  using Act = std::function<void(PI::ClientRequestInfo_ptr)>;

  ClientRecorder(std::string called, Log& log) : name_(std::move(called)), log_(log) {}
  std::map<std::string, Act> at;

  char* name() override { return CORBA::string_dup(name_.c_str()); }
  void destroy() override { log_.push_back(name_ + ".destroy"); }
  void send_request(PI::ClientRequestInfo_ptr ri) override { act("send_request", ri); }
  void send_poll(PI::ClientRequestInfo_ptr ri) override { act("send_poll", ri); }
  void receive_reply(PI::ClientRequestInfo_ptr ri) override { act("receive_reply", ri); }
  void receive_exception(PI::ClientRequestInfo_ptr ri) override { act("receive_exception", ri); }
  void receive_other(PI::ClientRequestInfo_ptr ri) override { act("receive_other", ri); }

 private:
  void act(const std::string& point, PI::ClientRequestInfo_ptr ri) {
    log_.push_back(name_ + "." + point);
    const auto what = at.find(point);
    if (what != at.end()) what->second(ri);
  }
  const std::string name_;
  Log& log_;
};

class ServerRecorder final : public PI::ServerRequestInterceptor {
 public:
  using Act = std::function<void(PI::ServerRequestInfo_ptr)>;

  ServerRecorder(std::string called, Log& log) : name_(std::move(called)), log_(log) {}
  std::map<std::string, Act> at;

  char* name() override { return CORBA::string_dup(name_.c_str()); }
  void destroy() override { log_.push_back(name_ + ".destroy"); }
  void receive_request_service_contexts(PI::ServerRequestInfo_ptr ri) override { act("contexts", ri); }
  void receive_request(PI::ServerRequestInfo_ptr ri) override { act("receive_request", ri); }
  void send_reply(PI::ServerRequestInfo_ptr ri) override { act("send_reply", ri); }
  void send_exception(PI::ServerRequestInfo_ptr ri) override { act("send_exception", ri); }
  void send_other(PI::ServerRequestInfo_ptr ri) override { act("send_other", ri); }

 private:
  void act(const std::string& point, PI::ServerRequestInfo_ptr ri) {
    log_.push_back(name_ + "." + point);
    const auto what = at.find(point);
    if (what != at.end()) what->second(ri);
  }
  const std::string name_;
  Log& log_;
};

inline IOP::ServiceContext context(IOP::ServiceId id, std::initializer_list<int> bytes) {
  IOP::ServiceContext c;
  c.context_id = id;
  c.context_data.length(static_cast<CORBA::ULong>(bytes.size()));
  CORBA::ULong i = 0;
  for (const int b : bytes) c.context_data[i++] = static_cast<CORBA::Octet>(b);
  return c;
}
inline std::vector<int> ints(const CORBA::OctetSeq& seq) {
  return {seq.get_buffer(), seq.get_buffer() + seq.length()};
}

inline CORBA::Any any_of(CORBA::ULong value) {
  CORBA::Any any;
  any <<= value;
  return any;
}
// The number in an Any; 0 for none.
inline CORBA::ULong number(const CORBA::Any_var& any) {
  CORBA::ULong value = 0;
  any.in() >>= value;
  return value;
}

// The outcome of f: "ok" or the exception, its minor code without its owner and its completion.
template <class F>
std::string outcome_of(F&& f) {
  try {
    f();
    return "ok";
  } catch (const CORBA::SystemException& e) {
    static const char* const kCompleted[] = {" YES", " NO", " MAYBE"};
    return e._name() + (" " + std::to_string(e.minor() & 0xfff)) + kCompleted[e.completed()];
  } catch (const CORBA::UserException& e) {
    return e._name();
  }
}

// Returns whether a member of an info object is valid at a point: y, n, - for valid but not available, or ?.
template <class F>
char validity_of(F&& f) {
  try {
    f();
    return 'y';
  } catch (const CORBA::BAD_INV_ORDER& e) {
    return e.minor() == orb::omg(14) ? 'n' : '?';
  } catch (const CORBA::NO_RESOURCES& e) {
    return e.minor() == orb::omg(1) ? '-' : '?';
  } catch (const CORBA::BAD_PARAM& e) {  // no such context or component: it has been looked for
    return e.minor() == orb::omg(26) || e.minor() == orb::omg(28) ? 'y' : '?';
  } catch (const CORBA::INV_POLICY&) {
    return 'y';
  }
}
// A letter for each member of RequestInfo.
inline std::string common_row(PI::RequestInfo_ptr ri) {
  std::string all;
  const auto add = [&](auto&& f) { all += validity_of(f); };
  add([&] { ri->request_id(); });
  add([&] { CORBA::String_var(ri->operation()); });
  add([&] { delete ri->arguments(); });
  add([&] { delete ri->exceptions(); });
  add([&] { delete ri->contexts(); });
  add([&] { delete ri->operation_context(); });
  add([&] { delete ri->result(); });
  add([&] { ri->response_expected(); });
  add([&] { ri->sync_scope(); });
  add([&] { ri->reply_status(); });
  add([&] { CORBA::Object_var(ri->forward_reference()); });
  add([&] { delete ri->get_slot(0); });
  add([&] { delete ri->get_request_service_context(99); });
  add([&] { delete ri->get_reply_service_context(99); });
  return all;
}

// A peer that keeps the bytes of requests, each of which comes in one piece, and answers as the test says.
class WirePeer final {
 public:
  using Answer = std::function<void(const giop::RequestHeader&, giop::Version, Buffer&)>;

  WirePeer(std::string name, Answer answer)
      : state_(std::make_shared<State>()), endpoint_(transport::listen_memory(name, state_).value()) {
    state_->answer = std::move(answer);
  }
  const std::vector<std::vector<Byte>>& requests() const { return state_->requests; }
  CORBA::Object_var object(orb::Core& client) const {
    const auto k = bytes_of("echo");
    const ior::Ior ior{kEchoType, {ior::to_profile(ior::MemoryProfile{endpoint_.name(), {k.begin(), k.end()}})}};
    return client.string_to_object(ior::to_text(ior).c_str());
  }

 private:
  struct State final : transport::MemoryAcceptor {
    std::unique_ptr<transport::MemoryConnection> accept() override { return std::make_unique<Connection>(*this); }
    Answer answer;
    std::vector<std::vector<Byte>> requests;
  };
  struct Connection final : transport::MemoryConnection {
    explicit Connection(State& s) : state(s) {}
    bool bytes_in(ByteView bytes, Buffer& out) override {
      state.requests.emplace_back(bytes.begin(), bytes.end());
      const Limits limits;
      giop::Connection engine(giop::Role::Server, limits);
      const giop::Event ev = engine.receive(bytes);
      if (ev.kind != giop::EventKind::Message) return false;
      cdr::Budget budget = cdr::Budget::of(limits, bytes.size());
      cdr::Decoder d = ev.message.decoder(budget);
      giop::RequestHeader header;
      if (!giop::decode(d, ev.message.header.version, header, limits)) return false;
      state.answer(header, ev.message.header.version, out);
      return true;
    }
    State& state;
  };
  const std::shared_ptr<State> state_;
  const transport::MemoryEndpoint endpoint_;
};

}  // namespace callis::interceptors::testing
