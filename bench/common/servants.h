// SPDX-License-Identifier: Apache-2.0
// The servants of the measurements: Param_Test's copies `in` to inout, out and result; ttcp_throughput's counts
// what arrives intact. One client at a time.
#pragma once
#include "../peers/common/flood.h"
#include "orb.h"
#include <mutex>
#include <type_traits>

namespace bench {

class Param : public POA_Param_Test {
 public:
  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short_out s3) override {
    s2 = s1;
    s3 = s1;
    return s1;
  }
  char* test_unbounded_string(const char* s1, char*& s2, CORBA::String_out s3) override {
    CORBA::string_free(s2);
    s2 = CORBA::string_dup(s1);
    s3 = CORBA::string_dup(s1);
    return CORBA::string_dup(s1);
  }
  Param_Test::Fixed_Struct test_fixed_struct(const Param_Test::Fixed_Struct& s1, Param_Test::Fixed_Struct& s2,
                                             Param_Test::Fixed_Struct& s3) override {
    s2 = s1;
    s3 = s1;
    return s1;
  }
  Param_Test::StrSeq* test_strseq(const Param_Test::StrSeq& s1, Param_Test::StrSeq& s2,
                                  Param_Test::StrSeq_out s3) override {
    return copy(s1, s2, s3);
  }
  Param_Test::Var_Struct* test_var_struct(const Param_Test::Var_Struct& s1, Param_Test::Var_Struct& s2,
                                          Param_Test::Var_Struct_out s3) override {
    return copy(s1, s2, s3);
  }
  Param_Test::Nested_Struct* test_nested_struct(const Param_Test::Nested_Struct& s1, Param_Test::Nested_Struct& s2,
                                                Param_Test::Nested_Struct_out s3) override {
    return copy(s1, s2, s3);
  }
  Param_Test::StructSeq* test_struct_sequence(const Param_Test::StructSeq& s1, Param_Test::StructSeq& s2,
                                              Param_Test::StructSeq_out s3) override {
    return copy(s1, s2, s3);
  }

 private:
  template <class T, class Out>
  static T* copy(const T& s1, T& s2, Out& s3) {
    s2 = s1;
    s3 = new T(s1);
    return new T(s1);
  }
};

class Ttcp final : public POA_ttcp_throughput {
 public:
  void sendShortSeq(const ttcp_throughput::ShortSeq& ts) override { count(ts); }
  void sendLongSeq(const ttcp_throughput::LongSeq& ts) override { count(ts); }
  void sendDoubleSeq(const ttcp_throughput::DoubleSeq& ts) override { count(ts); }
  void sendCharSeq(const ttcp_throughput::CharSeq& ts) override { count(ts); }
  void sendOctetSeq(const ttcp_throughput::OctetSeq& ts) override { count(ts); }
  void sendStructSeq(const ttcp_throughput::StructSeq& ts) override {
    const CORBA::ULong n = ts.length();
    add(n * sizeof(::BinStruct), n != 0 && right(ts[0], 0) && right(ts[n - 1], n - 1));
  }
  CORBA::ULongLong received(CORBA::ULongLong_out arrived, CORBA::ULongLong_out nanoseconds) override {
    std::lock_guard lock(mutex_);
    const Receipt r = tally_.take();
    arrived = r.arrived;
    nanoseconds = r.ns;
    return r.intact;
  }

 private:
  template <class Seq>
  void count(const Seq& ts) {
    using T = std::decay_t<decltype(ts[0])>;
    const CORBA::ULong n = ts.length();
    add(n * sizeof(T), n != 0 && ts[0] == element<T>(0) && ts[n - 1] == element<T>(n - 1));
  }
  void add(std::uint64_t bytes, bool intact) {
    std::lock_guard lock(mutex_);
    tally_.add(bytes, intact);
  }
  static bool right(const ::BinStruct& b, CORBA::ULong i) { return filled(b, i) && pad_filled(b.pad); }

  std::mutex mutex_;  // omniORB serves the requests of one connection by several threads at once
  Tally tally_;
};

// The client's side of received().
inline Receipt ask(ttcp_throughput_ptr ttcp) {
  CORBA::ULongLong arrived = 0, ns = 0;
  const CORBA::ULongLong intact = ttcp->received(arrived, ns);
  return {intact, arrived, ns};
}

}  // namespace bench
