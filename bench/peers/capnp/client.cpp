// SPDX-License-Identifier: Apache-2.0
// Cap'n Proto RPC, one thread: the client of param_test, ttcp (streaming calls, which are flow controlled) and scale.
// A request is built from the application's values by every call, as a result is read where it lies: that is this
// system's way of marshaling.
#include "../common/clients.h"
#include "../common/flood.h"
#include "../common/latency.h"
#include "../common/var_structs.h"
#include "bench.capnp.h"
#include <capnp/message.h>
#include <capnp/rpc-twoparty.h>
#include <kj/async-io.h>
#include <cstring>
#include <optional>

namespace {

using namespace bench;
using Strings = std::vector<std::string>;
using TextList = capnp::List<capnp::Text>;
using StructList = capnp::List<proto::VarStruct>;

struct FixedStruct {
  std::int32_t l;
  char c;
  std::int16_t s;
  std::uint8_t o;
  float f;
  bool b;
  double d;
};
struct VarStruct {
  std::string dummy1, dummy2;
  Strings seq;
};
using StructSeq = std::vector<VarStruct>;

unsigned count(const auto& all) { return static_cast<unsigned>(all.size()); }
kj::StringPtr ptr(const std::string& s) { return {s.data(), s.size()}; }
void put(proto::FixedStruct::Builder b, const FixedStruct& f) {
  b.setL(f.l);
  b.setC(static_cast<std::uint8_t>(f.c));
  b.setS(f.s);
  b.setO(f.o);
  b.setF(f.f);
  b.setB(f.b);
  b.setD(f.d);
}
void put(TextList::Builder b, const Strings& s) {
  for (unsigned i = 0; i < s.size(); ++i) b.set(i, ptr(s[i]));
}
void put(proto::VarStruct::Builder b, const VarStruct& v) {
  b.setDummy1(ptr(v.dummy1));
  b.setDummy2(ptr(v.dummy2));
  put(b.initSeq(count(v.seq)), v.seq);
}
void put(StructList::Builder b, const StructSeq& s) {
  for (unsigned i = 0; i < s.size(); ++i) put(b[i], s[i]);
}

bool same(std::int16_t a, std::int16_t b) { return a == b; }
bool same(capnp::Text::Reader a, const std::string& b) { return a == ptr(b); }
bool same(proto::FixedStruct::Reader a, const FixedStruct& b) {
  return a.getL() == b.l && a.getC() == b.c && a.getS() == b.s && a.getO() == b.o && a.getF() == b.f &&
         a.getB() == b.b && a.getD() == b.d;
}
bool same(proto::VarStruct::Reader a, const VarStruct& b);
template <class List, class T>
bool same_elements(List a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (unsigned i = 0; i < b.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}
bool same(TextList::Reader a, const Strings& b) { return same_elements(a, b); }
bool same(StructList::Reader a, const StructSeq& b) { return same_elements(a, b); }
bool same(proto::VarStruct::Reader a, const VarStruct& b) {
  return same(a.getDummy1(), b.dummy1) && same(a.getDummy2(), b.dummy2) && same(a.getSeq(), b.seq);
}
bool same(proto::NestedStruct::Reader a, const VarStruct& b) { return same(a.getVs(), b); }

// A connection made by hand: what EzRpcClient hands out queues calls, which copies them once more and turns streaming
// calls into round trips.
class Connection {
 public:
  explicit Connection(const Options& o)
      : io_(kj::setupAsyncIo()),
        stream_(io_.provider->getNetwork()
                    .parseAddress(host(), static_cast<unsigned>(std::stoul(read_reference(o)[0])))
                    .wait(io_.waitScope)
                    ->connect()
                    .wait(io_.waitScope)),
        client_(*stream_) {}
  template <class Interface>
  typename Interface::Client object() {
    auto c = client_.bootstrap().castAs<Interface>();
    c.whenResolved().wait(io_.waitScope);
    return c;
  }
  kj::WaitScope& scope() { return io_.waitScope; }

 private:
  kj::AsyncIoContext io_;
  kj::Own<kj::AsyncIoStream> stream_;
  capnp::TwoPartyClient client_;
};

capnp::MessageSize words(std::uint64_t n) { return {n, 0}; }

// request() makes a request; `value` is what all three results must be.
template <class T, class Request>
void operation(const Options& o, kj::WaitScope& scope, const char* name, const T& value, Request request) {
  using Response = decltype(request().send().wait(scope));
  std::optional<Response> r;
  param_test(
      o, name, [&] { r.emplace(request().send().wait(scope)); },
      [&] {
        const bool right = r && same(r->getRet(), value) && same(r->getS2(), value) && same(r->getS3(), value);
        r.reset();
        return right;
      });
}

// Numbers, strings and structs of fixed size.
void call_scalars(const Options& o, kj::WaitScope& scope, proto::ParamTest::Client& p) {
  operation(o, scope, "test_short", std::int16_t{1}, [&] {
    auto q = p.testShortRequest(words(4));
    q.setS1(1);
    q.setS2(2);
    return q;
  });
  const std::string s1 = text(1), s2 = text(2);
  operation(o, scope, "test_unbounded_string", s1, [&] {
    auto q = p.testUnboundedStringRequest(words(48));
    q.setS1(ptr(s1));
    q.setS2(ptr(s2));
    return q;
  });
  const FixedStruct f1{1, 'c', 2, 3, 4.5f, true, 6.5}, f2{2, 'd', 3, 4, 5.5f, false, 7.5};
  operation(o, scope, "test_fixed_struct", f1, [&] {
    auto q = p.testFixedStructRequest(words(16));
    put(q.initS1(), f1);
    put(q.initS2(), f2);
    return q;
  });
}

void call_structures(const Options& o, kj::WaitScope& scope, proto::ParamTest::Client& p) {
  const Strings s1 = strings<Strings>(1), s2 = strings<Strings>(2);
  operation(o, scope, "test_strseq", s1, [&] {
    auto q = p.testStrseqRequest(words(360));
    put(q.initS1(kElements), s1);
    put(q.initS2(kElements), s2);
    return q;
  });
  const VarStruct v1 = var_struct<VarStruct>(1), v2 = var_struct<VarStruct>(2);
  operation(o, scope, "test_var_struct", v1, [&] {
    auto q = p.testVarStructRequest(words(450));
    put(q.initS1(), v1);
    put(q.initS2(), v2);
    return q;
  });
  operation(o, scope, "test_nested_struct", v1, [&] {
    auto q = p.testNestedStructRequest(words(450));
    put(q.initS1().initVs(), v1);
    put(q.initS2().initVs(), v2);
    return q;
  });
  const StructSeq q1 = struct_sequence<StructSeq>(1), q2 = struct_sequence<StructSeq>(2);
  operation(o, scope, "test_struct_sequence", q1, [&] {
    auto q = p.testStructSequenceRequest(words(4'000));
    put(q.initS1(kElements), q1);
    put(q.initS2(kElements), q2);
    return q;
  });
}

class Sender {
 public:
  explicit Sender(const Options& o) : options_(o), connection_(o), object_(connection_.object<proto::Ttcp>()) {}

  // request(object, elements, size of the message) makes a request.
  template <class T, class Request>
  void type(const char* name, Request request) {
    each_size(options_, name, [&](std::uint64_t size) {
      const auto all = elements<T>(size / sizeof(T), options_.corrupt);
      const auto send = [&] { request(object_, all, words(size / 8 + 8)).send().wait(connection_.scope()); };
      flood(options_, name, size, send, [&](std::uint64_t) { return barrier(); });
    });
  }

 private:
  Receipt barrier() {
    const auto r = object_.barrierRequest().send().wait(connection_.scope());
    return {r.getIntact(), r.getArrived(), r.getNs()};
  }

  const Options& options_;
  Connection connection_;
  proto::Ttcp::Client object_;
};

template <class Request, class T>
Request with_numbers(Request q, const std::vector<T>& all) {
  auto ts = q.initTs(count(all));
  for (unsigned i = 0; i < all.size(); ++i) ts.set(i, all[i]);
  return q;
}
template <class Request>
Request with_structs(Request q, const std::vector<BinStruct>& all) {
  auto ts = q.initTs(count(all));
  for (unsigned i = 0; i < all.size(); ++i) {
    auto b = ts[i];
    std::uint64_t pad;
    std::memcpy(&pad, all[i].pad, sizeof pad);
    b.setS(all[i].s);
    b.setC(static_cast<std::uint8_t>(all[i].c));
    b.setL(all[i].l);
    b.setO(all[i].o);
    b.setD(all[i].d);
    b.setPad(pad);
  }
  return q;
}

void send_floods(const Options& o) {
  if (o.buffered) throw std::invalid_argument("Cap'n Proto cannot hold messages back and send them together");
  Sender s(o);
  const auto data = [](auto& p, const auto& all, auto size) {
    auto q = p.sendDataRequest(size);
    q.setTs(kj::arrayPtr(all.data(), all.size()));
    return q;
  };
  s.type<std::int16_t>(
      "short", [](auto& p, const auto& all, auto size) { return with_numbers(p.sendShortRequest(size), all); });
  s.type<capnp::byte>("char", data);
  s.type<std::int32_t>(
      "long", [](auto& p, const auto& all, auto size) { return with_numbers(p.sendLongRequest(size), all); });
  s.type<capnp::byte>("octet", data);
  s.type<double>(
      "double", [](auto& p, const auto& all, auto size) { return with_numbers(p.sendDoubleRequest(size), all); });
  s.type<BinStruct>(
      "BinStruct", [](auto& p, const auto& all, auto size) { return with_structs(p.sendStructRequest(size), all); });
}

// The connection lives as long as the process.
auto connect_caller(const Options& o) {
  auto& connection = *new Connection(o);
  return [&connection, p = connection.object<proto::ParamTest>()](std::uint64_t n) mutable {
    const auto s1 = element<std::int16_t>(n);
    auto q = p.testShortRequest(words(4));
    q.setS1(s1);
    q.setS2(9);
    const auto r = q.send().wait(connection.scope());
    expect(r.getRet() == s1 && r.getS2() == s1 && r.getS3() == s1, "test_short");
  };
}

void run(const Options& o) {
  if (o.suite == "scale") return scale(o, [&] { return connect_caller(o); });
  if (o.suite == "ttcp") return send_floods(o);
  if (o.suite != "param_test") no_such_suite(o);
  Connection connection(o);
  auto p = connection.object<proto::ParamTest>();
  call_scalars(o, connection.scope(), p);
  call_structures(o, connection.scope(), p);
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
