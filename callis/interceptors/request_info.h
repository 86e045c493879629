// SPDX-License-Identifier: Apache-2.0
// The common part of RequestInfo on both sides (CORBA 3.0.3, 21.3.12). Each member is valid at some interception
// points only.
#pragma once
#include <callis/interceptors/contexts.h>
#include <callis/interceptors/parameters.h>
#include <callis/interceptors/slots.h>
#include <callis/orb/core/core.h>
#include <string>

namespace callis::interceptors {

// The interception points of one side, as bits. kNowhere is outside of all.
using Points = unsigned;

// The points at which members are valid, for members in which the sides differ. The other members of RequestInfo are
// valid at every point.
struct Validity {
  Points parameters;       // arguments
  Points declarations;     // exceptions, contexts
  Points operation_context;
  Points result;           // and of arguments those that come back
  Points sync_scope;
  Points ended;            // reply_status, get_reply_service_context
  Points other;            // forward_reference
  Points request_context;  // get_request_service_context
};

// One thread at a time calls. The object lives as long as somebody counts it, but its members are valid only at an
// interception point.
class CommonInfo : public virtual PortableInterceptor::RequestInfo {
 public:
  CORBA::ULong request_id() override;
  char* operation() override;
  Dynamic::ParameterList* arguments() override;
  Dynamic::ExceptionList* exceptions() override;
  Dynamic::ContextList* contexts() override;
  Dynamic::RequestContext* operation_context() override;
  CORBA::Any* result() override;
  CORBA::Boolean response_expected() override;
  Messaging::SyncScope sync_scope() override;
  PortableInterceptor::ReplyStatus reply_status() override;
  CORBA::Object_ptr forward_reference() override;
  CORBA::Any* get_slot(PortableInterceptor::SlotId id) override;
  IOP::ServiceContext* get_request_service_context(IOP::ServiceId id) override;
  IOP::ServiceContext* get_reply_service_context(IOP::ServiceId id) override;

  // --- for who runs the points ---

  static constexpr Points kNowhere = 0;
  void set_point(Points point) { point_ = point; }
  ContextList& request_contexts() { return request_contexts_; }
  ContextList& reply_contexts() { return reply_contexts_; }
  Slots& slots() { return slots_; }

  // Notes how the request ended.
  void set_end(PortableInterceptor::ReplyStatus status, const CORBA::Exception* exception,
               CORBA::Object_ptr forward) {
    status_ = status;
    exception_ = exception;
    forward_ = CORBA::Object::_duplicate(forward);
  }

 protected:
  CommonInfo(orb::Core& core, const SlotSpace& space, const Validity& validity, std::uint32_t id,
             std::string_view operation)
      : core_(core), space_(space), validity_(validity), id_(id), operation_(operation) {}

  // Raises BAD_INV_ORDER, OMG minor 14, unless this is one of these points.
  void check(Points valid) const;
  // Raises NO_RESOURCES, OMG minor 1: stubs and skeletons do not tell this.
  [[noreturn]] static void not_available();

  // Returns the operation's tables; nullptr if there are none, or they do not tell the parameters.
  virtual const marshal::OperationPlans* plans() const = 0;
  // For an operation without tables whose types are known.
  virtual const orb::DynamicOperation* dynamic() const = 0;
  // These return where the arguments, or the results, begin in a message; `made` may hold them.
  virtual cdr::Decoder arguments_at(Encoded& made) = 0;
  virtual cdr::Decoder results_at(Encoded& made) = 0;
  // These return the step to which faults of reading them belong.
  virtual orb::Step step_of_arguments() const = 0;
  virtual orb::Step step_of_results() const = 0;

  orb::Core& core_;
  const SlotSpace& space_;
  ContextList request_contexts_, reply_contexts_;
  Slots slots_;
  PortableInterceptor::ReplyStatus status_ = PortableInterceptor::UNKNOWN;
  const CORBA::Exception* exception_ = nullptr;  // of whoever runs the points
  CORBA::Object_var forward_;
  bool response_expected_ = true;
  orb::SyncScope sync_scope_ = orb::SyncScope::Target;

 private:
  static constexpr Points kEverywhere = ~0u;
  const OperationTypes& types() const;
  // The types of dynamic(). The result's type is not known before there is a result.
  mutable std::unique_ptr<const OperationTypes> of_dynamic_;

  const Validity& validity_;
  Points point_ = kNowhere;
  const std::uint32_t id_;
  const std::string operation_;
};

}  // namespace callis::interceptors
