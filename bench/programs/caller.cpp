// SPDX-License-Identifier: Apache-2.0
// Makes calls on demand. Each line of standard input is a command, each gets one line back:
//
//   OPERATION N         N calls one after the other; the nanoseconds that all took
//   cold OPERATION N    N calls, each after code that fills branch predictor and instruction cache; the median
//                       nanoseconds of a call
//   foreign N           only such code, N times
//   heap OPERATION N    N calls; by how many bytes the heap in use has grown
//   operations          the names of the operations
//   plans               bytes of heap that plans take, by operation (plan_heap.cpp)
//
//   caller param_test --reference FILE     with --reference memory the server is in this process
//
// Results are checked after each command, outside the time taken.
#include "../common/cold.h"
#include "../common/local_server.h"
#include "../common/values.h"
#include "plan_heap.h"
#include <malloc.h>
#include <algorithm>
#include <functional>
#include <sstream>

namespace {

using bench::fill;
using bench::same;
using bench::text;
using P = Param_Test;

struct Operation {
  std::string name;
  std::function<void(long)> calls;      // so many
  std::function<bool(long)> right;  // after so many
};
using Operations = std::vector<Operation>;

template <class Call, class Right>
Operation operation(const char* name, Call call, Right right) {
  return {name, [call](long n) { for (long i = 0; i < n; ++i) call(); }, [right](long n) { return right(n); }};
}

// Arguments and results stay alive for as long as the process: a stub is what is measured.
template <class T>
T& kept() {
  return *new T;
}

void add_scalars(Operations& to, Param_Test_ptr p) {
  struct Shorts { CORBA::Short s1 = 0, s2 = 0, s3 = 0, result = 0; };
  auto& n = kept<Shorts>();
  to.push_back(operation("test_short", [p, &n] { n.result = p->test_short(++n.s1, n.s2, n.s3); },
                         [&n](long) { return n.result == n.s1 && n.s2 == n.s1 && n.s3 == n.s1; }));
  struct Strings { std::string s1 = text(1); CORBA::String_var s2, s3, result; };
  auto& s = kept<Strings>();
  s.s2 = text(2).c_str();
  to.push_back(operation("test_unbounded_string",
                         [p, &s] { s.result = p->test_unbounded_string(s.s1.c_str(), s.s2.inout(), s.s3.out()); },
                         [&s](long) { return s.s1 == s.result.in() && s.s1 == s.s2.in() && s.s1 == s.s3.in(); }));
  struct Structs { P::Fixed_Struct s1{1, 'c', 2, 3, 4.5f, true, 6.5}, s2 = s1, s3, result; };
  auto& f = kept<Structs>();
  to.push_back(operation(
      "test_fixed_struct",
      [p, &f] {
        ++f.s1.l;
        f.result = p->test_fixed_struct(f.s1, f.s2, f.s3);
      },
      [&f](long) { return same(f.result, f.s1) && same(f.s2, f.s1) && same(f.s3, f.s1); }));
}

// An operation on a T of variable length.
template <class T, class Var, class Call>
void add(Operations& to, const char* name, Call call) {
  struct Values { T s1, s2; Var s3, result; };
  auto& v = kept<Values>();
  fill(v.s1, 1);
  fill(v.s2, 2);
  to.push_back(operation(name, [call, &v] { v.result = call(v.s1, v.s2, v.s3.out()); },
                         [&v](long) {
                           return same(v.result.in(), v.s1) && same(v.s2, v.s1) && same(v.s3.in(), v.s1);
                         }));
}

void add_structures(Operations& to, Param_Test_ptr p) {
  add<P::StrSeq, P::StrSeq_var>(to, "test_strseq",
                                [p](auto& a, auto& b, auto&& c) { return p->test_strseq(a, b, c); });
  add<P::Var_Struct, P::Var_Struct_var>(to, "test_var_struct",
                                        [p](auto& a, auto& b, auto&& c) { return p->test_var_struct(a, b, c); });
  add<P::Nested_Struct, P::Nested_Struct_var>(to, "test_nested_struct",
                        [p](auto& a, auto& b, auto&& c) { return p->test_nested_struct(a, b, c); });
  add<P::StructSeq, P::StructSeq_var>(to, "test_struct_sequence",
                    [p](auto& a, auto& b, auto&& c) { return p->test_struct_sequence(a, b, c); });
}

using Ttcp = std::remove_pointer_t<ttcp_throughput_ptr>;  // where a mapping has the operations

template <class Seq, class Right>
void add_flood(Operations& to, ttcp_throughput_ptr t, const char* name, const Seq& s, void (Ttcp::*send)(const Seq&),
               const Right& arrived) {
  to.push_back(operation(name, [t, &s, send] { (t->*send)(s); }, arrived));
}
template <class T, class Seq, class Right>
void add_numbers(Operations& to, ttcp_throughput_ptr t, const char* name, void (Ttcp::*send)(const Seq&),
                 const Right& arrived) {
  auto& s = kept<Seq>();
  s.length(static_cast<CORBA::ULong>((1u << 16) / sizeof(T)));
  for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = bench::element<T>(i);
  add_flood(to, t, name, s, send, arrived);
}

// Buffers of 64 KiB, one way.
void add_floods(Operations& to, ttcp_throughput_ptr t) {
  const auto arrived = [t](long n) {
    const std::uint64_t sent = static_cast<std::uint64_t>(n) << 16;
    const bench::Receipt r = bench::ask_until(sent, [t] { return bench::ask(t); });
    return r.arrived == sent && r.intact == sent;
  };
  auto& structs = kept<ttcp_throughput::StructSeq>();
  fill(structs, 2048);
  add_flood(to, t, "sendStructSeq", structs, &Ttcp::sendStructSeq, arrived);
  add_numbers<CORBA::Double>(to, t, "sendDoubleSeq", &Ttcp::sendDoubleSeq, arrived);
  add_numbers<CORBA::Short>(to, t, "sendShortSeq", &Ttcp::sendShortSeq, arrived);
  add_numbers<CORBA::Char>(to, t, "sendCharSeq", &Ttcp::sendCharSeq, arrived);
  add_numbers<CORBA::Long>(to, t, "sendLongSeq", &Ttcp::sendLongSeq, arrived);
  add_numbers<CORBA::Octet>(to, t, "sendOctetSeq", &Ttcp::sendOctetSeq, arrived);
}

double cold_median(const Operation& op, long n) {
  std::vector<std::uint64_t> ns, clock;
  for (long i = 0; i < n; ++i) {
    bench::make_cold();
    const std::uint64_t start = bench::now_ns();
    op.calls(1);
    const std::uint64_t end = bench::now_ns();
    ns.push_back(end - start);
    clock.push_back(bench::now_ns() - end);
  }
  const auto middle = [](std::vector<std::uint64_t>& v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return static_cast<double>(v[v.size() / 2]);
  };
  return middle(ns) - middle(clock);
}

double heap_growth(const Operation& op, long n) {
  const std::size_t before = mallinfo2().uordblks;
  op.calls(n);
  return static_cast<double>(mallinfo2().uordblks) - static_cast<double>(before);
}

std::string obey(const Operations& operations, const std::string& line) {
  std::istringstream words(line);
  std::string word, all;
  words >> word;
  if (word == "operations") {
    for (const auto& op : operations) all += op.name + ' ';
    return all;
  }
  if (word == "plans" && bench::plan_heap != nullptr) return bench::plan_heap();
  if (word == "foreign") {
    long n = 0;
    words >> n;
    for (long i = 0; i < n; ++i) bench::make_cold();
    return "0";
  }
  const bool cold = word == "cold", heap = word == "heap";
  if (cold || heap) words >> word;
  long n = 0;
  words >> n;
  for (const auto& op : operations) {
    if (op.name != word || n <= 0) continue;
    double result;
    if (cold) {
      result = cold_median(op, n);
    } else if (heap) {
      result = heap_growth(op, n);
    } else {
      const std::uint64_t start = bench::now_ns();
      op.calls(n);
      result = static_cast<double>(bench::now_ns() - start);
    }
    bench::expect(op.right(n), op.name.c_str());
    char digits[64];  // short enough for a std::string not to allocate, which would be counted
    std::snprintf(digits, sizeof digits, "%.0f", result);
    return digits;
  }
  return "error: no such command: " + line;
}

int run(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::References server = bench::find_server(bench::parse(argc, argv));
  CORBA::Object_var o = orb->string_to_object(server.param.c_str());
  Param_Test_var param = Param_Test::_narrow(o);
  o = orb->string_to_object(server.ttcp.c_str());
  ttcp_throughput_var ttcp = ttcp_throughput::_narrow(o);
  Operations operations;
  add_scalars(operations, param);
  add_structures(operations, param);
  add_floods(operations, ttcp);
  std::string line;
  while (std::getline(std::cin, line)) std::cout << obey(operations, line) << std::endl;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return run(argc, argv); });
}
