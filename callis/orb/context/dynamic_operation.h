// SPDX-License-Identifier: Apache-2.0
// The description of an operation without tables, which a program calls or serves by types learned at run time
// (callis/dynamic.h). This is the seam between callis/dynamic and callis/interceptors; a program may have either
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
  // Objects that are returned by pointer belong to the operation.
  virtual CORBA::ULong parameter_count() const = 0;
  virtual CORBA::TypeCode_ptr parameter_type(CORBA::ULong i) const = 0;
  virtual marshal::Direction parameter_direction(CORBA::ULong i) const = 0;
  virtual CORBA::TypeCode_ptr result_type() const = 0;  // of void: tk_void
  virtual CORBA::ULong exception_count() const = 0;
  virtual CORBA::TypeCode_ptr exception_type(CORBA::ULong i) const = 0;
  virtual bool has_context() const = 0;
  virtual CORBA::ULong pattern_count() const = 0;
  virtual const char* pattern(CORBA::ULong i) const = 0;
  // Encode the current values: the arguments of a request, and the results of a reply. Faults go into the encoder.
  virtual void encode_arguments(cdr::Encoder& to) const = 0;
  virtual void encode_results(cdr::Encoder& to) const = 0;

 protected:
  ~DynamicOperation() = default;
};

// A request whose interceptors are called when its servant describes the arguments (CORBA 3.0.3, 21.3.8.2).
class DynamicPoints {
 public:
  // Called once, before the arguments are read. Calls receive_request. Returns false if an interceptor has ended the
  // request, which has been answered. operation is nullptr if the servant raises an exception without asking for the
  // arguments.
  virtual bool receive(const DynamicOperation* operation) = 0;
  // Called when the DynamicOperation is gone.
  virtual void gone() = 0;

 protected:
  ~DynamicPoints() = default;
};

}  // namespace callis::orb
