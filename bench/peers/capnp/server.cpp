// SPDX-License-Identifier: Apache-2.0
// Cap'n Proto RPC, one thread: the server of param_test, ttcp and scale. Arguments are read in place and copied into
// the reply, whose size is told beforehand, so that it is one segment.
#include "../common/flood.h"
#include "bench.capnp.h"
#include <capnp/ez-rpc.h>
#include <capnp/message.h>

namespace {

class Param final : public proto::ParamTest::Server {
 public:
  explicit Param(bool corrupt) : corrupt_(corrupt) {}

  kj::Promise<void> testShort(TestShortContext c) override {
    const std::int16_t s1 = c.getParams().getS1();
    auto r = c.getResults();
    r.setRet(s1);
    r.setS2(s1);
    r.setS3(static_cast<std::int16_t>(s1 + corrupt_));
    return kj::READY_NOW;
  }
  kj::Promise<void> testUnboundedString(TestUnboundedStringContext c) override { return copy(c); }
  kj::Promise<void> testFixedStruct(TestFixedStructContext c) override { return copy(c); }
  kj::Promise<void> testStrseq(TestStrseqContext c) override { return copy(c); }
  kj::Promise<void> testVarStruct(TestVarStructContext c) override { return copy(c); }
  kj::Promise<void> testNestedStruct(TestNestedStructContext c) override { return copy(c); }
  kj::Promise<void> testStructSequence(TestStructSequenceContext c) override { return copy(c); }

 private:
  template <class Context>
  static kj::Promise<void> copy(Context& c) {
    const auto arguments = c.getParams();
    auto size = arguments.totalSize();
    size.wordCount = size.wordCount * 3 / 2 + 16;  // three values instead of two
    auto r = c.getResults(size);
    r.setRet(arguments.getS1());
    r.setS2(arguments.getS1());
    r.setS3(arguments.getS1());
    return kj::READY_NOW;
  }

  const bool corrupt_;
};

bool is_element(proto::BinStruct::Reader b, std::size_t i) {
  return b.getS() == bench::element<std::int16_t>(i) && b.getC() == 'c' &&
         b.getL() == bench::element<std::int32_t>(i) && b.getO() == 7 && b.getD() == bench::element<double>(i) &&
         b.getPad() == bench::kPad;
}

class Ttcp final : public proto::Ttcp::Server {
 public:
  kj::Promise<void> sendShort(SendShortContext c) override { return numbers<std::int16_t>(c.getParams().getTs()); }
  kj::Promise<void> sendLong(SendLongContext c) override { return numbers<std::int32_t>(c.getParams().getTs()); }
  kj::Promise<void> sendDouble(SendDoubleContext c) override { return numbers<double>(c.getParams().getTs()); }
  kj::Promise<void> sendData(SendDataContext c) override {
    const auto ts = c.getParams().getTs();
    tally_.add(ts.size(), bench::intact(ts.begin(), ts.size()));
    return kj::READY_NOW;
  }
  kj::Promise<void> sendStruct(SendStructContext c) override {
    const auto ts = c.getParams().getTs();
    const auto n = ts.size();
    tally_.add(n * sizeof(bench::BinStruct), n != 0 && is_element(ts[0], 0) && is_element(ts[n - 1], n - 1));
    return kj::READY_NOW;
  }
  kj::Promise<void> barrier(BarrierContext c) override {
    const bench::Receipt receipt = tally_.take();
    auto r = c.getResults();
    r.setIntact(receipt.intact);
    r.setArrived(receipt.arrived);
    r.setNs(receipt.ns);
    return kj::READY_NOW;
  }

 private:
  template <class T>
  kj::Promise<void> numbers(typename capnp::List<T>::Reader ts) {
    const auto n = ts.size();
    tally_.add(n * sizeof(T), n != 0 && ts[0] == bench::element<T>(0) && ts[n - 1] == bench::element<T>(n - 1));
    return kj::READY_NOW;
  }

  bench::Tally tally_;
};

capnp::Capability::Client servant(const bench::Options& o) {
  if (o.suite == "param_test" || o.suite == "scale") return kj::heap<Param>(o.corrupt);
  if (o.suite == "ttcp") return kj::heap<Ttcp>();
  bench::no_such_suite(o);
}

void run(const bench::Options& o) {
  capnp::EzRpcServer server(servant(o), bench::host(), 0);
  auto& scope = server.getWaitScope();
  bench::publish(o, {std::to_string(server.getPort().wait(scope))});
  kj::NEVER_DONE.wait(scope);
}

}  // namespace

int main(int argc, char** argv) { return bench::guarded(argc, argv, run); }
