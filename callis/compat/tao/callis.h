// SPDX-License-Identifier: Apache-2.0
// Each of TAO's headers brings this: the ORB, Any, policies, and the names that TAO has beyond the standard. Headers
// that bring more (adapters, Messaging, RTCORBA ...) include this one. <callis/tao.h>, which generated headers
// include, finds this folder by this file: TAO has no header of this name.
//
// ACE stays ACE. If the compiler finds <ace/Log_Msg.h>, in Debian's package or in callis/compat/ace, some headers of
// ACE come along, as they do with TAO's.
#pragma once
#if defined(TAO_ORB_CONFIG_H) || defined(TAO_CORBA_ORB_H) || defined(TAO_VERSIONED_NAMESPACE_H)
#error "callis/compat and TAO's own headers in one program: leave one of both out of the -I options"
#endif
#include <callis/corba.h>
#include <callis/deadline.h>
#include <callis/orb/base/policy_management.h>
#include <callis/orb/core/standard_names.h>
#include <callis/typecode/any.h>

#if __has_include(<ace/Log_Msg.h>)
#include <ace/CORBA_macros.h>
#include <ace/Guard_T.h>
#include <ace/Log_Msg.h>
#include <ace/OS_Memory.h>
#include <ace/OS_NS_stdio.h>
#include <ace/OS_NS_stdlib.h>
#include <ace/OS_NS_string.h>
#include <ace/OS_NS_unistd.h>
#include <ace/OS_main.h>
#include <ace/SString.h>
#include <ace/Synch_Traits.h>
#include <ace/Thread_Mutex.h>
#include <ace/Time_Value.h>
#else
#include <mutex>
#endif
#include <algorithm>
#include <concepts>
#include <string>

#define TAO_BEGIN_VERSIONED_NAMESPACE_DECL
#define TAO_END_VERSIONED_NAMESPACE_DECL
#ifndef TAO_HAS_CORBA_MESSAGING
#define TAO_HAS_CORBA_MESSAGING 1
#define TAO_HAS_VALUETYPE_FACTORY_RETURNS 1
#define TAO_HAS_INTERCEPTORS 1
#define TAO_HAS_RT_CORBA 1
#define TAO_HAS_DIFFSERV_LIBRARY 1
#endif

#if __has_include(<ace/Log_Msg.h>)
#define TAO_SYNCH_MUTEX ACE_SYNCH_MUTEX
#define TAO_SYNCH_RECURSIVE_MUTEX ACE_SYNCH_RECURSIVE_MUTEX
#define TAO_SYNCH_CONDITION ACE_SYNCH_CONDITION
#define TAO_SYNCH_RW_MUTEX ACE_SYNCH_RW_MUTEX
#else
#define TAO_SYNCH_MUTEX std::mutex
#define TAO_SYNCH_RECURSIVE_MUTEX std::recursive_mutex
#endif
#ifndef ACE_THROW_SPEC
#define ACE_THROW_SPEC(exceptions)
#endif

// The value of -ORBDebugLevel, which programs ask before they print. The ORB's own messages go by callis's log.
inline unsigned int TAO_debug_level = 0;

namespace callis::compat {

// Of Exception::_info(): a text with the names that ACE_CString has.
class ExceptionInfo {
 public:
  explicit ExceptionInfo(std::string text) : text_(std::move(text)) {}
  const char* c_str() const noexcept { return text_.c_str(); }
  const char* fast_rep() const noexcept { return text_.c_str(); }
  std::size_t length() const noexcept { return text_.size(); }
  // ACE_CString, std::string and whatever else is made of a const char*.
  template <class Text>
    requires(std::is_class_v<Text> && std::is_constructible_v<Text, const char*>)
  operator Text() const { return Text(text_.c_str()); }

 private:
  std::string text_;
};

}  // namespace callis::compat

namespace callis::classic {

// *var of a sequence, a struct or the like, and == of sequences: TAO's have both, and programs use them.
template <class S>
S& operator*(SequenceVar<S>& var) {
  return var.inout();
}
template <class S>
const S& operator*(const SequenceVar<S>& var) {
  return var.in();
}
template <class T>
T& operator*(VariableVar<T>& var) {
  return *var.operator->();
}
template <class Elements, CORBA::ULong Bound>
  requires std::same_as<Elements, Values<typename Elements::Slot>>
bool operator==(const SequenceOf<Elements, Bound>& a, const SequenceOf<Elements, Bound>& b) {
  return a.length() == b.length() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace callis::classic

namespace TAO::inline callis_compat {

// TAO's minor codes have these; no exception of callis does.
inline constexpr CORBA::ULong VMCID = 0x54410000U;
inline constexpr CORBA::ULong UNSPECIFIED_MINOR_CODE = VMCID;

}  // namespace TAO::inline callis_compat

// Stands below an ORB in TAO.
class TAO_ORB_Core {
 public:
  explicit TAO_ORB_Core(CORBA::ORB_ptr orb) : orb_(orb) {}
  CORBA::ORB_ptr orb() { return orb_; }
  const char* orbid() const { return id_.c_str(); }
  const char* server_id() const { return id_.c_str(); }
  void set_id(const char* id) { id_ = id; }
  // The ORB has no reactor; its sockets are served by threads, and this one is the program's: a thread runs its
  // events from the first call on. Only with Debian's ACE, which has class ACE_Reactor: include <tao/reactor.h>.
  class ACE_Reactor* reactor();
  class ACE_Reactor* reactor(class TAO_Acceptor*) { return reactor(); }

 private:
  CORBA::ORB_ptr orb_;
  std::string id_;
};

namespace CORBA::inline callis_orb {

// ORB_init with TAO's options, some of which have another meaning in callis: tao/options.cpp. Programs call it
// ORB_init, by the macro below.
ORB_ptr tao_ORB_init(int& argc, char** argv, const char* orb_id = nullptr);

}  // namespace CORBA::inline callis_orb
#define ORB_init tao_ORB_init
