// SPDX-License-Identifier: Apache-2.0
// The servants of the test server, one for each interface of interop.idl that is published.
#pragma once
#include "activate.h"
#include "exchange.h"
#include <condition_variable>

namespace interop {

class ParamServant final : public POA_Param_Test {
  using P = Param_Test;

 public:
  explicit ParamServant(Journal& j) : x_(j) {}
  CORBA::Short test_short(CORBA::Short a, CORBA::Short& b, CORBA::Short& c) override {
    return x_.scalar<CORBA::Short>("test_short", a, b, c);
  }
  char* test_unbounded_string(const char* a, char*& b, CORBA::String_out c) override {
    return x_.string("test_unbounded_string", a, b, c);
  }
  P::Fixed_Struct test_fixed_struct(const P::Fixed_Struct& a, P::Fixed_Struct& b, P::Fixed_Struct& c) override {
    return x_.fixed("test_fixed_struct", a, b, c);
  }
  P::StrSeq* test_strseq(const P::StrSeq& a, P::StrSeq& b, P::StrSeq_out c) override {
    return x_.variable("test_strseq", a, b, c);
  }
  P::Var_Struct* test_var_struct(const P::Var_Struct& a, P::Var_Struct& b, P::Var_Struct_out c) override {
    return x_.variable("test_var_struct", a, b, c);
  }
  P::Nested_Struct* test_nested_struct(const P::Nested_Struct& a, P::Nested_Struct& b,
                                       P::Nested_Struct_out c) override {
    return x_.variable("test_nested_struct", a, b, c);
  }
  P::StructSeq* test_struct_sequence(const P::StructSeq& a, P::StructSeq& b, P::StructSeq_out c) override {
    return x_.variable("test_struct_sequence", a, b, c);
  }

 private:
  Exchange x_;
};

class BulkServant final : public POA_Interop::Bulk {
 public:
  explicit BulkServant(Journal& j) : x_(j) {}
  Interop::Booleans* b_booleans(const Interop::Booleans& a, Interop::Booleans& b, Interop::Booleans_out c) override {
    return x_.variable("b_booleans", a, b, c);
  }
  Interop::Chars* b_chars(const Interop::Chars& a, Interop::Chars& b, Interop::Chars_out c) override {
    return x_.variable("b_chars", a, b, c);
  }
  Interop::Octets* b_octets(const Interop::Octets& a, Interop::Octets& b, Interop::Octets_out c) override {
    return x_.variable("b_octets", a, b, c);
  }
  Interop::Shorts* b_shorts(const Interop::Shorts& a, Interop::Shorts& b, Interop::Shorts_out c) override {
    return x_.variable("b_shorts", a, b, c);
  }
  Interop::UShorts* b_ushorts(const Interop::UShorts& a, Interop::UShorts& b, Interop::UShorts_out c) override {
    return x_.variable("b_ushorts", a, b, c);
  }
  Interop::Longs* b_longs(const Interop::Longs& a, Interop::Longs& b, Interop::Longs_out c) override {
    return x_.variable("b_longs", a, b, c);
  }
  Interop::ULongs* b_ulongs(const Interop::ULongs& a, Interop::ULongs& b, Interop::ULongs_out c) override {
    return x_.variable("b_ulongs", a, b, c);
  }
  Interop::LongLongs* b_longlongs(const Interop::LongLongs& a, Interop::LongLongs& b,
                                  Interop::LongLongs_out c) override {
    return x_.variable("b_longlongs", a, b, c);
  }
  Interop::ULongLongs* b_ulonglongs(const Interop::ULongLongs& a, Interop::ULongLongs& b,
                                    Interop::ULongLongs_out c) override {
    return x_.variable("b_ulonglongs", a, b, c);
  }
  Interop::Floats* b_floats(const Interop::Floats& a, Interop::Floats& b, Interop::Floats_out c) override {
    return x_.variable("b_floats", a, b, c);
  }
  Interop::Doubles* b_doubles(const Interop::Doubles& a, Interop::Doubles& b, Interop::Doubles_out c) override {
    return x_.variable("b_doubles", a, b, c);
  }

 private:
  Exchange x_;
};

class TypesServant final : public POA_Interop::Types {
 public:
  explicit TypesServant(Journal& j) : x_(j) {}
  CORBA::Boolean t_boolean(CORBA::Boolean a, CORBA::Boolean& b, CORBA::Boolean& c) override {
    return x_.scalar<CORBA::Boolean>("t_boolean", a, b, c);
  }
  CORBA::Char t_char(CORBA::Char a, CORBA::Char& b, CORBA::Char& c) override {
    return x_.scalar<CORBA::Char>("t_char", a, b, c);
  }
  CORBA::Octet t_octet(CORBA::Octet a, CORBA::Octet& b, CORBA::Octet& c) override {
    return x_.scalar<CORBA::Octet>("t_octet", a, b, c);
  }
  CORBA::Short t_short(CORBA::Short a, CORBA::Short& b, CORBA::Short& c) override {
    return x_.scalar<CORBA::Short>("t_short", a, b, c);
  }
  CORBA::UShort t_ushort(CORBA::UShort a, CORBA::UShort& b, CORBA::UShort& c) override {
    return x_.scalar<CORBA::UShort>("t_ushort", a, b, c);
  }
  CORBA::Long t_long(CORBA::Long a, CORBA::Long& b, CORBA::Long& c) override {
    return x_.scalar<CORBA::Long>("t_long", a, b, c);
  }
  CORBA::ULong t_ulong(CORBA::ULong a, CORBA::ULong& b, CORBA::ULong& c) override {
    return x_.scalar<CORBA::ULong>("t_ulong", a, b, c);
  }
  CORBA::LongLong t_longlong(CORBA::LongLong a, CORBA::LongLong& b, CORBA::LongLong& c) override {
    return x_.scalar<CORBA::LongLong>("t_longlong", a, b, c);
  }
  CORBA::ULongLong t_ulonglong(CORBA::ULongLong a, CORBA::ULongLong& b, CORBA::ULongLong& c) override {
    return x_.scalar<CORBA::ULongLong>("t_ulonglong", a, b, c);
  }
  CORBA::Float t_float(CORBA::Float a, CORBA::Float& b, CORBA::Float& c) override {
    return x_.scalar<CORBA::Float>("t_float", a, b, c);
  }
  CORBA::Double t_double(CORBA::Double a, CORBA::Double& b, CORBA::Double& c) override {
    return x_.scalar<CORBA::Double>("t_double", a, b, c);
  }
  Interop::Colour t_colour(Interop::Colour a, Interop::Colour& b, Interop::Colour& c) override {
    return x_.scalar<Interop::Colour>("t_colour", a, b, c);
  }
  Interop::Primitives t_primitives(const Interop::Primitives& a, Interop::Primitives& b,
                                   Interop::Primitives& c) override {
    return x_.fixed("t_primitives", a, b, c);
  }
  Interop::Matrix_slice* t_matrix(const Interop::Matrix a, Interop::Matrix b, Interop::Matrix_out c) override;
  Interop::Names_slice* t_names(const Interop::Names a, Interop::Names b, Interop::Names_out c) override;
  Interop::Palette_slice* t_palette(const Interop::Palette a, Interop::Palette b, Interop::Palette_out c) override;
  Interop::Triangle_slice* t_triangle(const Interop::Triangle a, Interop::Triangle b,
                                      Interop::Triangle_out c) override;
  char* t_short_name(const char* a, char*& b, CORBA::String_out c) override {
    return x_.string("t_short_name", a, b, c);
  }
  Interop::FewLongs* t_few_longs(const Interop::FewLongs& a, Interop::FewLongs& b, Interop::FewLongs_out c) override {
    return x_.variable("t_few_longs", a, b, c);
  }
  Interop::FewNames* t_few_names(const Interop::FewNames& a, Interop::FewNames& b, Interop::FewNames_out c) override {
    return x_.variable("t_few_names", a, b, c);
  }
  Interop::Colours* t_colours(const Interop::Colours& a, Interop::Colours& b, Interop::Colours_out c) override {
    return x_.variable("t_colours", a, b, c);
  }
  Interop::Curves* t_curves(const Interop::Curves& a, Interop::Curves& b, Interop::Curves_out c) override {
    return x_.variable("t_curves", a, b, c);
  }
  Interop::Medley* t_medley(const Interop::Medley& a, Interop::Medley& b, Interop::Medley_out c) override {
    return x_.variable("t_medley", a, b, c);
  }
  Interop::Medleys* t_medleys(const Interop::Medleys& a, Interop::Medleys& b, Interop::Medleys_out c) override {
    return x_.variable("t_medleys", a, b, c);
  }
  Interop::Tree* t_tree(const Interop::Tree& a, Interop::Tree& b, Interop::Tree_out c) override {
    return x_.variable("t_tree", a, b, c);
  }
  CORBA::Double t_mixed(CORBA::Octet a, CORBA::Double b, CORBA::Boolean c, CORBA::Long d, const char* e,
                        CORBA::Double f, CORBA::Octet& g, CORBA::Double& h, CORBA::Char& i,
                        CORBA::Short& j) override;

 private:
  Exchange x_;
};

class VariantsServant final : public POA_Interop::Variants {
 public:
  explicit VariantsServant(Journal& j) : x_(j) {}
  Interop::Choice* v_choice(const Interop::Choice& a, Interop::Choice& b, Interop::Choice_out c) override {
    return x_.variable("v_choice", a, b, c);
  }
  Interop::Maybe v_maybe(const Interop::Maybe& a, Interop::Maybe& b, Interop::Maybe_out c) override {
    return x_.fixed("v_maybe", a, b, c);
  }
  Interop::Amount v_amount(const Interop::Amount& a, Interop::Amount& b, Interop::Amount_out c) override {
    return x_.fixed("v_amount", a, b, c);
  }
  Interop::Amounts* v_amounts(const Interop::Amounts& a, Interop::Amounts& b, Interop::Amounts_out c) override {
    return x_.variable("v_amounts", a, b, c);
  }
  Interop::Tickets* v_tickets(const Interop::Tickets& a, Interop::Tickets& b, Interop::Tickets_out c) override {
    return x_.variable("v_tickets", a, b, c);
  }

 private:
  Exchange x_;
};

class WideServant final : public POA_Interop::Wide {
 public:
  explicit WideServant(Journal& j) : x_(j) {}
  Interop::WStrings* w_strings(const Interop::WStrings& a, Interop::WStrings& b, Interop::WStrings_out c) override {
    return x_.variable("w_strings", a, b, c);
  }
  Interop::WChars* w_chars(const Interop::WChars& a, Interop::WChars& b, Interop::WChars_out c) override {
    return x_.variable("w_chars", a, b, c);
  }
  Interop::BroadPair* w_pair(const Interop::BroadPair& a, Interop::BroadPair& b, Interop::BroadPair_out c) override {
    return x_.variable("w_pair", a, b, c);
  }
  CORBA::WChar* w_string(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out c) override {
    x_.journal().upcall();
    const std::wstring in(a);
    const Size n = Size(in.size());
    x_.journal().expect(in == wide_text(n, kIn), "w_string", "in");
    x_.journal().expect(wide_text(n, kInout) == b, "w_string", "inout");
    CORBA::wstring_free(b);
    b = CORBA::wstring_dup(wide_text(n, kBack).c_str());
    c = CORBA::wstring_dup(wide_text(n, kOut).c_str());
    return CORBA::wstring_dup(wide_text(n, kResult).c_str());
  }

 private:
  Exchange x_;
};

class CallsServant final : public POA_Interop::Calls {
 public:
  explicit CallsServant(Journal& j);
  CORBA::Long level() override;
  void level(CORBA::Long value) override;
  char* motto() override;
  void motto(const char* value) override;
  Interop::Point position() override;
  void position(const Interop::Point& value) override;
  Interop::Longs* list() override;
  void list(const Interop::Longs& value) override;
  Interop::Colour hue() override;
  void nothing() override { journal_.upcall(); }
  CORBA::Long decide(CORBA::Long choice, CORBA::Long n, char*& text, Interop::Longs_out details) override;
  void fail(CORBA::Long how) override;
  void note(CORBA::Long n, const char* text) override;
  CORBA::Long notes(CORBA::Long n) override;

 private:
  Journal& journal_;
  std::mutex mutex_;
  std::condition_variable noted_;
  CORBA::Long notes_ = 0;
  CORBA::Long sum_ = 0;
  CORBA::Long level_ = 0;
  std::string motto_;
  Interop::Point position_{};
  Interop::Longs list_;
};

class LeafServant final : public POA_Interop::Leaf {
 public:
  LeafServant(PortableServer::POA_ptr poa, std::string name)
      : poa_(PortableServer::POA::_duplicate(poa)), name_(std::move(name)) {}
  char* name() override { return CORBA::string_dup(name_.c_str()); }
  CORBA::Long count() override { return ++count_; }
  Interop::Node_ptr next() override;
  Interop::Colour hue() override { return Interop::violet; }

 private:
  PortableServer::POA_var poa_;
  const std::string name_;
  std::atomic<CORBA::Long> count_{0};
};

class ObjectsServant final : public POA_Interop::Objects {
 public:
  ObjectsServant(Journal& j, PortableServer::POA_ptr poa)
      : journal_(j), poa_(PortableServer::POA::_duplicate(poa)) {}
  Interop::Leaf_ptr make(const char* name) override;
  Interop::Named_ptr make_named(const char* name) override { return make(name); }
  char* swap(Interop::Named_ptr a, Interop::Named_ptr& b, Interop::Named_out c) override;
  Interop::NamedSeq* reverse(const Interop::NamedSeq& all) override;
  Interop::Pair* t_pair(const Interop::Pair& p) override;
  CORBA::Object_ptr any_object(CORBA::Object_ptr o) override;
  Interop::Named_ptr nil() override;
  CORBA::Long call_back(Interop::Listener_ptr who, CORBA::Long n) override;

 private:
  Journal& journal_;
  PortableServer::POA_var poa_;
};

class TextServant final : public POA_Interop::Text {
 public:
  explicit TextServant(Journal& j) : journal_(j) {}
  char* join(const char* a, char*& b, CORBA::String_out c) override;

 private:
  Journal& journal_;
};

class ControlServant final : public POA_Interop::Control {
 public:
  explicit ControlServant(Journal& j) : journal_(j) {}
  CORBA::ULong upcalls() override { return journal_.upcalls(); }
  Interop::Strings* failures() override;

 private:
  Journal& journal_;
};

}  // namespace interop
