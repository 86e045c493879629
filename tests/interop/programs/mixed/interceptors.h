// SPDX-License-Identifier: Apache-2.0
// What the group `interceptors` puts beside requests and replies: a number in a service context; its successor comes
// back. With callis and JacORB by Portable Interceptors, with omniORB by its own. Those of callis also look at
// parameters and results. Of the group `deadlines`, for callis and JacORB: what comes back is the sum of the end
// times that the server has read in INVOCATION_POLICIES, its lower half.
#pragma once
#include "mapping.h"
#ifdef INTEROP_OMNIORB
#include <omniORB4/omniInterceptors.h>
#include <omniORB4/internal/giopStrand.h>
#include <omniORB4/internal/giopStream.h>
#include <omniORB4/internal/GIOP_C.h>
#include <omniORB4/internal/GIOP_S.h>
#elif !defined(INTEROP_MICRO)
#include <callis/interceptors.h>
#include <callis/messaging.h>
#include <callis/orb/base/utc.h>
#endif

namespace interop {

#ifdef INTEROP_MICRO  // has no interceptors

inline CORBA::ULong asks = 0, answered = 0;
constexpr CORBA::ULong kRefused = 13, kRefusedMinor = 4712;
inline void intercept() {}
inline void intercept_made() {}

#else

constexpr CORBA::ULong kAskedId = 0x4D495851, kAnsweredId = 0x4D495852;
constexpr CORBA::ULong kRefused = 13;          // the number that a server's interceptors refuse
constexpr CORBA::ULong kRefusedMinor = 4712;   // by NO_PERMISSION

// Of a thread: what its requests carry, 0 for nothing; what the last reply had; in a server what the request had.
inline thread_local CORBA::ULong asks = 0, answered = 0, asked = 0;

// An encapsulation, in big-endian order.
inline IOP::ServiceContext context_of(CORBA::ULong id, CORBA::ULong number) {
  IOP::ServiceContext c;
  c.context_id = id;
  c.context_data.length(8);
  for (CORBA::ULong i = 0; i < 8; ++i) c.context_data[i] = i < 4 ? 0 : CORBA::Octet(number >> (8 * (7 - i)));
  return c;
}
// In either order; 0 for what is no such number.
inline CORBA::ULong number_in(const IOP::ServiceContext& c) {
  if (c.context_data.length() != 8) return 0;
  CORBA::ULong n = 0;
  for (CORBA::ULong i = 0; i < 4; ++i) n = n << 8 | c.context_data[c.context_data[0] ? 7 - i : 4 + i];
  return n;
}

inline void refuse_if_told() {
  if (asked == kRefused) throw CORBA::NO_PERMISSION(kRefusedMinor, CORBA::COMPLETED_NO);
}

#ifdef INTEROP_OMNIORB

using omni::omniInterceptors;

inline CORBA::ULong find(const IOP::ServiceContextList& list, CORBA::ULong id) {
  for (CORBA::ULong i = 0; i < list.length(); ++i)
    if (list[i].context_id == id) return number_in(list[i]);
  return 0;
}
inline void add(IOP::ServiceContextList& list, const IOP::ServiceContext& c) {
  list.length(list.length() + 1);
  list[list.length() - 1] = c;
}

inline CORBA::Boolean send_request(omniInterceptors::clientSendRequest_T::info_T& info) {
  if (asks != 0) add(info.service_contexts, context_of(kAskedId, asks));
  return true;
}
inline CORBA::Boolean receive_reply(omniInterceptors::clientReceiveReply_T::info_T& info) {
  answered = find(info.service_contexts, kAnsweredId);
  return true;
}
inline CORBA::Boolean receive_request(omniInterceptors::serverReceiveRequest_T::info_T& info) {
  asked = find(info.giop_s.service_contexts(), kAskedId);
  refuse_if_told();
  return true;
}
inline CORBA::Boolean send_reply(omniInterceptors::serverSendReply_T::info_T& info) {
  if (asked != 0) add(info.giop_s.service_contexts(), context_of(kAnsweredId, asked + 1));
  return true;
}
inline CORBA::Boolean send_exception(omniInterceptors::serverSendException_T::info_T& info) {
  if (asked != 0) add(info.giop_s.service_contexts(), context_of(kAnsweredId, asked + 1));
  return true;
}

// Before and after ORB_init.
inline void intercept() {}
inline void intercept_made() {
  omniInterceptors* const all = omniORB::getInterceptors();
  all->clientSendRequest.add(&send_request);
  all->clientReceiveReply.add(&receive_reply);
  all->serverReceiveRequest.add(&receive_request);
  all->serverSendReply.add(&send_reply);
  all->serverSendException.add(&send_exception);
}

#else

namespace PI = PortableInterceptor;

// Of a thread: its requests say that their time passed in 1582.
inline thread_local bool late = false;

inline IOP::ServiceContext late_policies() {
  callis::ior::PolicyValues values;
  values.add(Messaging::REQUEST_END_TIME_POLICY_TYPE, callis::ior::Moment(1));
  IOP::ServiceContext c;
  c.context_id = IOP::INVOCATION_POLICIES;
  c.context_data.length(static_cast<CORBA::ULong>(values.bytes().size()));
  std::memcpy(c.context_data.get_buffer(), values.bytes().data(), values.bytes().size());
  return c;
}
inline CORBA::ULong end_times_in(const IOP::ServiceContext& c) {
  const callis::ByteView bytes(reinterpret_cast<const callis::Byte*>(c.context_data.get_buffer()),
                               c.context_data.length());
  CORBA::ULong sum = 0;
  for (const CORBA::ULong type : {Messaging::REQUEST_END_TIME_POLICY_TYPE, Messaging::REPLY_END_TIME_POLICY_TYPE}) {
    const auto value = callis::ior::find_policy_value(bytes, type);
    if (value && !value->empty())
      sum += static_cast<CORBA::ULong>(callis::ior::read_moment(value.value()).value_or(0));
  }
  return sum;
}

// What echo_choices takes and gives is the same, whoever has written it. Compiled stubs and skeletons do not tell.
inline void look_at_parameters(PI::RequestInfo_ptr ri) {
  if (std::strcmp(CORBA::String_var(ri->operation()), "echo_choices") != 0) return;
  Dynamic::ParameterList_var list;
  try {
    list = ri->arguments();
  } catch (const CORBA::NO_RESOURCES&) {
    return;
  }
  const CORBA::Any_var result = ri->result();
  const Mixed::Choices *there = nullptr, *back = nullptr;
  bool same = list->length() == 1 && (list.in()[0].argument >>= there) && (result.in() >>= back) &&
              there->length() == 3 && back->length() == 3;
  for (CORBA::ULong i = 0; same && i < 3; ++i) {
    const Mixed::Choice &a = (*there)[i], &b = (*back)[i];
    same = a._d() == b._d();
    if (!same) break;
    if (a._d() == Mixed::red) same = a.number() == b.number();
    else if (a._d() == Mixed::green) same = std::strcmp(a.text(), b.text()) == 0;
    else same = a.place().x == b.place().x && a.place().y == b.place().y && a.place().z == b.place().z;
  }
  if (!same) throw CORBA::INTERNAL(4713, CORBA::COMPLETED_YES);
}

class Asker final : public PI::ClientRequestInterceptor {
 public:
  char* name() override { return CORBA::string_dup("asker"); }
  void destroy() override {}
  void send_request(PI::ClientRequestInfo_ptr ri) override {
    answered = 0;
    if (asks != 0) ri->add_request_service_context(context_of(kAskedId, asks), false);
    if (late) ri->add_request_service_context(late_policies(), false);
  }
  void send_poll(PI::ClientRequestInfo_ptr) override {}
  void receive_reply(PI::ClientRequestInfo_ptr ri) override {
    look(ri);
    look_at_parameters(ri);
  }
  void receive_exception(PI::ClientRequestInfo_ptr ri) override { look(ri); }
  void receive_other(PI::ClientRequestInfo_ptr) override {}

 private:
  static void look(PI::ClientRequestInfo_ptr ri) {
    try {
      const IOP::ServiceContext_var c = ri->get_reply_service_context(kAnsweredId);
      answered = number_in(c.in());
    } catch (const CORBA::BAD_PARAM&) {  // there is none
    }
  }
};

class Answerer final : public PI::ServerRequestInterceptor {
 public:
  char* name() override { return CORBA::string_dup("answerer"); }
  void destroy() override {}
  void receive_request_service_contexts(PI::ServerRequestInfo_ptr ri) override {
    try {
      const IOP::ServiceContext_var c = ri->get_request_service_context(kAskedId);
      asked = number_in(c.in());
      ri->add_reply_service_context(context_of(kAnsweredId, asked + 1), false);
    } catch (const CORBA::BAD_PARAM&) {
      asked = 0;
    }
    try {
      const IOP::ServiceContext_var c = ri->get_request_service_context(IOP::INVOCATION_POLICIES);
      ri->add_reply_service_context(context_of(kAnsweredId, end_times_in(c.in())), false);
    } catch (const CORBA::BAD_PARAM&) {  // there is none
    }
  }
  void receive_request(PI::ServerRequestInfo_ptr) override { refuse_if_told(); }
  void send_reply(PI::ServerRequestInfo_ptr ri) override { look_at_parameters(ri); }
  void send_exception(PI::ServerRequestInfo_ptr) override {}
  void send_other(PI::ServerRequestInfo_ptr) override {}
};

class Initializer final : public PI::ORBInitializer {
 public:
  void pre_init(PI::ORBInitInfo_ptr info) override {
    const PI::ClientRequestInterceptor_var asker = new Asker;
    const PI::ServerRequestInterceptor_var answerer = new Answerer;
    info->add_client_request_interceptor(asker.in());
    info->add_server_request_interceptor(answerer.in());
  }
  void post_init(PI::ORBInitInfo_ptr) override {}
};

inline void intercept() {
  const PI::ORBInitializer_var initializer = new Initializer;
  PI::register_orb_initializer(initializer.in());
}
inline void intercept_made() {}

#endif

#endif

// Whether the arguments ask for interceptors.
inline bool intercepts(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "interceptors") == 0 || std::strcmp(argv[i], "deadlines") == 0) return true;
  return false;
}

}  // namespace interop
