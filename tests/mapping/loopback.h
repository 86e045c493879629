// SPDX-License-Identifier: Apache-2.0
// An ORB of one page: what generated code needs of callis/orb and callis/poa, carrying calls within the process.
// invoke() encodes the request, finds the operation in the servant's skeleton, runs it and decodes the reply, in
// the byte order asked for, through bytes that tests may look at and spoil. One thread.
#pragma once
#include <callis/base/endian.h>
#include <callis/base/fault.h>
#include <callis/orb/base/object.h>
#include <callis/poa/servant/servant.h>
#include <functional>
#include <string>
#include <vector>

namespace loopback {

using Bytes = std::vector<std::uint8_t>;

struct Call {
  std::string operation;
  Bytes request, reply;
  std::string exception;  // repository id; empty for a normal reply
  callis::Fault server_fault = callis::Fault::None;  // of decoding arguments or encoding results
  bool operator==(const Call&) const = default;
};

struct Settings {
  callis::ByteOrder order = callis::kNativeOrder;
  // Of the request in memory, as the server sees it, from a multiple of 16.
  std::size_t misalignment = 1;
  // Called with the bytes before they are decoded.
  std::function<void(Bytes&)> spoil_request, spoil_reply;
};

Settings& settings();
// The last call; complete also when it failed.
Call& last_call();

// Whether an address was in the last request as its servant saw it. Those bytes are overwritten afterwards, as the
// next request on a connection would.
bool in_message(const void* p);

// References are told apart by numbers on the wire, counted for each style by itself.
void select_style(const std::string& name);

// A reference to a servant, which must outlive it; X is the interface's stub class.
void* reference(PortableServer::ServantBase& servant, void* (*create)(callis::orb::Reference*), const char* id);
template <class X>
X* reference(PortableServer::ServantBase& servant) {
  return static_cast<X*>(reference(servant, &X::_callis_create, X::_repository_id()));
}
// They are counted from 1 again, in every style. Objects that are held are not known any more where they arrive.
void forget_references();
// Equal for references to the same servant; 0 for nil.
unsigned key_of(CORBA::Object_ptr object);

// Puts things back as they were.
class Scope {
 public:
  Scope() : saved_(settings()) {}
  ~Scope() { settings() = saved_; }

 private:
  Settings saved_;
};

// Runs a servant's operation on bytes that no stub has written. Gives what serve() left in last_call().
void serve(PortableServer::ServantBase& servant, const std::string& operation, const Bytes& request);

}  // namespace loopback
