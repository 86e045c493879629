// SPDX-License-Identifier: Apache-2.0
// Objects that one servant stands for: their ids are numbers, which the servant asks for in each request. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace callis::services {

// The object id of the request that the calling thread executes; bytes from the peer, which end with the request.
// Throws BAD_INV_ORDER outside of requests.
std::string_view request_id();

// Both use 16 digits of hexadecimal; number_of() returns nothing for another text.
std::string digits_of(std::uint64_t number);
std::optional<std::uint64_t> number_of(std::string_view digits);

// Returns a random number, so that nobody guesses an id. Throws NO_RESOURCES if the system has none.
std::uint64_t new_number();

// An adapter below parent, under parent's manager, all of whose objects the servant serves. Takes over the caller's
// count of the servant.
PortableServer::POA_var make_adapter(PortableServer::POA_ptr parent, const char* name, bool persistent,
                                     PortableServer::ServantBase* servant);
// The caller owns it.
CORBA::Object_ptr make_reference(PortableServer::POA_ptr adapter, std::uint64_t number, const char* repository_id);

}  // namespace callis::services
