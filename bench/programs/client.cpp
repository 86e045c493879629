// SPDX-License-Identifier: Apache-2.0
// The client of the measurements. Reads the references from --ior-file, makes --calls calls of each
// Param_Test operation and floods --megabytes of each ttcp type in buffers of --buffer-kib; checks every
// value; prints one JSON line a case.
#include "../common/measure.h"
#include "../common/orb.h"
#include "../common/values.h"

namespace {

using P = Param_Test;
using bench::fill;
using bench::kElements;
using bench::same;
using bench::text;
const bench::Report kReport{BENCH_SYSTEM};

void scalars(Param_Test_ptr p, int calls) {
  CORBA::Short n = 0, s2 = 0, s3 = 0, r = 0;
  bench::latency(kReport, "test_short", calls, [&] { r = p->test_short(++n, s2, s3); },
                 [&] { return r == n && s2 == n && s3 == n; });
  const std::string s1 = text(1);
  CORBA::String_var inout = text(2).c_str(), out, result;
  bench::latency(kReport, "test_unbounded_string", calls,
                 [&] { result = p->test_unbounded_string(s1.c_str(), inout.inout(), out.out()); },
                 [&] { return s1 == result.in() && s1 == inout.in() && s1 == out.in(); });
  P::Fixed_Struct f1 = {1, 'c', 2, 3, 4.5f, true, 6.5}, f2 = f1, f3, f;
  bench::latency(kReport, "test_fixed_struct", calls, [&] { ++f1.l; f = p->test_fixed_struct(f1, f2, f3); },
                 [&] { return same(f, f1) && same(f2, f1) && same(f3, f1); });
}

void structures(Param_Test_ptr p, int calls) {
  P::StrSeq s1, s2;
  P::StrSeq_var s3, s;
  fill(s1, 1);
  fill(s2, 2);
  bench::latency(kReport, "test_strseq", calls, [&] { s = p->test_strseq(s1, s2, s3.out()); },
                 [&] { return same(s.in(), s1) && same(s2, s1) && same(s3.in(), s1); });
  P::Var_Struct v1, v2;
  P::Var_Struct_var v3, v;
  fill(v1, 3);
  fill(v2, 4);
  bench::latency(kReport, "test_var_struct", calls, [&] { v = p->test_var_struct(v1, v2, v3.out()); },
                 [&] { return same(v.in(), v1) && same(v2, v1) && same(v3.in(), v1); });
  P::Nested_Struct n1, n2;
  P::Nested_Struct_var n3, n;
  fill(n1.vs, 5);
  fill(n2.vs, 6);
  bench::latency(kReport, "test_nested_struct", calls, [&] { n = p->test_nested_struct(n1, n2, n3.out()); },
                 [&] { return same(n->vs, n1.vs) && same(n2.vs, n1.vs) && same(n3->vs, n1.vs); });
  P::StructSeq q1, q2;
  P::StructSeq_var q3, q;
  q1.length(kElements);
  q2.length(kElements);
  for (CORBA::ULong i = 0; i < kElements; ++i) fill(q1[i], 10 * i), fill(q2[i], 10 * i + 5);
  bench::latency(kReport, "test_struct_sequence", calls, [&] { q = p->test_struct_sequence(q1, q2, q3.out()); },
                 [&] { return same(q.in(), q1) && same(q2, q1) && same(q3.in(), q1); });
}

struct Flood {
  ttcp_throughput_ptr ttcp;
  std::uint64_t total, buffer;

  template <class Seq, class T, class Send>
  void run(const char* name, Send send) const {
    Seq s;
    const CORBA::ULong n = static_cast<CORBA::ULong>(buffer / sizeof(T));
    s.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) s[i] = static_cast<T>(i);
    go(name, s, send);
  }
  template <class Seq, class Send>
  void go(const char* name, const Seq& s, Send send) const {
    bench::flood(kReport, name, total, buffer, [&] { send(s); }, [&] { return ttcp->bytes_received(); });
  }
};

void floods(const Flood& f) {
  using T = ttcp_throughput;
  f.run<T::ShortSeq, CORBA::Short>("short", [&](const auto& s) { f.ttcp->sendShortSeq(s); });
  f.run<T::CharSeq, CORBA::Char>("char", [&](const auto& s) { f.ttcp->sendCharSeq(s); });
  f.run<T::LongSeq, CORBA::Long>("long", [&](const auto& s) { f.ttcp->sendLongSeq(s); });
  f.run<T::OctetSeq, CORBA::Octet>("octet", [&](const auto& s) { f.ttcp->sendOctetSeq(s); });
  f.run<T::DoubleSeq, CORBA::Double>("double", [&](const auto& s) { f.ttcp->sendDoubleSeq(s); });
  T::StructSeq s;
  fill(s, static_cast<CORBA::ULong>(f.buffer / sizeof(BinStruct)));
  f.go("BinStruct", s, [&](const auto& seq) { f.ttcp->sendStructSeq(seq); });
}

int run(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  std::ifstream file(bench::option(argc, argv, "ior-file", "server.ior"));
  std::string param_ior, ttcp_ior;
  std::getline(file, param_ior);
  std::getline(file, ttcp_ior);
  CORBA::Object_var o = orb->string_to_object(param_ior.c_str());
  Param_Test_var param = Param_Test::_narrow(o);
  o = orb->string_to_object(ttcp_ior.c_str());
  ttcp_throughput_var ttcp = ttcp_throughput::_narrow(o);
  const int calls = std::stoi(bench::option(argc, argv, "calls", "2000"));
  scalars(param, calls);
  structures(param, calls);
  floods({ttcp, std::stoull(bench::option(argc, argv, "megabytes", "64")) << 20,
          std::stoull(bench::option(argc, argv, "buffer-kib", "64")) << 10});
  orb->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::guarded([&] { return run(argc, argv); });
}
