// SPDX-License-Identifier: Apache-2.0
// Sentences for the minor codes of docs/guide/minor-codes.md, and for those of the OMG's list that other ORBs send
// (CORBA 3.3 part 1, A.5). tests/house/minor_codes.py sees to it that each code of the guide is here.
#include <callis/classic/explanations.h>

CALLIS_PROVIDE(minor_sentences);

namespace callis::classic {
namespace {

struct OmgCode {
  Standard which;
  unsigned short minor;
  const char* sentence;
};

// clang-format off
constexpr OmgCode kOmg[] = {
    {Standard::UNKNOWN, 1, "a user exception was raised that the operation does not list"},
    {Standard::UNKNOWN, 2, "the server raised a system exception that is not in the OMG's list"},
    {Standard::UNKNOWN, 3, "an interceptor met a user exception that it does not know"},
    {Standard::BAD_PARAM, 1, "no factory of values: it is null, has no id, or is not registered"},
    {Standard::BAD_PARAM, 2, "the repository id is in the Interface Repository already"},
    {Standard::BAD_PARAM, 3, "the name is used in this container of the Interface Repository already"},
    {Standard::BAD_PARAM, 4, "the target is no container that can take this"},
    {Standard::BAD_PARAM, 5, "an inherited container has that name already"},
    {Standard::BAD_PARAM, 6, "an abstract interface was to hold what it cannot"},
    {Standard::BAD_PARAM, 7, "the text of a reference begins with no scheme that is known"},
    {Standard::BAD_PARAM, 8, "the text of a reference has a bad address"},
    {Standard::BAD_PARAM, 9, "the text of a reference has a bad part after its scheme"},
    {Standard::BAD_PARAM, 10, "the text of a reference cannot be read"},
    {Standard::BAD_PARAM, 13, "the TypeCode is not complete"},
    {Standard::BAD_PARAM, 14, "the object id is not one that this adapter gives"},
    {Standard::BAD_PARAM, 15, "a name is none of IDL"},
    {Standard::BAD_PARAM, 16, "a repository id has no valid form"},
    {Standard::BAD_PARAM, 17, "the name of a member is none of IDL"},
    {Standard::BAD_PARAM, 18, "two members of a union have the same label"},
    {Standard::BAD_PARAM, 19, "a label is not of the union's discriminator type"},
    {Standard::BAD_PARAM, 20, "the type of a union's discriminator is none that may be"},
    {Standard::BAD_PARAM, 21, "the any holds no exception"},
    {Standard::BAD_PARAM, 22, "the exception is none that the operation lists"},
    {Standard::BAD_PARAM, 23, "wide characters came without a code set having been agreed"},
    {Standard::BAD_PARAM, 24, "the id of the service context is not in the range of the OMG"},
    {Standard::BAD_PARAM, 25, "the number is none of the enumerators"},
    {Standard::BAD_PARAM, 26, "there is no service context of that id"},
    {Standard::BAD_PARAM, 27, "the reference is nil"},
    {Standard::BAD_PARAM, 28, "there is no component of that id"},
    {Standard::BAD_PARAM, 29, "there is no profile of that tag"},
    {Standard::BAD_PARAM, 30, "two policies of one type are in a list"},
    {Standard::BAD_PARAM, 31, "a oneway operation has results, or raises exceptions"},
    {Standard::BAD_PARAM, 32, "the operation is one that cannot be called dynamically"},
    {Standard::BAD_PARAM, 35, "the name of a context's property is not valid"},
    {Standard::BAD_PARAM, 36, "the pattern for names of a context's properties is not valid"},
    {Standard::BAD_PARAM, 37, "the name of a context is not valid"},
    {Standard::IMP_LIMIT, 1, "no profile of the reference can be used"},
    {Standard::INV_OBJREF, 1, "wide characters were to be sent, and the server's reference names no code set for "
                              "them"},
    {Standard::INV_OBJREF, 2, "the server demands a code set for wide characters"},
    {Standard::MARSHAL, 1, "nothing here can make a value of the type that came in: no factory is registered for it"},
    {Standard::MARSHAL, 2, "the reply names the exception by an id that cannot be read"},
    {Standard::MARSHAL, 3, "the service context cannot be read"},
    {Standard::MARSHAL, 4, "a local object cannot be sent, and has no text"},
    {Standard::MARSHAL, 5, "wide characters were sent in a request of GIOP 1.0"},
    {Standard::MARSHAL, 6, "wide characters were sent in a reply of GIOP 1.0"},
    {Standard::BAD_TYPECODE, 1, "the TypeCode is not complete, and cannot be sent"},
    {Standard::BAD_TYPECODE, 2, "a member's TypeCode is none that may be there"},
    {Standard::BAD_TYPECODE, 3, "the value of a context's property is no string"},
    {Standard::NO_IMPLEMENT, 1, "the class of the value is there, and its operations are not"},
    {Standard::NO_IMPLEMENT, 2, "the type of the value is not known here"},
    {Standard::NO_IMPLEMENT, 4, "the ORB has no servants of dynamic types"},
    {Standard::NO_IMPLEMENT, 5, "the local object has no such operation"},
    {Standard::NO_RESOURCES, 1, "this is not available at this interception point"},
    {Standard::NO_RESOURCES, 2, "no connection is left for this request"},
    {Standard::BAD_CONTEXT, 1, "there is no context of that name"},
    {Standard::BAD_CONTEXT, 2, "no property of the context matches"},
    {Standard::BAD_INV_ORDER, 1, "the Interface Repository has what depends on this"},
    {Standard::BAD_INV_ORDER, 2, "the Interface Repository does not let this be destroyed"},
    {Standard::BAD_INV_ORDER, 3, "the call would wait for itself: it was made in an upcall"},
    {Standard::BAD_INV_ORDER, 4, "the ORB has been shut down"},
    {Standard::BAD_INV_ORDER, 5, "the request has been sent already"},
    {Standard::BAD_INV_ORDER, 6, "the server's request has its arguments already"},
    {Standard::BAD_INV_ORDER, 10, "the request is not ready"},
    {Standard::BAD_INV_ORDER, 11, "the answer has been taken already"},
    {Standard::BAD_INV_ORDER, 12, "a value was asked for that is not there yet"},
    {Standard::BAD_INV_ORDER, 13, "the request cannot be sent twice"},
    {Standard::BAD_INV_ORDER, 14, "this is not valid at this interception point"},
    {Standard::BAD_INV_ORDER, 15, "a service context of that id has been added already"},
    {Standard::BAD_INV_ORDER, 16, "a policy factory of that type has been registered already"},
    {Standard::BAD_INV_ORDER, 17, "the adapter is being made or destroyed"},
    {Standard::BAD_INV_ORDER, 18, "the adapter's manager is inactive"},
    {Standard::TRANSIENT, 1, "the adapter discards requests, or held this one too long"},
    {Standard::TRANSIENT, 2, "no connection could be had"},
    {Standard::TRANSIENT, 3, "the operating system gave too few resources"},
    {Standard::TRANSIENT, 4, "the adapter is being destroyed"},
    {Standard::TRANSIENT, 5, "the adapter does not take requests at present"},
    {Standard::OBJ_ADAPTER, 1, "the adapter cannot serve: its manager is inactive, or an adapter activator failed"},
    {Standard::OBJ_ADAPTER, 2, "the servant manager gave a servant that is of another adapter's"},
    {Standard::OBJ_ADAPTER, 3, "the adapter has no default servant"},
    {Standard::OBJ_ADAPTER, 4, "the adapter has no servant manager"},
    {Standard::OBJ_ADAPTER, 5, "the servant manager went against the adapter's policies"},
    {Standard::OBJ_ADAPTER, 6, "an interceptor of references threw an exception"},
    {Standard::OBJ_ADAPTER, 7, "the servant manager gave no servant"},
    {Standard::DATA_CONVERSION, 1, "a character cannot be converted to the code set that has been agreed, or from "
                                   "it"},
    {Standard::DATA_CONVERSION, 2, "a number cannot be converted"},
    {Standard::OBJECT_NOT_EXIST, 1, "the object is not there any more"},
    {Standard::OBJECT_NOT_EXIST, 2, "the server has no such adapter: it is another server, or one that was started "
                                    "anew"},
    {Standard::OBJECT_NOT_EXIST, 3, "the value's type or factory is gone"},
    {Standard::OBJECT_NOT_EXIST, 4, "the object of the Interface Repository is gone"},
    {Standard::BAD_OPERATION, 1, "the servant manager's servant is of another class"},
    {Standard::BAD_OPERATION, 2, "the object has no such operation: client and server were built from different IDL"},
    {Standard::INV_POLICY, 1, "what the client has set cannot be reconciled with the policies of the server"},
    {Standard::INV_POLICY, 2, "no policies of that type are known"},
    {Standard::INV_POLICY, 3, "no factory of policies is registered for that type"},
    {Standard::CODESET_INCOMPATIBLE, 1, "client and server have no code set in common for the characters to be sent"},
    {Standard::CODESET_INCOMPATIBLE, 2, "the client named a code set that the server did not offer"},
    {Standard::INTF_REPOS, 1, "there is no Interface Repository"},
    {Standard::INTF_REPOS, 2, "the Interface Repository does not know that type"},
    {Standard::TIMEOUT, 1, "the reply's end time had passed before there was a reply"},
    {Standard::TIMEOUT, 2, "the request's time had passed: the deadline of the call, or the end time that the "
                           "client has set"},
    {Standard::TIMEOUT, 3, "the time that a policy sets for the whole call had passed"},
};

struct OwnCode {
  unsigned short minor;
  const char* sentence;
};

constexpr OwnCode kOwn[] = {
    {0x01, "a message ends inside a value"},
    {0x02, "a message has an element count that cannot fit the bytes that follow"},
    {0x03, "a string or sequence is longer than its bound"},
    {0x04, "a string has no final NUL, or another one inside"},
    {0x05, "a boolean is neither 0 nor 1"},
    {0x06, "a number is none of the enumerators"},
    {0x07, "an encapsulation is empty or has no valid byte order"},
    {0x08, "an object reference cannot be read"},
    {0x09, "a value is outside its type"},
    {0x0a, "values are nested too deeply"},
    {0x0b, "a message would need too much memory"},
    {0x0c, "a limit is exceeded"},
    {0x0d, "the peer does not speak GIOP"},
    {0x0e, "the peer speaks a version of GIOP that is not known"},
    {0x0f, "a message came that the peer may not send"},
    {0x10, "a message has a malformed header"},
    {0x11, "fragments of a message do not belong together"},
    {0x12, "nobody listens at any address of the reference"},
    {0x13, "an address did not answer in time"},
    {0x14, "the name of a host cannot be resolved"},
    {0x15, "the connection was lost with the call outstanding"},
    {0x18, "the operating system failed to connect, send or receive"},
    {0x19, "memory is exhausted"},
    {0x1a, "a null pointer was given as an argument or a result"},
    {0x1c, "this program has no code for that"},
    {0x22, "a value factory threw an exception, or a value that marshals itself did"},
    {0x24, "one side of a TLS connection does not accept who the other is"},
    {0x80, "the call was forwarded too often"},
    {0x81, "the server closed the connection in good order; the call was not executed"},
    {0x82, "an option is not known, or has a bad value"},
    {0x83, "the call was forwarded to a reference that is nil or cannot be used"},
    {0x84, "the server accepts no way of addressing the object"},
    {0x85, "the server did not understand the message"},
    {0x86, "an endpoint cannot be listened on"},
    {0x87, "the server has no object adapter, yet or any more"},
    {0x88, "an operation that is remote was called on a local object"},
    {0x89, "an operation was called on a nil reference"},
    {0x8a, "a peer's forward or reference leads to where -ORBForwardTo does not let calls go"},
    {0x90, "the call was forwarded, and RebindPolicy forbids to follow"},
    {0x91, "no connection is open, and RebindPolicy forbids to open one"},
    {0x92, "a policy of object adapters was to be set for calls"},
    {0x98, "there are no descriptors to serve with: -ORBServerThreads is single"},
    {0x99, "the request came over a bidirectional connection, and its adapter allows none"},
    {0x9a, "the request's start time has not come"},
    {0x9b, "no descriptor or no thread to wait for signals with"},
    {0x9c, "the ORB listened before fork() or daemon(): its ports and threads are the parent's"},
    {0xa0, "the adapter is there, and the object is not active in it"},
    {0xa1, "the adapter has been destroyed"},
    {0xa2, "a servant or reference is nil"},
    {0xa3, "there are too many adapters"},
    {0xa4, "there is no room for another object"},
    {0xa5, "a C++ exception that is no CORBA exception left the servant: the server's log has its type and text"},
    {0xa6, "std::bad_alloc left the servant"},
    {0xa7, "a servant manager forwarded to nil, or to a local object"},
    {0xa8, "the service's rules (--allow) have the operation for other callers"},
    {0xb0, "there are too many slots"},
    {0xb1, "an interceptor added service contexts or components beyond the limits"},
    {0xb2, "an interceptor threw an exception that it may not throw there"},
    {0xb3, "an interceptor, initializer or policy factory is nil"},
    {0xb4, "an interceptor forwarded to nil, or to a local object"},
    {0xc0, "-ORBRealTime is required, and the process may not have priorities, or not lock its memory"},
    {0xc1, "the thread has set no priority"},
    {0xc2, "a priority is outside 0 to 32767, or no lane of the thread pool has it"},
    {0xc3, "the priority mapping has no native priority for that one"},
    {0xc4, "the operating system refuses the priority"},
    {0xc5, "the calling thread has the mutex already"},
    {0xc6, "no thread has the mutex"},
    {0xc7, "another thread has the mutex"},
    {0xc8, "the mutex has been destroyed"},
    {0xc9, "a thread has the mutex that is to be destroyed"},
    {0xca, "a mutex is nil, of another ORB, or without a name"},
    {0xcb, "there are too many named mutexes"},
    {0xcc, "the thread pool cannot be made as it is asked for"},
    {0xcd, "this program has no thread pools"},
    {0xce, "a real-time policy, or a property of a protocol, has a bad value"},
    {0xcf, "there are too many references with priorities and without an object"},
    {0xd0, "a priority mapping is nullptr"},
    {0xd1, "an adapter's parent is nil, or an object is of no adapter that the scheduler has made"},
    {0xd2, "a real-time policy that is the ORB's default does not fit the adapter that is being made"},
    {0xd4, "a lane cannot have its address or its threads"},
    {0xd5, "the thread pool has more threads than -ORBMaxDispatches"},
    {0xd6, "there are too many thread pools, or the ORB is being shut down"},
    {0xd7, "an adapter has the thread pool, or the calling thread is one of its own"},
    {0xd8, "the thread pool is not there any more"},
    {0xd9, "the priority that the client tells is none, or cannot be read"},
    {0xda, "a priority transform returned false, or threw an exception"},
    {0xdb, "the threads of the lane are all busy"},
    {0xdc, "the server's priority mapping has no native priority for the request's"},
    {0xdd, "calls through the reference have had too many different priorities"},
    {0xde, "no band of the reference holds the thread's priority"},
    {0xdf, "the reference has no address of a protocol that ClientProtocolPolicy names"},
    {0xe0, "the distributable thread has been cancelled"},
    {0xe1, "the thread is in no scheduling segment that the application has begun"},
    {0xe2, "the innermost scheduling segment has another name"},
    {0xe3, "the distributable thread has ended"},
    {0xe4, "a scheduling parameter, priority, action or servant means nothing"},
    {0xe5, "the service context of dynamic scheduling cannot be read"},
    {0xe6, "a resource manager is locked by its holder, or unlocked by another thread"},
    {0xe7, "there is no native thread, or no random number, for a distributable thread"},
    {0xe8, "the process may not use SCHED_FIFO"},
    {0xe9, "the scheduler is none that callis has made"},
    {0xea, "a name has more than 255 characters"},
    {0xeb, "the request passed a cancellation on, which is done"},
};
// clang-format on

struct Vendor {
  CORBA::ULong id;
  const char* sentence;
};

constexpr Vendor kVendors[] = {
    {0x41540000, "a minor code of omniORB's own"},
    {0x54410000, "a minor code of TAO's own"},
    {0x54414000, "a minor code of TAO's own"},
    {0x4a430000, "a minor code of JacORB's own"},
    {0x53550000, "a minor code of the Java ORB's own"},
};

constexpr CORBA::ULong kVendorPart = 0xfffff000, kOwnVendor = 0x43414000;

std::string_view name_of(Standard which) {
  static constexpr const char* kNames[] = {
#define X(NAME) #NAME,
#include <callis/classic/system_exceptions.inc>
#undef X
  };
  return kNames[static_cast<unsigned>(which)];
}

}  // namespace

std::string_view minor_sentence(std::string_view name, CORBA::ULong minor) noexcept {
  const CORBA::ULong vendor = minor & kVendorPart, code = minor & ~kVendorPart;
  if (vendor == kOwnVendor) {
    for (const OwnCode& c : kOwn)
      if (c.minor == code) return c.sentence;
  } else if (vendor == CORBA::OMGVMCID) {
    for (const OmgCode& c : kOmg)
      if (c.minor == code && name_of(c.which) == name) return c.sentence;
  }
  for (const Vendor& v : kVendors)
    if (v.id == vendor) return v.sentence;
  return {};
}

}  // namespace callis::classic
