// SPDX-License-Identifier: Apache-2.0
// Flow: how one request ends for interceptors, on either side (CORBA 3.0.3, 21.3.3, 21.3.5 and 21.3.9). Each
// interceptor whose starting point has returned gets one ending point, the last first. If an ending point throws, the
// next interceptors are told this exception.
#pragma once
#include <callis/interceptors/request_info.h>
#include <callis/orb/client/reference.h>

namespace callis::interceptors {

class Flow {
 public:
  enum class End : unsigned char { Reply, Exception, Other };

 protected:
  // Takes over a count of info.
  explicit Flow(CommonInfo* info) : info_(*info), counted_(info) {}
  ~Flow() { info_.set_point(CommonInfo::kNowhere); }
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  // Calls the ending point of interceptor i. Lets its exceptions through.
  virtual void call_ending_point(std::size_t i, End end) = 0;

  // Calls a starting or intermediate point. Returns false if the point throws: its exception then ends the request,
  // with COMPLETED_NO.
  template <class Point>
  bool passes(Point point) {
    try {
      point();
      return true;
    } catch (...) {
      end_by_interceptor(CORBA::COMPLETED_NO, true);
      return false;
    }
  }
  // Calls the ending points of interceptors that have not been told.
  void finish();

  void set_reply() { end_ = End::Reply; }
  void fail(std::unique_ptr<CORBA::Exception> e);
  // forward: nullptr unless status is LOCATION_FORWARD; counted.
  void set_other(PortableInterceptor::ReplyStatus status, CORBA::Object_ptr forward);

  CommonInfo& info_;
  std::size_t started_ =
      0;  // the flow stack: interceptors whose starting point has returned, and no ending point been called
  End end_ = End::Other;
  PortableInterceptor::ReplyStatus other_ = PortableInterceptor::SUCCESSFUL;
  std::unique_ptr<CORBA::Exception> exception_;
  CORBA::Object_var forward_;
  orb::ReferencePtr elsewhere_;  // where an interceptor has sent the request

 private:
  // The exception being handled ends the request.
  void end_by_interceptor(CORBA::CompletionStatus completed, bool may_forward);
  void tell(std::size_t i);
  CORBA::CompletionStatus completion() const;

  const PortableInterceptor::RequestInfo_var counted_;  // info_
};

}  // namespace callis::interceptors
