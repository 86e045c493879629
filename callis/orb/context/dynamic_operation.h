// SPDX-License-Identifier: Apache-2.0
// What an operation that has no tables tells of itself: one that a program calls or serves by types that it learns at
// run time (callis/dynamic.h). The seam between callis/dynamic and callis/interceptors, each of which programs have
// without the other.
//
//   client   the CallBody of the call is a DynamicOperation
//   server   the ServerRequest of an intercepted request is a DynamicPoints, and is told of the DynamicOperation
#pragma once
#include <callis/cdr/encoder.h>
#include <callis/marshal/descriptor.h>
#include <callis/typecode/type_code.h>

namespace callis::orb {

class DynamicOperation {
 public:
  // What is returned by pointer belongs to the operation.
  virtual CORBA::ULong parameter_count() const = 0;
  virtual CORBA::TypeCode_ptr parameter_type(CORBA::ULong i) const = 0;
  virtual marshal::Direction parameter_direction(CORBA::ULong i) const = 0;
  virtual CORBA::TypeCode_ptr result_type() const = 0;  // of void: tk_void
  virtual CORBA::ULong exception_count() const = 0;
  virtual CORBA::TypeCode_ptr exception_type(CORBA::ULong i) const = 0;
  virtual bool has_context() const = 0;
  virtual CORBA::ULong pattern_count() const = 0;
  virtual const char* pattern(CORBA::ULong i) const = 0;
  // As they are now: what a request holds, and what a reply holds. Faults go into the encoder.
  virtual void encode_arguments(cdr::Encoder& to) const = 0;
  virtual void encode_results(cdr::Encoder& to) const = 0;

 protected:
  ~DynamicOperation() = default;
};

// A request whose interceptors hear of it when its servant tells what it takes (CORBA 3.0.3, 21.3.8.2).
class DynamicPoints {
 public:
  // The arguments are going to be read. Calls receive_request. False: an interceptor has ended the request, which has
  // been answered. Called once; operation is nullptr where the servant raises an exception without asking for them.
  virtual bool receive(const DynamicOperation* operation) = 0;
  // There is no such operation any more.
  virtual void gone() = 0;

 protected:
  ~DynamicPoints() = default;
};

}  // namespace callis::orb
