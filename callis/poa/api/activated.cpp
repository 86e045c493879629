// SPDX-License-Identifier: Apache-2.0
// _this() as omniORB has it. A file of its own: only skeletons of --style=omniorb take it into a program.
#include <callis/base/log.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/context/upcall.h>
#include <callis/poa/api/initial.h>
#include <callis/poa/servant/skeleton.h>
#include <atomic>

namespace callis::poa {

namespace {

// The only adapter in which the servant is active, and the object's key there; nil if this is the default adapter.
PortableServer::POA_var find_elsewhere(PortableServer::ServantBase& servant, std::vector<Byte>& key) {
  const PortableServer::POA_var usual = servant._default_POA();
  const auto* const adapter = dynamic_cast<Adapter*>(usual.in());
  if (!adapter) return {};
  Registry::Guard guard(adapter->registry());
  Adapter* const only = guard.registry().sole_adapter_of(&servant);
  if (!only || only == adapter) return {};
  key = only->key_at(*only->slot_of(&servant));
  return PortableServer::POA::_duplicate(only);
}

void warn_once(PortableServer::POA_ptr adapter) {
  static std::atomic<bool> told{false};
  if (!logging(LogLevel::Warning) || told.exchange(true)) return;
  const CORBA::String_var name = adapter->the_name();
  log(LogLevel::Warning, {"_this() gives the object of the adapter \"", name.in(),
                          "\" in which the servant is active, as omniORB's does; the C++ mapping has a second object "
                          "in the servant's default adapter (callis-idl --standard-this)"});
}

}  // namespace

void* activated_reference(PortableServer::ServantBase& servant, const orb::InterfaceLink& link) {
  const orb::Upcall* u = orb::Upcall::innermost_entered();
  if (u && u->servant() == &servant) return this_reference(servant, link);
  std::vector<Byte> key;
  const PortableServer::POA_var adapter = find_elsewhere(servant, key);
  if (CORBA::is_nil(adapter.in())) return this_reference(servant, link);
  warn_once(adapter.in());
  const CORBA::Object_var object = reference_of(dynamic_cast<Adapter&>(*adapter.in()), key, &servant);
  return orb::unchecked_narrow(object.in(), link);
}

}  // namespace callis::poa
