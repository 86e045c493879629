// SPDX-License-Identifier: Apache-2.0
// The client of the measurements; checks every value and prints a JSON line a result.
//
//   client param_test --reference FILE [--calls N] [--operations a,b]
//       calls one after the other. FILE memory: the server is in this process
//   client ttcp --reference FILE [--megabytes N] [--types a,b] [--sizes 1K,64K] [--buffered]
//       one-way floods
//   client far --reference FILE [--calls N] [--operations call,after-one-way,one-ways,large,together]
//       what costs round trips over a long way
//   client scale --reference FILE [--clients N] [--seconds S]
//       test_short from N processes at once
#include "../common/buffered.h"
#include "../common/local_server.h"
#include "../common/values.h"
#include "../peers/common/clients.h"
#include "../peers/common/far.h"
#include "../peers/common/flood.h"
#include "../peers/common/latency.h"
#include <type_traits>

namespace {

using namespace bench;
using P = Param_Test;

template <class Interface>
typename Interface::_var_type narrowed(CORBA::ORB_ptr orb, const std::string& reference) {
  CORBA::Object_var object = orb->string_to_object(reference.c_str());
  return Interface::_narrow(object);
}

void call_scalars(const Options& o, Param_Test_ptr p) {
  CORBA::Short n = 0, n2 = 0, n3 = 0, n4 = 0;
  param_test(
      o, "test_short", [&] { n4 = p->test_short(++n, n2, n3); }, [&] { return n2 == n && n3 == n && n4 == n; });

  const std::string s = text(1);
  CORBA::String_var s2 = text(2).c_str(), s3, s4;
  param_test(o, "test_unbounded_string", [&] { s4 = p->test_unbounded_string(s.c_str(), s2.inout(), s3.out()); },
             [&] { return spoiled(s2, s) && spoiled(s3, s) && spoiled(s4, s); });

  P::Fixed_Struct f = {1, 'c', 2, 3, 4.5f, true, 6.5}, f2 = f, f3 = f, f4 = f;
  param_test(o, "test_fixed_struct", [&] { ++f.l; f4 = p->test_fixed_struct(f, f2, f3); },
             [&] { return same(f2, f) && same(f3, f) && same(f4, f); });
}

// An operation on a T of variable length.
template <class T, class Var, class Call>
void call_variable(const Options& o, const char* name, Call&& call) {
  T s1, s2;
  Var s3, s4;
  fill(s1, 1);
  fill(s2, 2);
  param_test(o, name, [&] { s4 = call(s1, s2, s3.out()); }, [&] {
    const bool right = same(s2, s1) && same(s3.in(), s1) && same(s4.in(), s1);
    spoil(s2);
    spoil(s3.inout());
    spoil(s4.inout());
    return right;
  });
}

void call_structures(const Options& o, Param_Test_ptr p) {
  call_variable<P::StrSeq, P::StrSeq_var>(
      o, "test_strseq", [p](auto& a, auto& b, auto&& c) { return p->test_strseq(a, b, c); });
  call_variable<P::Var_Struct, P::Var_Struct_var>(
      o, "test_var_struct", [p](auto& a, auto& b, auto&& c) { return p->test_var_struct(a, b, c); });
  call_variable<P::Nested_Struct, P::Nested_Struct_var>(
      o, "test_nested_struct", [p](auto& a, auto& b, auto&& c) { return p->test_nested_struct(a, b, c); });
  call_variable<P::StructSeq, P::StructSeq_var>(
      o, "test_struct_sequence", [p](auto& a, auto& b, auto&& c) { return p->test_struct_sequence(a, b, c); });
}

void call_operations(const Options& o, CORBA::ORB_ptr orb) {
  Param_Test_var p = narrowed<Param_Test>(orb, find_server(o).param);
  call_scalars(o, p);
  call_structures(o, p);
}

using Ttcp = std::remove_pointer_t<ttcp_throughput_ptr>;  // where a mapping has the operations

template <class Seq>
void flood_type(const Options& o, const char* type, std::uint64_t size, ttcp_throughput_ptr ttcp, const Seq& s,
                void (Ttcp::*send)(const Seq&)) {
  flood(o, type, size, [&] { (ttcp->*send)(s); },
        [&](std::uint64_t expected) { return ask_until(expected, [&] { return ask(ttcp); }); });
}

template <class T, class Seq>
void flood_numbers(const Options& o, const char* type, ttcp_throughput_ptr ttcp, void (Ttcp::*send)(const Seq&)) {
  each_size(o, type, [&](std::uint64_t size) {
    Seq s;
    s.length(static_cast<CORBA::ULong>(size / sizeof(T)));
    for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = element<T>(i);
    if (o.corrupt) s[s.length() - 1] = element<T>(s.length());
    flood_type(o, type, size, ttcp, s, send);
  });
}

void send_floods(const Options& o, CORBA::ORB_ptr orb) {
  ttcp_throughput_var ttcp = narrowed<ttcp_throughput>(orb, find_server(o).ttcp);
  if (o.buffered) ttcp = hold_back(orb, ttcp);
  flood_numbers<CORBA::Short>(o, "short", ttcp, &Ttcp::sendShortSeq);
  flood_numbers<CORBA::Char>(o, "char", ttcp, &Ttcp::sendCharSeq);
  flood_numbers<CORBA::Long>(o, "long", ttcp, &Ttcp::sendLongSeq);
  flood_numbers<CORBA::Octet>(o, "octet", ttcp, &Ttcp::sendOctetSeq);
  flood_numbers<CORBA::Double>(o, "double", ttcp, &Ttcp::sendDoubleSeq);
  each_size(o, "BinStruct", [&](std::uint64_t size) {
    ttcp_throughput::StructSeq s;
    fill(s, static_cast<CORBA::ULong>(size / sizeof(::BinStruct)));
    if (o.corrupt) s[s.length() - 1].pad[7] = 0;
    flood_type(o, "BinStruct", size, ttcp, s, &Ttcp::sendStructSeq);
  });
}

ttcp_throughput::OctetSeq octets(std::uint64_t size) {
  ttcp_throughput::OctetSeq s;
  s.length(static_cast<CORBA::ULong>(size));
  for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = element<CORBA::Octet>(i);
  return s;
}

void call_far(const Options& o, CORBA::ORB_ptr orb) {
  const References server = find_server(o);
  const auto p = narrowed<Param_Test>(orb, server.param);
  const auto ttcp = narrowed<ttcp_throughput>(orb, server.ttcp);
  const auto small = octets(kFarSmall), large = octets(kFarLarge);
  far(o, {[p] {
            CORBA::Short s2 = 9, s3 = 0;
            expect(p->test_short(7, s2, s3) == 7 && s2 == 7 && s3 == 7, "test_short");
          },
          [&](std::uint64_t bytes) { ttcp->sendOctetSeq(bytes == kFarSmall ? small : large); },
          [&](std::uint64_t expected) { return ask_until(expected, [&] { return ask(ttcp); }); }});
}

// In each client's process an ORB, which lives as long as the process.
void call_from_many(const Options& o, int argc, char** argv) {
  const References server = find_server(o);
  scale(o, [&] {
    CORBA::ORB_ptr orb = CORBA::ORB_init(argc, argv);
    return [p = narrowed<Param_Test>(orb, server.param)](std::uint64_t n) {
      const auto s1 = element<CORBA::Short>(static_cast<std::size_t>(n));
      CORBA::Short s2 = 9, s3 = 0;
      expect(p->test_short(s1, s2, s3) == s1 && s2 == s1 && s3 == s1, "test_short");
    };
  });
}

int run(int argc, char** argv) {
  std::vector<char*> words = without_orb_options(argc, argv);
  const Options o = parse(static_cast<int>(words.size()), words.data());
  if (o.suite == "scale") return call_from_many(o, argc, argv), 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (o.suite == "param_test") call_operations(o, orb);
  else if (o.suite == "ttcp") send_floods(o, orb);
  else if (o.suite == "far") call_far(o, orb);
  else no_such_suite(o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_guarded([&] { return run(argc, argv); });
}
