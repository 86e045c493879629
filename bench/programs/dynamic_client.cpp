// SPDX-License-Identifier: Apache-2.0
// The client of the measurements without stubs: its requests are made by DII, anew for each call.
//
//   client param_test --reference FILE [--calls N] [--operations a,b]
//   client ttcp --reference FILE [--megabytes N] [--types a,b] [--sizes 1K,64K]
//   client far --reference FILE [--calls N]: deferred calls, which are sent before the first result is waited for
//
// As programs/client.cpp otherwise.
#include "../common/dynamic_orb.h"
#include "../common/local_server.h"
#include "../common/values.h"
#include "../peers/common/clients.h"
#include "../peers/common/far.h"
#include "../peers/common/flood.h"
#include "../peers/common/latency.h"
#include <stdexcept>

namespace {

using namespace bench;
using P = Param_Test;

// `is` tells whether an any has the value that was sent.
template <class Insert, class Is>
void call_operation(const Options& o, CORBA::Object_ptr object, const char* operation, CORBA::TypeCode_ptr type,
                    Insert insert, Is is) {
  CORBA::Request_var request;
  param_test(
      o, operation,
      [&] {
        CORBA::Any s1, s2;
        insert(s1, s2);
        request = called(object, operation, s1, s2, type);
      },
      [&] { return is(argument(request, 1)) && is(argument(request, 2)) && is(request->return_value()); });
}

template <class T>
void call_variable(const Options& o, CORBA::Object_ptr object, const char* operation, CORBA::TypeCode_ptr type) {
  T s1, s2;
  fill(s1, 1);
  fill(s2, 2);
  call_operation(
      o, object, operation, type,
      [&](CORBA::Any& a, CORBA::Any& b) {
        a <<= s1;
        b <<= s2;
      },
      [&](const CORBA::Any& any) {
        const T* found = nullptr;
        return (any >>= found) && same(*found, s1);
      });
}

void call_operations(const Options& o, CORBA::ORB_ptr orb) {
  CORBA::Object_var p = orb->string_to_object(find_server(o).param.c_str());
  CORBA::Short n = 0;
  call_operation(
      o, p, "test_short", CORBA::_tc_short,
      [&](CORBA::Any& a, CORBA::Any& b) {
        a <<= ++n;
        b <<= CORBA::Short(0);
      },
      [&](const CORBA::Any& any) {
        CORBA::Short found = 0;
        return (any >>= found) && found == n;
      });
  const std::string s = text(1), other = text(2);
  call_operation(
      o, p, "test_unbounded_string", CORBA::_tc_string,
      [&](CORBA::Any& a, CORBA::Any& b) {
        a <<= s.c_str();
        b <<= other.c_str();
      },
      [&](const CORBA::Any& any) {
        const char* found = nullptr;
        return (any >>= found) && s == found;
      });
  P::Fixed_Struct f = {1, 'c', 2, 3, 4.5f, true, 6.5};
  const P::Fixed_Struct f2 = f;
  call_operation(
      o, p, "test_fixed_struct", P::_tc_Fixed_Struct,
      [&](CORBA::Any& a, CORBA::Any& b) {
        ++f.l;
        a <<= f;
        b <<= f2;
      },
      [&](const CORBA::Any& any) {
        const P::Fixed_Struct* found = nullptr;
        return (any >>= found) && same(*found, f);
      });
  call_variable<P::StrSeq>(o, p, "test_strseq", P::_tc_StrSeq);
  call_variable<P::Var_Struct>(o, p, "test_var_struct", P::_tc_Var_Struct);
  call_variable<P::Nested_Struct>(o, p, "test_nested_struct", P::_tc_Nested_Struct);
  call_variable<P::StructSeq>(o, p, "test_struct_sequence", P::_tc_StructSeq);
}

template <class Seq>
void flood_type(const Options& o, const char* type, std::uint64_t size, ttcp_throughput_ptr ttcp, const Seq& s,
                const char* operation) {
  flood(o, type, size,
        [&] {
          CORBA::Request_var request = ttcp->_request(operation);
          request->add_in_arg() <<= s;
          request->send_oneway();
        },
        [&](std::uint64_t expected) { return ask_until(expected, [&] { return ask(ttcp); }); });
}

template <class T, class Seq>
void flood_numbers(const Options& o, const char* type, ttcp_throughput_ptr ttcp, const char* operation) {
  each_size(o, type, [&](std::uint64_t size) {
    Seq s;
    s.length(static_cast<CORBA::ULong>(size / sizeof(T)));
    for (CORBA::ULong i = 0; i < s.length(); ++i) s[i] = element<T>(i);
    flood_type(o, type, size, ttcp, s, operation);
  });
}

void send_floods(const Options& o, CORBA::ORB_ptr orb) {
  using T = ttcp_throughput;
  CORBA::Object_var object = orb->string_to_object(find_server(o).ttcp.c_str());
  ttcp_throughput_var ttcp = ttcp_throughput::_narrow(object);
  flood_numbers<CORBA::Short, T::ShortSeq>(o, "short", ttcp, "sendShortSeq");
  flood_numbers<CORBA::Char, T::CharSeq>(o, "char", ttcp, "sendCharSeq");
  flood_numbers<CORBA::Long, T::LongSeq>(o, "long", ttcp, "sendLongSeq");
  flood_numbers<CORBA::Octet, T::OctetSeq>(o, "octet", ttcp, "sendOctetSeq");
  flood_numbers<CORBA::Double, T::DoubleSeq>(o, "double", ttcp, "sendDoubleSeq");
  each_size(o, "BinStruct", [&](std::uint64_t size) {
    T::StructSeq s;
    fill(s, static_cast<CORBA::ULong>(size / sizeof(::BinStruct)));
    flood_type(o, "BinStruct", size, ttcp, s, "sendStructSeq");
  });
}

void call_far(const Options& o, CORBA::ORB_ptr orb) {
  const CORBA::Object_var p = orb->string_to_object(find_server(o).param.c_str());
  std::vector<CORBA::Request_var> requests(kFarPipelined);
  far_pipelined(
      o,
      [&](int i) {
        CORBA::Request_var& r = requests[static_cast<std::size_t>(i)];
        r = p->_request("test_short");
        r->add_in_arg() <<= static_cast<CORBA::Short>(i);
        r->add_inout_arg() <<= CORBA::Short(9);
        r->add_out_arg() <<= CORBA::Short(9);
        r->set_return_type(CORBA::_tc_short);
        r->send_deferred();
      },
      [&](int i) {
        CORBA::Request_ptr r = requests[static_cast<std::size_t>(i)];
        r->get_response();
        check(r);
        CORBA::Short result = -1, s2 = -1, s3 = -1;
        expect((r->return_value() >>= result) && (argument(r, 1) >>= s2) && (argument(r, 2) >>= s3) && result == i &&
                   s2 == i && s3 == i, "test_short");
      });
}

int run(int argc, char** argv) {
  std::vector<char*> words = without_orb_options(argc, argv);
  const Options o = parse(static_cast<int>(words.size()), words.data());
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
