// SPDX-License-Identifier: Apache-2.0
// Portable Interceptors: modules PortableInterceptor, Dynamic and IOP (CORBA 3.0.3, chapter 21, and 13.6 to 13.8).
// docs/guide/interceptors.md shows their use. Programs that include this link callis::interceptors.
//
// Interceptors are registered by an ORBInitializer, with every ORB that ORB_init makes after
// register_orb_initializer(). Their operations are called by the threads that call and serve, several at once. The
// *Info objects that they get are good for the thread and the time of that one operation.
//
// Initial references: "CodecFactory", "PICurrent".
//
// Codecs make encapsulations of GIOP 1.0 to 1.2, which differ in wide characters. InvalidTypeForEncoding: a value
// that has none, as wide characters in 1.0 and local objects. FormatMismatch: bytes that are no such value; what
// follows the value is ignored. Factory and codecs may be used by any thread.
#pragma once
#include <callis/base/cxx20.h>
#include <callis/corba.h>
#include <callis/orb/base/policy_management.h>
#include <callis/orb/core/standard_names.h>
#include <callis/transport/peer.h>
#include <memory>

#include <callis/idl/Dynamic.h>
#include <callis/idl/IOP.h>
#include <callis/idl/PortableInterceptor.h>

namespace PortableInterceptor::inline callis_orb {

// For the ORBs that are made from now on, as long as the process runs; keeps a count. In the order of registration.
// An exception that an initializer throws ends ORB_init, and the ORB. BAD_PARAM for nil. Any thread.
void register_orb_initializer(ORBInitializer_ptr initializer);

}  // namespace PortableInterceptor::inline callis_orb

namespace callis::interceptors {

// The system exception in what received_exception() and sending_exception() give; nullptr when it is none.
std::unique_ptr<CORBA::SystemException> system_exception_in(const CORBA::Any& any);

// Who has sent the request, as the operating system or the transport vouches for it: the address of the other end of
// the connection, or the user of a process on this machine. Kind::Memory: the request comes from this process. Valid
// at all points of a server's interceptor; BAD_INV_ORDER, OMG minor 14, afterwards. BAD_PARAM for an object that is
// not the ORB's.
transport::Peer client_of(PortableInterceptor::ServerRequestInfo_ptr info);

// Lets ORBs know the initial references above; done by including this file.
bool use();
[[maybe_unused]] static const bool used = use();

}  // namespace callis::interceptors
