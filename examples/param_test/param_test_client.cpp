// SPDX-License-Identifier: Apache-2.0
// Calls every operation of a Param_Test object, checks what comes back, and prints two-way calls a second.
//
//     param_test_client --ior FILE|IOR:... [--calls N] [--operation NAME]
//
// N calls of each operation, 1000 unless given. Ends with 1 when a value was wrong or a call failed.
#include <callis/corba.h>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>
#include "param_test.h"

namespace {

// ---- values that differ from call to call ----

std::string text(unsigned i) { return "string " + std::string(i % 40, '*') + std::to_string(i); }

Param_Test::Fixed_Struct fixed_struct(unsigned i) {
  Param_Test::Fixed_Struct s;
  s.l = static_cast<CORBA::Long>(i * 1000003u);
  s.c = static_cast<CORBA::Char>('a' + i % 26);
  s.s = static_cast<CORBA::Short>(i);
  s.o = static_cast<CORBA::Octet>(i);
  s.f = static_cast<CORBA::Float>(i) / 4;
  s.b = i % 2 != 0;
  s.d = i * 0.001;
  return s;
}

Param_Test::StrSeq strings(unsigned i) {
  Param_Test::StrSeq s;
  s.length(i % 10);
  for (CORBA::ULong k = 0; k < s.length(); ++k) s[k] = text(i + k).c_str();
  return s;
}

Param_Test::Var_Struct var_struct(unsigned i) {
  Param_Test::Var_Struct s;
  s.dummy1 = text(i).c_str();
  s.dummy2 = text(i + 1).c_str();
  s.seq = strings(i);
  return s;
}

Param_Test::StructSeq structs(unsigned i) {
  Param_Test::StructSeq s;
  s.length(i % 6);
  for (CORBA::ULong k = 0; k < s.length(); ++k) s[k] = var_struct(i + k);
  return s;
}

// ---- equality ----

bool same(const char* a, const char* b) { return std::strcmp(a, b) == 0; }

bool same(const Param_Test::Fixed_Struct& a, const Param_Test::Fixed_Struct& b) {
  return a.l == b.l && a.c == b.c && a.s == b.s && a.o == b.o && a.f == b.f && a.b == b.b && a.d == b.d;
}

bool same(const Param_Test::StrSeq& a, const Param_Test::StrSeq& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

bool same(const Param_Test::Var_Struct& a, const Param_Test::Var_Struct& b) {
  return same(a.dummy1, b.dummy1) && same(a.dummy2, b.dummy2) && same(a.seq, b.seq);
}

bool same(const Param_Test::Nested_Struct& a, const Param_Test::Nested_Struct& b) { return same(a.vs, b.vs); }

bool same(const Param_Test::StructSeq& a, const Param_Test::StructSeq& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

// ---- one call of each operation; true when every value is right ----

bool call_short(Param_Test_ptr test, unsigned i) {
  const auto a = static_cast<CORBA::Short>(i), b = static_cast<CORBA::Short>(i + 7);
  CORBA::Short s2 = b, s3 = 0;
  const CORBA::Short result = test->test_short(a, s2, s3);
  return result == a && s2 == a && s3 == b;
}

bool call_string(Param_Test_ptr test, unsigned i) {
  const std::string a = text(i), b = text(i + 7);
  CORBA::String_var s2 = b.c_str(), s3;
  const CORBA::String_var result = test->test_unbounded_string(a.c_str(), s2, s3);
  return same(result, a.c_str()) && same(s2, a.c_str()) && same(s3, b.c_str());
}

bool call_fixed_struct(Param_Test_ptr test, unsigned i) {
  const Param_Test::Fixed_Struct a = fixed_struct(i), b = fixed_struct(i + 7);
  Param_Test::Fixed_Struct s2 = b, s3;
  const Param_Test::Fixed_Struct result = test->test_fixed_struct(a, s2, s3);
  return same(result, a) && same(s2, a) && same(s3, b);
}

// The operations with values of variable length look alike.
template <class T, class Var, class Out>
bool call_variable(Param_Test_ptr test, T* (Param_Test::*operation)(const T&, T&, Out), const T& a, const T& b) {
  T s2 = b;
  Var s3;
  const Var result = (test->*operation)(a, s2, s3);
  return same(result.in(), a) && same(s2, a) && same(s3.in(), b);
}

bool call_strseq(Param_Test_ptr test, unsigned i) {
  return call_variable<Param_Test::StrSeq, Param_Test::StrSeq_var>(test, &Param_Test::test_strseq, strings(i),
                                                                   strings(i + 7));
}

bool call_var_struct(Param_Test_ptr test, unsigned i) {
  return call_variable<Param_Test::Var_Struct, Param_Test::Var_Struct_var>(test, &Param_Test::test_var_struct,
                                                                           var_struct(i), var_struct(i + 7));
}

bool call_nested_struct(Param_Test_ptr test, unsigned i) {
  const Param_Test::Nested_Struct a = {var_struct(i)}, b = {var_struct(i + 7)};
  return call_variable<Param_Test::Nested_Struct, Param_Test::Nested_Struct_var>(test, &Param_Test::test_nested_struct,
                                                                                 a, b);
}

bool call_struct_sequence(Param_Test_ptr test, unsigned i) {
  return call_variable<Param_Test::StructSeq, Param_Test::StructSeq_var>(test, &Param_Test::test_struct_sequence,
                                                                         structs(i), structs(i + 7));
}

const struct {
  const char* name;
  bool (*call)(Param_Test_ptr, unsigned);
} kOperations[] = {
    {"short", call_short},           {"unbounded_string", call_string},     {"fixed_struct", call_fixed_struct},
    {"strseq", call_strseq},         {"var_struct", call_var_struct},       {"nested_struct", call_nested_struct},
    {"struct_sequence", call_struct_sequence},
};

struct Arguments {
  std::string reference, operation;
  unsigned calls = 1000;
};

bool parse(int argc, char** argv, Arguments& a) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--ior") a.reference = argv[i + 1];
    else if (option == "--calls") a.calls = static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
    else if (option == "--operation") a.operation = argv[i + 1];
    else return false;
  }
  if (argc % 2 == 0 || a.reference.empty()) return false;
  if (std::ifstream file(a.reference); file) file >> a.reference;
  return true;
}

bool run(Param_Test_ptr test, const Arguments& arguments) {
  bool good = true;
  for (const auto& operation : kOperations) {
    if (!arguments.operation.empty() && arguments.operation != operation.name) continue;
    unsigned wrong = 0;
    const auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < arguments.calls; ++i)
      if (!operation.call(test, i)) ++wrong;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    std::cout << std::left << std::setw(18) << operation.name << std::right << std::setw(10) << std::fixed
              << std::setprecision(0) << arguments.calls / spent.count() << " calls/s";
    if (wrong) std::cout << ", " << wrong << " of " << arguments.calls << " with wrong values";
    std::cout << '\n';
    good = good && wrong == 0;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    Arguments arguments;
    if (!parse(argc, argv, arguments)) {
      std::cerr << "usage: param_test_client --ior FILE|IOR:... [--calls N] [--operation NAME]\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(arguments.reference.c_str());
    Param_Test_var test = Param_Test::_narrow(object);
    if (CORBA::is_nil(test)) {
      std::cerr << "param_test_client: that object is no Param_Test\n";
      return 1;
    }
    const bool good = run(test, arguments);
    orb->destroy();
    return good ? 0 : 1;
  } catch (const CORBA::Exception& e) {
    std::cerr << "param_test_client: " << e.what() << '\n';
    return 1;
  }
}
