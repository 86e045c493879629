// SPDX-License-Identifier: Apache-2.0
// The server's side of any.idl.
#pragma once
#include "any_values.h"
#include "journal.h"

namespace interop {

class PeerServant final : public POA_AnyTest::Peer {
 public:
  explicit PeerServant(Journal& j) : journal_(j) {}

  CORBA::Any* same(const CORBA::Any& value) override {
    journal_.upcall();
    return new CORBA::Any(value);
  }
  AnyTest::Anys* swap(const CORBA::Any& first, CORBA::Any& second, CORBA::Any_out third) override {
    journal_.upcall();
    AnyTest::Anys_var all(new AnyTest::Anys);
    all->length(2);
    all[0] = first;
    all[1] = second;
    third = new CORBA::Any(second);
    second = first;
    return all._retn();
  }
  CORBA::Any* make(const char* which) override {
    journal_.upcall();
    CORBA::Any_var a(new CORBA::Any);
    const AnyTest::Peer_var self = _this();
    if (const AnyValue* v = any_value(which)) v->make(a.inout(), self.in());
    return a._retn();
  }
  CORBA::Boolean is(const char* which, const CORBA::Any& value) override {
    journal_.upcall();
    const AnyValue* const v = any_value(which);
    const bool good = v && v->good(value);
    journal_.expect(good, "is", which);
    return good;
  }
  CORBA::TypeCode_ptr type_of(const char* which) override {
    journal_.upcall();
    return CORBA::TypeCode::_duplicate(named_type(which));
  }
  CORBA::TypeCode_ptr same_type(CORBA::TypeCode_ptr type) override {
    journal_.upcall();
    return CORBA::TypeCode::_duplicate(type);
  }
  void fail() override {
    journal_.upcall();
    throw AnyTest::Trouble("asked for", AnyTest::blue);
  }

 private:
  Journal& journal_;
};

}  // namespace interop
