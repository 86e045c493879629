// SPDX-License-Identifier: Apache-2.0
// The parameters of an operation by its tables, and their values read from messages (CORBA 3.0.3, 21.3.12).
#pragma once
#include <callis/base/buffer.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/interceptors.h>
#include <callis/marshal/plan.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/dynamic_operation.h>
#include <string>
#include <vector>

namespace callis::orb {
class Core;
}

namespace callis::interceptors {

// The TypeCodes of an operation (callis/typecode/of_descriptor.h). Constant.
class OperationTypes final {
 public:
  struct Parameter {
    CORBA::TypeCode_var type;
    marshal::Direction direction;
  };

  // The first caller has them made; they are kept with the plans. Any thread may call. Raises NO_MEMORY.
  static const OperationTypes& of(const marshal::OperationPlans& plans);
  // For an operation that has no tables.
  explicit OperationTypes(const orb::DynamicOperation& operation);

  const std::vector<Parameter>& parameters() const { return parameters_; }  // the context is none
  CORBA::TypeCode_ptr result() const { return result_.in(); }               // of void: tk_void
  const std::vector<CORBA::TypeCode_var>& exceptions() const { return exceptions_; }
  bool has_context() const { return has_context_; }
  const std::vector<std::string>& patterns() const { return patterns_; }  // of the context clause

 private:
  explicit OperationTypes(const marshal::OperationView& operation);

  std::vector<Parameter> parameters_;
  CORBA::TypeCode_var result_;
  std::vector<CORBA::TypeCode_var> exceptions_;
  std::vector<std::string> patterns_;
  bool has_context_;
};

// Reads the body of a request or a reply. The decoder that it begins at does not move, and the budget stays the same.
// The values are independent of the message. Faults are thrown as of that step. One thread uses a BodyReader.
class BodyReader final {
 public:
  BodyReader(const cdr::Decoder& at, orb::Step step);
  ~BodyReader();
  BodyReader(const BodyReader&) = delete;
  BodyReader& operator=(const BodyReader&) = delete;

  // Reads the arguments in a request: in and inout.
  void arguments(const OperationTypes& types, Dynamic::ParameterList& list);
  // Reads the context behind the arguments.
  void context(const OperationTypes& types, Dynamic::RequestContext& to);
  // Reads the result, which begins a reply, then the other results: out and inout.
  void result(const OperationTypes& types, CORBA::Any& to);
  void results(const OperationTypes& types, Dynamic::ParameterList& list);

 private:
  void read(const OperationTypes& types, marshal::Direction passed_over, Dynamic::ParameterList& list);
  void value(CORBA::TypeCode_ptr type, CORBA::Any& to);
  void check() const;

  cdr::Decoder in_;
  const cdr::Budget budget_;
  const orb::Step step_;
};

// Encodes a frame, to be read again.
class Encoded final {
 public:
  explicit Encoded(orb::Core& core) : core_(core) {}
  // Throws the fault of encoding as of that step.
  template <class Encode>
  cdr::Decoder made_by(Encode&& encode, orb::Step step) {
    cdr::Encoder e(bytes_);
    encode(e);
    return finish(e, step);
  }

 private:
  cdr::Decoder finish(cdr::Encoder& e, orb::Step step);

  orb::Core& core_;
  Buffer bytes_;
  cdr::Budget budget_{};
};

}  // namespace callis::interceptors
