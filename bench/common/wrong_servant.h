// SPDX-License-Identifier: Apache-2.0
// A servant of Param_Test whose results are wrong: to show that a client of the measurements notices.
#pragma once
#include "servants.h"
#include "values.h"

namespace bench {

class WrongParam final : public Param {
 public:
  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short_out s3) override {
    return static_cast<CORBA::Short>(Param::test_short(s1, s2, s3) + 1);
  }
  char* test_unbounded_string(const char* s1, char*& s2, CORBA::String_out s3) override {
    char* result = Param::test_unbounded_string(s1, s2, s3);
    result[0] = '!';
    return result;
  }
  P::Fixed_Struct test_fixed_struct(const P::Fixed_Struct& s1, P::Fixed_Struct& s2, P::Fixed_Struct& s3) override {
    P::Fixed_Struct result = Param::test_fixed_struct(s1, s2, s3);
    ++result.l;
    return result;
  }
  P::StrSeq* test_strseq(const P::StrSeq& s1, P::StrSeq& s2, P::StrSeq_out s3) override {
    return spoiled_result(Param::test_strseq(s1, s2, s3));
  }
  P::Var_Struct* test_var_struct(const P::Var_Struct& s1, P::Var_Struct& s2, P::Var_Struct_out s3) override {
    return spoiled_result(Param::test_var_struct(s1, s2, s3));
  }
  P::Nested_Struct* test_nested_struct(const P::Nested_Struct& s1, P::Nested_Struct& s2,
                                       P::Nested_Struct_out s3) override {
    return spoiled_result(Param::test_nested_struct(s1, s2, s3));
  }
  P::StructSeq* test_struct_sequence(const P::StructSeq& s1, P::StructSeq& s2, P::StructSeq_out s3) override {
    return spoiled_result(Param::test_struct_sequence(s1, s2, s3));
  }

 private:
  template <class T>
  static T* spoiled_result(T* result) {
    spoil(*result);
    return result;
  }
};

}  // namespace bench
