// SPDX-License-Identifier: Apache-2.0
#include <callis/dynamic_any.h>
#include <callis/orb/base/errors.h>
#include <tools/bridge/bridge.h>
#include <tools/bridge/forwarder.h>
#include <tools/call/session.h>

namespace callis::tools {

namespace {

std::string text_of(const PortableServer::ObjectId& id) {
  return {reinterpret_cast<const char*>(id.get_buffer()), id.length()};
}

}  // namespace

Bridge::Bridge(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa, Types& types, std::size_t most, Reader read,
               std::set<std::string> called)
    : orb_(CORBA::ORB::_duplicate(orb)),
      poa_(PortableServer::POA::_duplicate(poa)),
      signatures_(types),
      most_(most),
      read_(std::move(read)),
      called_(std::move(called)) {
  const CORBA::Object_var object = orb->resolve_initial_references("DynAnyFactory");
  factory_ = DynamicAny::DynAnyFactory::_narrow(object.in());
}

CORBA::Object_var Bridge::add(CORBA::Object_ptr target, const idl::ast::Interface& interface) {
  return stand_for(target, &interface);
}

const idl::ast::Interface* Bridge::interface_of(CORBA::Object_ptr target) {
  const char* const id = target->_interface_repository_id();
  if (const idl::ast::Interface* known = signatures_.find_interface(id); known || !read_) return known;
  const std::lock_guard guard(reading_);
  if (const idl::ast::Interface* known = signatures_.find_interface(id)) return known;
  try {
    return signatures_.find_interface(read_(target));
  } catch (const Failure& f) {
    orb::raise<CORBA::INTF_REPOS>(orb::omg(2), CORBA::COMPLETED_NO, f.text);
  }
}

// Not every reference that leads here is in the table: one that has been forgotten stays as it is.
CORBA::Object_var Bridge::across(CORBA::Object_ptr reference) {
  try {
    const PortableServer::ObjectId_var id = poa_->reference_to_id(reference);
    const std::lock_guard guard(mutex_);
    const auto own = by_id_.find(text_of(id.in()));
    return CORBA::Object::_duplicate(own != by_id_.end() ? own->second->to.in() : reference);
  } catch (const PortableServer::POA::WrongAdapter&) {
    return stand_for(reference, nullptr);
  }
}

CORBA::Object_var Bridge::stand_for(CORBA::Object_ptr target, const idl::ast::Interface* interface) {
  const CORBA::String_var text = orb_->object_to_string(target);
  const std::lock_guard guard(mutex_);
  if (const auto known = by_target_.find(text.in()); known != by_target_.end()) {
    Entry& entry = *known->second;
    if (interface && !std::exchange(entry.stays, true)) ++staying_;
    entries_.splice(entries_.begin(), entries_, known->second);
    return CORBA::Object::_duplicate(entry.from.in());
  }
  const char* const type = interface ? interface->repository_id.c_str() : target->_interface_repository_id();
  const CORBA::Object_var from = poa_->create_reference(type);
  const PortableServer::ObjectId_var id = poa_->reference_to_id(from.in());
  const PortableServer::Servant_var<Forwarder> servant(new Forwarder(*this, text_of(id.in()), target, interface));
  poa_->activate_object_with_id(id.in(), servant.in());
  entries_.push_front({text.in(), text_of(id.in()), CORBA::Object::_duplicate(target), from, interface != nullptr});
  by_target_[text.in()] = by_id_[text_of(id.in())] = entries_.begin();
  if (interface) ++staying_;
  forget_beyond();
  return from;
}

void Bridge::used(const std::string& id) {
  const std::lock_guard guard(mutex_);
  if (const auto at = by_id_.find(id); at != by_id_.end()) entries_.splice(entries_.begin(), entries_, at->second);
}

// Requests that a forgotten object serves go on.
void Bridge::forget_beyond() {
  for (auto at = entries_.end(); entries_.size() - staying_ > most_ && at != entries_.begin();) {
    --at;
    if (at->stays) continue;
    PortableServer::ObjectId id;
    id.length(static_cast<CORBA::ULong>(at->id.size()));
    std::copy(at->id.begin(), at->id.end(), id.get_buffer());
    poa_->deactivate_object(id);
    by_target_.erase(at->target);
    by_id_.erase(at->id);
    at = entries_.erase(at);
  }
}

}  // namespace callis::tools
