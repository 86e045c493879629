// SPDX-License-Identifier: Apache-2.0
// Whether who connects is what a proxy asks for.
#pragma once
#include <callis/deadline.h>
#include <callis/orb/client/reference.h>
#include <chrono>
#include <initializer_list>
#include "CosEventChannelAdmin.h"

namespace callis::events {

// Of what the reference of who connects takes, with the copies that calls with deadlines and policies need.
inline std::size_t bytes_of_peer(CORBA::Object_ptr peer) {
  constexpr std::size_t kCopies = 4, kForms = 2;  // as bytes, and as addresses
  const auto* const reference = peer ? peer->_callis_reference() : nullptr;
  if (!reference) return 0;
  std::size_t out = reference->ior().type_id.size();
  for (const auto& profile : reference->ior().profiles) out += sizeof profile + profile.data.size();
  return kCopies * kForms * out;
}

// If the reference itself names a type of `known`, nobody is asked. A peer that cannot be asked is believed: calls to
// it will fail.
template <class TypeError = CosEventChannelAdmin::TypeError, class X>
void check_type(X* object, std::initializer_list<const char*> known, std::chrono::milliseconds limit) {
  if (!object) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil reference: nobody could be called");
  if (const auto* const reference = object->_callis_reference())
    for (const char* id : known)
      if (reference->ior().type_id == id) return;
  bool is_one = true;
  try {
    is_one = deadline(object, limit)->_is_a(X::_repository_id());
  } catch (const CORBA::SystemException&) {}
  if (!is_one) throw TypeError();
}

// Of those that are pushed to.
inline void check_consumer(CosEventComm::PushConsumer_ptr consumer, std::chrono::milliseconds limit) {
  check_type(consumer, {"IDL:omg.org/CosEventComm/PushConsumer:1.0",
                        "IDL:omg.org/CosEventChannelAdmin/ProxyPushConsumer:1.0"}, limit);
}

}  // namespace callis::events
