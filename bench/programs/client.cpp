// SPDX-License-Identifier: Apache-2.0
// The client of the measurements; checks every value and prints a JSON line a result.
//
//   client param_test [--reference FILE] [--calls N] [--operations a,b]     calls one after the other; test_struct_sequence
//                                                                           a tenth of N. Without FILE: the server is in
//                                                                           this process, over the memory transport
//   client ttcp --reference FILE [--megabytes N] [--types a,b] [--sizes 1K,64K] [--buffered]    one-way floods
//   client scale --reference FILE [--clients N] [--seconds S]               test_short from N processes at once
#include "../common/buffered.h"
#include "../common/crowd.h"
#include "../common/local_server.h"
#include "../common/measure.h"
#include "../common/options.h"
#include "../common/values.h"
#include <map>
#include <type_traits>

namespace {

using P = Param_Test;
using bench::fill;
using bench::kElements;
using bench::same;
using bench::text;

template <class Interface>
typename Interface::_var_type narrowed(CORBA::ORB_ptr orb, const std::string& reference) {
  CORBA::Object_var object = orb->string_to_object(reference.c_str());
  return Interface::_narrow(object);
}

void test_short(const char* name, Param_Test_ptr p, std::uint64_t calls) {
  CORBA::Short n = 0, s2 = 0, s3 = 0, r = 0;
  bench::latency(name, calls, [&] { r = p->test_short(++n, s2, s3); }, [&] { return r == n && s2 == n && s3 == n; });
}

void test_unbounded_string(const char* name, Param_Test_ptr p, std::uint64_t calls) {
  const std::string s1 = text(1);
  CORBA::String_var s2 = text(2).c_str(), s3, r;
  bench::latency(name, calls, [&] { r = p->test_unbounded_string(s1.c_str(), s2.inout(), s3.out()); },
                 [&] { return s1 == r.in() && s1 == s2.in() && s1 == s3.in(); });
}

void test_fixed_struct(const char* name, Param_Test_ptr p, std::uint64_t calls) {
  P::Fixed_Struct s1 = {1, 'c', 2, 3, 4.5f, true, 6.5}, s2 = s1, s3, r;
  bench::latency(name, calls, [&] { ++s1.l; r = p->test_fixed_struct(s1, s2, s3); },
                 [&] { return same(r, s1) && same(s2, s1) && same(s3, s1); });
}

// An operation on a T of variable length.
template <class T, class Var, class Call>
void variable(const char* name, std::uint64_t calls, Call&& call) {
  T s1, s2;
  Var s3, r;
  fill(s1, 1);
  fill(s2, 2);
  bench::latency(name, calls, [&] { r = call(s1, s2, s3.out()); },
                 [&] { return same(r.in(), s1) && same(s2, s1) && same(s3.in(), s1); });
}

void test_strseq(const char* name, Param_Test_ptr p, std::uint64_t calls) {
  variable<P::StrSeq, P::StrSeq_var>(name, calls, [p](auto& a, auto& b, auto&& c) { return p->test_strseq(a, b, c); });
}
void test_var_struct(const char* name, Param_Test_ptr p, std::uint64_t calls) {
  variable<P::Var_Struct, P::Var_Struct_var>(name, calls, [p](auto& a, auto& b, auto&& c) { return p->test_var_struct(a, b, c); });
}
void test_nested_struct(const char* name, Param_Test_ptr p, std::uint64_t calls) {
  variable<P::Nested_Struct, P::Nested_Struct_var>(name, calls, [p](auto& a, auto& b, auto&& c) { return p->test_nested_struct(a, b, c); });
}
void test_struct_sequence(const char* name, Param_Test_ptr p, std::uint64_t calls) {
  variable<P::StructSeq, P::StructSeq_var>(name, std::max<std::uint64_t>(calls / 10, 1),
                         [p](auto& a, auto& b, auto&& c) { return p->test_struct_sequence(a, b, c); });
}

struct Operation {
  const char* name;
  void (*run)(const char*, Param_Test_ptr, std::uint64_t);
};
#define OPERATION(name) Operation{#name, name}
const Operation kOperations[] = {OPERATION(test_short),      OPERATION(test_unbounded_string), OPERATION(test_fixed_struct),
                                 OPERATION(test_strseq),     OPERATION(test_var_struct),       OPERATION(test_nested_struct),
                                 OPERATION(test_struct_sequence)};

int param_test(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::References server = bench::find_server(bench::option(argc, argv, "reference", ""));
  Param_Test_var p = narrowed<Param_Test>(orb, server.param);
  const std::uint64_t calls = bench::number(bench::option(argc, argv, "calls", "2000"));
  std::vector<std::string> wanted = bench::split(bench::option(argc, argv, "operations", ""));
  if (wanted.empty())
    for (const auto& o : kOperations) wanted.emplace_back(o.name);
  for (const std::string& name : wanted) {
    const auto* o = std::find_if(std::begin(kOperations), std::end(kOperations),
                                 [&](const Operation& one) { return one.name == name; });
    if (o == std::end(kOperations)) throw std::runtime_error("no such operation: " + name);
    o->run(o->name, p, calls);
  }
  return 0;
}

using Ttcp = std::remove_pointer_t<ttcp_throughput_ptr>;  // where a mapping has the operations

struct Flood {
  ttcp_throughput_ptr ttcp;
  std::uint64_t total;
  std::string size;

  template <class Seq>
  void run(const std::string& type, const Seq& s, void (Ttcp::*send)(const Seq&)) const {
    bench::flood(type + "/" + size, total, bench::bytes_of(size), [&] { ttcp->start_timer(); }, [&] { (ttcp->*send)(s); },
                 [&] {
                   CORBA::ULongLong ns = 0;
                   const std::uint64_t bytes = ttcp->stop_timer(ns);
                   return bench::Arrived{bytes, ns};
                 });
  }
  // Element i holds i, cut to its type.
  template <class T, class Seq>
  void numbers(const std::string& type, void (Ttcp::*send)(const Seq&)) const {
    Seq s;
    s.length(static_cast<CORBA::ULong>(bench::bytes_of(size) / sizeof(T)));
    for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = static_cast<T>(i);
    run(type, s, send);
  }
  void of_type(const std::string& type) const {
    if (type == "short") return numbers<CORBA::Short>(type, &Ttcp::sendShortSeq);
    if (type == "char") return numbers<CORBA::Char>(type, &Ttcp::sendCharSeq);
    if (type == "long") return numbers<CORBA::Long>(type, &Ttcp::sendLongSeq);
    if (type == "octet") return numbers<CORBA::Octet>(type, &Ttcp::sendOctetSeq);
    if (type == "double") return numbers<CORBA::Double>(type, &Ttcp::sendDoubleSeq);
    if (type != "BinStruct") throw std::runtime_error("no such type: " + type);
    ttcp_throughput::StructSeq s;
    fill(s, static_cast<CORBA::ULong>(bench::bytes_of(size) / sizeof(BinStruct)));
    run(type, s, &Ttcp::sendStructSeq);
  }
};

int ttcp(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const auto server = bench::References::read(bench::option(argc, argv, "reference", "server.ior"));
  ttcp_throughput_var ttcp = narrowed<ttcp_throughput>(orb, server.ttcp);
  if (bench::flag(argc, argv, "buffered")) ttcp = bench::hold_back(orb, ttcp);
  const std::uint64_t total = bench::number(bench::option(argc, argv, "megabytes", "64")) << 20;
  for (const auto& type : bench::split(bench::option(argc, argv, "types", "short,char,long,octet,double,BinStruct")))
    for (const auto& size : bench::split(bench::option(argc, argv, "sizes", "64K"))) Flood{ttcp, total, size}.of_type(type);
  return 0;
}

int scale(int argc, char** argv) {
  const auto server = bench::References::read(bench::option(argc, argv, "reference", "server.ior"));
  const auto clients = static_cast<int>(bench::number(bench::option(argc, argv, "clients", "1")));
  bench::crowd(clients, std::stod(bench::option(argc, argv, "seconds", "1")), [&] {
    CORBA::ORB_ptr orb = CORBA::ORB_init(argc, argv);  // lives as long as its process
    return [p = narrowed<Param_Test>(orb, server.param)] {
      CORBA::Short s2 = 1, s3 = 0;
      if (p->test_short(7, s2, s3) != 7 || s2 != 7 || s3 != 7) throw std::runtime_error("wrong value");
    };
  });
  return 0;
}

int run(int argc, char** argv) {
  const std::map<std::string, int (*)(int, char**)> suites = {{"param_test", param_test}, {"ttcp", ttcp}, {"scale", scale}};
  const auto found = suites.find(argc > 1 ? argv[1] : "");
  if (found == suites.end()) throw std::runtime_error("usage: client param_test|ttcp|scale --reference FILE [options]");
  return found->second(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::guarded([&] { return run(argc, argv); });
}
