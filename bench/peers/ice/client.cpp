// SPDX-License-Identifier: Apache-2.0
// ZeroC Ice, C++11 mapping: the client of param_test, ttcp, scale, far and demux. ttcp's one-ways are sent
// one by one, or with --buffered as batches of 1 MiB.
#include "../common/clients.h"
#include "../common/demux.h"
#include "../common/far.h"
#include "../common/flood.h"
#include "../common/var_structs.h"
#include "ice.h"

namespace {

using namespace bench;
using Bench::FixedStruct;
using Bench::NestedStruct;
using Bench::ParamTestPrx;
using Bench::StrSeq;
using Bench::StructSeq;
using Bench::VarStruct;

template <class Proxy>
std::shared_ptr<Proxy> connected(const Ice::CommunicatorHolder& ice, const std::string& reference) {
  return Ice::checkedCast<Proxy>(ice->stringToProxy(reference));
}

template <class T, class Call>
void operation(const Options& o, const char* name, const T& s1, const T& other, Call call) {
  T s2 = other, s3 = other, r = other;
  param_test(
      o, name, [&] { r = call(s1, s2, s3); },
      [&] {
        const bool right = r == s1 && s2 == s1 && s3 == s1;
        r = s2 = s3 = other;
        return right;
      });
}

void call_operations(const Options& o) {
  const Ice::CommunicatorHolder ice(properties());
  const auto p = connected<ParamTestPrx>(ice, read_reference(o)[0]);
  operation(o, "test_short", short{1}, short{2},
            [&](short a, short& b, short& c) { return p->testShort(a, b, b, c); });
  operation(o, "test_unbounded_string", text(1), text(2),
            [&](const auto& a, auto& b, auto& c) { return p->testUnboundedString(a, b, b, c); });
  operation(o, "test_fixed_struct", FixedStruct{1, 'c', 2, 3, 4.5f, true, 6.5},
            FixedStruct{2, 'd', 3, 4, 5.5f, false, 7.5},
            [&](const auto& a, auto& b, auto& c) { return p->testFixedStruct(a, b, b, c); });
  operation(o, "test_strseq", strings<StrSeq>(1), strings<StrSeq>(2),
            [&](const auto& a, auto& b, auto& c) { return p->testStrseq(a, b, b, c); });
  operation(o, "test_var_struct", var_struct<VarStruct>(1), var_struct<VarStruct>(2),
            [&](const auto& a, auto& b, auto& c) { return p->testVarStruct(a, b, b, c); });
  operation(o, "test_nested_struct", NestedStruct{var_struct<VarStruct>(1)}, NestedStruct{var_struct<VarStruct>(2)},
            [&](const auto& a, auto& b, auto& c) { return p->testNestedStruct(a, b, b, c); });
  operation(o, "test_struct_sequence", struct_sequence<StructSeq>(1), struct_sequence<StructSeq>(2),
            [&](const auto& a, auto& b, auto& c) { return p->testStructSequence(a, b, b, c); });
}

class Sender {
 public:
  Sender(const Options& o, const std::shared_ptr<Bench::TtcpPrx>& proxy)
      : options_(o), two_way_(proxy), one_way_(o.buffered ? proxy->ice_batchOneway() : proxy->ice_oneway()) {}

  // send(proxy, elements)
  template <class T, class Send>
  void type(const char* name, Send send) const {
    each_size(options_, name, [&](std::uint64_t size) {
      const auto all = elements<T>(size / sizeof(T), options_.corrupt);
      flood(options_, name, size, [&] { send(*one_way_, all); }, [&](std::uint64_t) { return barrier(); });
    });
  }
  template <class T>
  static std::pair<const T*, const T*> range(const std::vector<T>& all) {
    return {all.data(), all.data() + all.size()};
  }

 private:
  Receipt barrier() const {
    if (options_.buffered) one_way_->ice_flushBatchRequests();
    const Bench::Receipt r = two_way_->barrier();
    return {static_cast<std::uint64_t>(r.intact), static_cast<std::uint64_t>(r.arrived),
            static_cast<std::uint64_t>(r.ns)};
  }

  const Options& options_;
  std::shared_ptr<Bench::TtcpPrx> two_way_, one_way_;
};

void send_floods(const Options& o) {
  const Ice::CommunicatorHolder ice(properties());
  const Sender s(o, connected<Bench::TtcpPrx>(ice, read_reference(o)[0]));
  const auto octets = [](auto& p, const auto& all) { p.sendOctet(Sender::range(all)); };
  s.type<short>("short", [](auto& p, const auto& all) { p.sendShort(Sender::range(all)); });
  s.type<Ice::Byte>("char", octets);
  s.type<int>("long", [](auto& p, const auto& all) { p.sendLong(Sender::range(all)); });
  s.type<Ice::Byte>("octet", octets);
  s.type<double>("double", [](auto& p, const auto& all) { p.sendDouble(Sender::range(all)); });
  s.type<Bench::BinStruct>("BinStruct", [](auto& p, const auto& all) { p.sendStruct(all); });
}

void call_objects(const Options& o) {
  const Ice::CommunicatorHolder ice(properties());
  auto references = read_reference(o);
  expect(references.size() == static_cast<std::size_t>(o.objects) + 1, "number of objects");
  const auto counter = connected<Bench::DemuxCountPrx>(ice, references.back());
  references.pop_back();
  std::vector<std::shared_ptr<Bench::DemuxPrx>> objects;
  for (const auto& reference : references)
    objects.push_back(Ice::uncheckedCast<Bench::DemuxPrx>(ice->stringToProxy(reference)));
  const auto reached = [&] { return static_cast<std::uint64_t>(counter->objects()); };
  const auto calls = [&](int operation) {
    return [&, operation] { return static_cast<std::uint64_t>(counter->calls(operation)); };
  };
  Demux(o, [&](std::uint32_t i) { objects[i]->op000(); }, calls(0), reached).run("first");
  Demux(o, [&](std::uint32_t i) { objects[i]->op099(); }, calls(kLastOperation), reached).run("last");
}

auto connect_caller(const Options& o) {
  const auto ice = std::make_shared<Ice::CommunicatorHolder>(properties());
  return [ice, p = connected<ParamTestPrx>(*ice, read_reference(o)[0])](std::uint64_t n) {
    const auto s1 = static_cast<short>(n);
    short s2 = 9, s3 = 0;
    const short r = p->testShort(s1, s2, s2, s3);
    expect(r == s1 && s2 == s1 && s3 == s1, "test_short");
  };
}

void call_far(const Options& o) {
  const Ice::CommunicatorHolder ice(properties());
  const auto references = read_reference(o);
  expect(references.size() == 2, "number of references");
  const auto p = connected<ParamTestPrx>(ice, references[0]);
  const auto two_way = connected<Bench::TtcpPrx>(ice, references[1]);
  const auto one_way = two_way->ice_oneway();
  const auto small = elements<Ice::Byte>(kFarSmall, false), large = elements<Ice::Byte>(kFarLarge, false);
  far(o, {[p] {
            short s2 = 9, s3 = 0;
            const short r = p->testShort(7, s2, s2, s3);
            expect(r == 7 && s2 == 7 && s3 == 7, "test_short");
          },
          [&](std::uint64_t bytes) { one_way->sendOctet(Sender::range(bytes == kFarSmall ? small : large)); },
          [&](std::uint64_t) {
            const Bench::Receipt r = two_way->barrier();
            return Receipt{static_cast<std::uint64_t>(r.intact), static_cast<std::uint64_t>(r.arrived),
                           static_cast<std::uint64_t>(r.ns)};
          }});
  std::vector<std::future<Bench::ParamTest::TestShortResult>> results(kFarPipelined);
  far_pipelined(
      o, [&](int i) { results[static_cast<std::size_t>(i)] = p->testShortAsync(static_cast<short>(i), 9); },
      [&](int i) {
        const auto r = results[static_cast<std::size_t>(i)].get();
        expect(r.returnValue == i && r.s2out == i && r.s3 == i, "test_short");
      });
}

void run(const Options& o) {
  if (o.suite == "param_test")
    call_operations(o);
  else if (o.suite == "ttcp")
    send_floods(o);
  else if (o.suite == "demux")
    call_objects(o);
  else if (o.suite == "far")
    call_far(o);
  else if (o.suite == "scale")
    scale(o, [&] { return connect_caller(o); });
  else
    no_such_suite(o);
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
