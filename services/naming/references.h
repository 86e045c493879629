// SPDX-License-Identifier: Apache-2.0
// References of a naming service: those to its contexts, and those that are bound, as bytes.
//
// The object id of a context is the store's identity and the context's number, 8 bytes each, big-endian. So all
// instances on one store know a reference that one of them has made, and take no other service's for theirs. It
// carries the addresses of all instances (TAG_ALTERNATE_IIOP_ADDRESS): this one's first. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/ior/ior.h>
#include <callis/orb/options/message_source.h>
#include <callis/portable_server.h>
#include <services/naming/model.h>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callis::naming {

class References {
 public:
  // poa: of the contexts, with USER_ID and PERSISTENT.
  References(PortableServer::POA_ptr poa, Number identity);

  CORBA::Object_var context(Number number) const;
  // Of a reference to a context of this service, also one that does not exist any more.
  std::optional<Number> own_context(CORBA::Object_ptr object) const;
  // Of a request's object id. Nothing: of another service.
  std::optional<Number> number_in(ByteView object_id) const;

  // Where this instance is reached: of the references' first IIOP profile.
  std::vector<ior::Address> own_addresses() const;
  // Of the other instances; new references carry them. False: they were these already.
  bool set_others(std::vector<ior::Address> addresses);

  // Of any object; nil is a value, too. The bytes remember who has sent the reference (MessageSource), so that calls
  // lead nowhere nearer than to him, also when it has been kept in a store meanwhile. IMP_LIMIT for more than
  // kMostReferenceBytes; MARSHAL for a local object.
  static std::string to_bytes(CORBA::Object_ptr object);
  CORBA::Object_var from_bytes(std::string_view bytes) const;

  static constexpr std::size_t kMostReferenceBytes = 256u << 10;

 private:
  CORBA::Object_var make(ior::Ior&& ior, orb::MessageSource::From from) const;
  const ior::Ior& ior_of(CORBA::Object_ptr object) const;

  const PortableServer::POA_var poa_;
  const Number identity_;
  CORBA::Object_var root_;  // as the adapter makes it
  std::vector<Byte> key_prefix_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<ior::Address> others_;
};

// "host:port,[::1]:2809" and back; what is none is passed over.
std::string to_text(const std::vector<ior::Address>& addresses);
std::vector<ior::Address> addresses_in(std::string_view text);

}  // namespace callis::naming
