// SPDX-License-Identifier: Apache-2.0
// Call: what a Request becomes when it is made: arguments and results in Anys, and for a deferred one the Invocation.
//
//   invoke, send_oneway   orb::call(), as stubs do
//   send_deferred         an Invocation as far as Sent, on the thread that sends
//   get_response          from there to its end, on the thread that asks; poll_response as far as it goes at once
#pragma once
#include <callis/dynamic.h>
#include <callis/dynamic/deferred.h>
#include <callis/orb/client/invocation.h>
#include <callis/orb/context/dynamic_operation.h>
#include <mutex>
#include <optional>

namespace callis::dynamic {

class Call final : public orb::CallBody, public orb::DynamicOperation {
 public:
  enum class How : unsigned char { Synchronous, Oneway, Deferred };

  Call(CORBA::Request& request, How how);
  ~Call();

  // The call of a request that has none yet. BAD_TYPECODE for an argument without a type: there is no call then.
  static Call& begin(CORBA::Request& request, How how);
  void run();      // Synchronous and Oneway
  void send();     // Deferred
  // Goes on with a deferred call, until `limit` at the latest. True: it is over, and its end is in the environment.
  bool go_on(Deadline limit);
  // The end has been fetched.
  bool fetched() const { return fetched_; }
  void set_fetched() { fetched_ = true; }
  How how() const { return how_; }
  orb::OrbContext& orb() const { return target_->orb(); }
  // Of who goes on with it, or asks.
  std::mutex mutex;
  DeferredRequests::Place place;  // Deferred, until its end has been fetched

  // CallBody
  void encode(cdr::Encoder& to) override { encode_arguments(to); }
  void decode(cdr::Decoder& from) override;
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) override;

  // DynamicOperation
  CORBA::ULong parameter_count() const override { return request_.arguments_->count(); }
  CORBA::TypeCode_ptr parameter_type(CORBA::ULong i) const override;
  marshal::Direction parameter_direction(CORBA::ULong i) const override;
  CORBA::TypeCode_ptr result_type() const override;
  CORBA::ULong exception_count() const override {
    return request_.exceptions_.in() ? request_.exceptions_->count() : 0;
  }
  CORBA::TypeCode_ptr exception_type(CORBA::ULong i) const override { return request_.exceptions_->item(i); }
  bool has_context() const override { return pattern_count() != 0; }
  CORBA::ULong pattern_count() const override { return request_.contexts_.in() ? request_.contexts_->count() : 0; }
  const char* pattern(CORBA::ULong i) const override { return request_.contexts_->item(i); }
  void encode_arguments(cdr::Encoder& to) const override;
  void encode_results(cdr::Encoder& to) const override;

 private:
  void check() const;
  template <class Step>
  void take(Step step);
  void encode_context(cdr::Encoder& to) const;
  bool advance();

  CORBA::Request& request_;  // which has this
  const orb::ReferencePtr target_;
  const orb::CallOperation operation_;
  const How how_;
  bool fetched_ = false;
  bool over_ = false;
  std::optional<orb::Invocation> invocation_;
};

}  // namespace callis::dynamic
