// SPDX-License-Identifier: Apache-2.0
// What both programs have of valuetype Stop: its operation, and the factory that makes the values that arrive.
#pragma once
#include <callis/corba.h>
#include "trip.h"

class StopValue : public virtual OBV_Trip::Stop, public virtual CORBA::DefaultValueRefCountBase {
 public:
  StopValue() = default;
  StopValue(const char* name, Trip::Stop* next) : OBV_Trip::Stop(name, next) {}
  CORBA::ULong count() override { return next() == nullptr ? 1 : 1 + next()->count(); }
};

class StopFactory : public Trip::Stop_init {
 public:
  Trip::Stop* make(const char* name, Trip::Stop* next) override { return new StopValue(name, next); }

 private:
  CORBA::ValueBase* create_for_unmarshal() override { return new StopValue; }
};

// Before values are sent or received.
inline void register_stops(CORBA::ORB_ptr orb) {
  CORBA::ValueFactoryBase_var factory = new StopFactory;
  CORBA::ValueFactoryBase_var before = orb->register_value_factory("IDL:Trip/Stop:1.0", factory);
}
