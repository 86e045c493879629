// SPDX-License-Identifier: Apache-2.0
// A server without an object adapter, for the tests of the ORB: one object, key "echo", and calls to it made by
// hand.
//
//   echo(unsigned long) returns the same unsigned long; "fail" raises the user exception kFailure with one
//   unsigned long; "broken" a system exception NO_PERMISSION minor 7 COMPLETED_MAYBE; "ping" nothing (oneway
//   too); "last" the argument of the last oneway "tell"; anything else BAD_OPERATION.
#pragma once
#include <callis/corba.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <atomic>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace callis::orb::testing {

inline const char* const kFailure = "IDL:callis/Failure:1.0";
inline const char* const kEchoType = "IDL:callis/Echo:1.0";

inline ByteView bytes_of(std::string_view s) { return {reinterpret_cast<const Byte*>(s.data()), s.size()}; }

// An ORB with the options given, as on a command line; tune may change more.
inline Counted<Core> make_core(std::vector<std::string> args = {}, const std::function<void(Options&)>& tune = {}) {
  args.insert(args.begin(), "test");
  std::vector<char*> argv;
  for (std::string& a : args) argv.push_back(a.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(args.size());
  Options o = parse_options(argc, argv.data()).value();
  if (tune) tune(o);
  return Core::create(std::move(o));
}

class EchoHandler : public RequestHandler {
 public:
  void handle(ServerRequest& r) noexcept override {
    ++requests;
    if (before) before(r);
    const std::string_view op = r.operation();
    if (std::string_view(reinterpret_cast<const char*>(r.object_key().data()), r.object_key().size()) != "echo")
      return r.system_exception(CORBA::OBJECT_NOT_EXIST(omg(2), CORBA::COMPLETED_NO));
    if (op == "echo") {
      const auto v = r.arguments().get_ulong();
      if (!r.arguments().ok())
        return r.system_exception(*exception_of({r.arguments().fault(), 0, {}}, Step::DecodeRequest));
      r.reply().put_ulong(v);
    } else if (op == "tell") {
      last = r.arguments().get_ulong();
    } else if (op == "last") {
      r.reply().put_ulong(last);
    } else if (op == "fail") {
      r.user_exception(kFailure).put_ulong(r.arguments().get_ulong());
    } else if (op == "broken") {
      r.system_exception(CORBA::NO_PERMISSION(7, CORBA::COMPLETED_MAYBE));
    } else if (op == "_is_a") {
      r.reply().put_boolean(r.arguments().get_string() == kEchoType);
    } else if (op == "_non_existent") {
      r.reply().put_boolean(false);
    } else if (op != "ping") {
      r.system_exception(CORBA::BAD_OPERATION(omg(2), CORBA::COMPLETED_NO));
    }
  }
  Locate locate(ByteView key, ior::Ior&) noexcept override {
    if (asked && key.size() != 4) return Locate::Ask;
    return key.size() == 4 ? Locate::Here : Locate::Unknown;
  }
  Locate ask(ByteView, bool, ior::Ior& forward, giop::SystemExceptionBody& failure) noexcept override {
    return asked(forward, failure);
  }

  std::atomic<int> requests{0};
  std::atomic<std::uint32_t> last{0};
  std::function<void(ServerRequest&)> before;  // set before the first request
  std::function<Locate(ior::Ior&, giop::SystemExceptionBody&)> asked;  // likewise; where other objects are
};

class EchoServer {
 public:
  // other: serves instead of the echo handler.
  explicit EchoServer(std::vector<std::string> args, const std::function<void(Options&)>& tune = {},
                      RequestHandler* other = nullptr)
      : core(make_core(std::move(args), tune)) {
    core->set_handler(other ? other : &handler);
    reference = core->make_reference(kEchoType, bytes_of("echo"));
  }
  ~EchoServer() {
    try {
      core->destroy();
    } catch (const CORBA::Exception&) {  // a test has done it
    }
  }
  // The object as client sees it.
  CORBA::Object_var object_for(Core& client) {
    return client.string_to_object(ior::to_text(reference->ior()).c_str());
  }
  std::uint16_t port() const {
    return ior::parse_iiop(reference->ior().profiles.at(0).data).value().address.port;
  }

  EchoHandler handler;
  Counted<Core> core;
  ReferencePtr reference;
};

class Failure final : public CORBA::UserException {
 public:
  CORBA::ULong code = 0;
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "Failure"; }
  const char* _rep_id() const noexcept override { return kFailure; }
  Exception* _duplicate() const override { return new Failure(*this); }
};

// A call with perhaps one unsigned long in, and one or none out.
class ULongBody final : public CallBody {
 public:
  std::optional<std::uint32_t> in;
  bool has_out = true;
  bool raises = true;
  std::uint32_t out = 0;

  void encode(cdr::Encoder& e) override { if (in) e.put_ulong(*in); }
  void decode(cdr::Decoder& d) override { if (has_out) out = d.get_ulong(); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& d) override {
    if (!raises || id != kFailure) return nullptr;
    auto f = std::make_unique<Failure>();
    f->code = d.get_ulong();
    return f;
  }
};

// A call with so many octets in, and nothing out.
class SentOctets final : public CallBody {
 public:
  explicit SentOctets(std::size_t size) : octets_(size) {}
  void encode(cdr::Encoder& e) override { e.put_octets(octets_); }
  void decode(cdr::Decoder&) override {}
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return {}; }

 private:
  const std::vector<Byte> octets_;
};

inline std::uint32_t call_ulong(CORBA::Object_ptr o, const char* op, std::optional<std::uint32_t> in,
                                bool has_out = true) {
  ULongBody body;
  body.in = in;
  body.has_out = has_out;
  call(reference_of(o), {op, false, op}, body);
  return body.out;
}
inline std::uint32_t echo(CORBA::Object_ptr o, std::uint32_t v) { return call_ulong(o, "echo", v); }
inline void tell(CORBA::Object_ptr o, std::uint32_t v) {
  ULongBody body;
  body.in = v;
  call(reference_of(o), {"tell", true, "tell"}, body);
}

}  // namespace callis::orb::testing
