// SPDX-License-Identifier: Apache-2.0
// Call: what a Request becomes when it is made: arguments and results in Anys. DeferredCall: one with an Invocation.
//
//   invoke, send_oneway   a Call on the stack: orb::call(), as stubs do
//   send_deferred         a DeferredCall of the request's: its Invocation as far as Sent, on the thread that sends
//   get_response          from there to its end, on the thread that asks; poll_response as far as it goes at once
#pragma once
#include <callis/dynamic.h>
#include <callis/dynamic/deferred.h>
#include <callis/orb/client/invocation.h>
#include <callis/orb/context/dynamic_operation.h>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace callis::dynamic {

// A name of an operation that has been called. The process keeps it, and its address is the operation's
// CallOperation::identity, so that headers of requests are used again.
struct OperationName {
  std::string text;
  char identities[2];  // of calls with and without a reply

  // nullptr: it has no place among the first 1,024 names, or is long. A bridge gets its names from peers.
  static const OperationName* find(std::string_view text);
};

class Call : public orb::CallBody, public orb::DynamicOperation {
 public:
  // BAD_TYPECODE for an argument without a type.
  Call(CORBA::Request& request, bool oneway);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Makes it. Its end is in the environment.
  void run();

  // CallBody
  void encode(cdr::Encoder& to) final { encode_arguments(to); }
  void decode(cdr::Decoder& from) final;
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) final;

  // DynamicOperation
  CORBA::ULong parameter_count() const final { return request_.arguments_->count(); }
  CORBA::TypeCode_ptr parameter_type(CORBA::ULong i) const final;
  marshal::Direction parameter_direction(CORBA::ULong i) const final;
  CORBA::TypeCode_ptr result_type() const final;
  CORBA::ULong exception_count() const final {
    return request_.exceptions_.in() ? request_.exceptions_->count() : 0;
  }
  CORBA::TypeCode_ptr exception_type(CORBA::ULong i) const final { return request_.exceptions_->item(i); }
  bool has_context() const final { return pattern_count() != 0; }
  CORBA::ULong pattern_count() const final { return request_.contexts_.in() ? request_.contexts_->count() : 0; }
  const char* pattern(CORBA::ULong i) const final { return request_.contexts_->item(i); }
  void encode_arguments(cdr::Encoder& to) const final;
  void encode_results(cdr::Encoder& to) const final;

 protected:
  template <class Step>
  void take(Step step);

  CORBA::Request& request_;  // lasts longer than this
  orb::Reference& target_;
  const orb::CallOperation operation_;
  bool over_ = false;

 private:
  void encode_context(cdr::Encoder& to) const;
};

class DeferredCall final : public Call {
 public:
  explicit DeferredCall(CORBA::Request& request) : Call(request, false) {}
  ~DeferredCall();

  void send();
  // Goes on with it, until `limit` at the latest. True: it is over, and its end is in the environment.
  bool go_on(Deadline limit);
  // The end has been fetched.
  bool fetched() const { return fetched_; }
  void set_fetched() { fetched_ = true; }
  orb::OrbContext& orb() const { return target_.orb(); }
  // Of who goes on with it, or asks.
  std::mutex mutex;
  DeferredRequests::Place place;  // until its end has been fetched

 private:
  bool advance();

  bool fetched_ = false;
  std::optional<orb::Invocation> invocation_;
};

}  // namespace callis::dynamic
