// SPDX-License-Identifier: Apache-2.0
// An ORB of one page for the tests of the mapping.
#include "loopback.h"
#include <callis/base/limits.h>
#include <callis/classic/exception.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>
#include <callis/orb/base/stub.h>
#include <callis/poa/servant/skeleton.h>
#include <callis/poa/servant/tie.h>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

namespace callis::orb {

// The library has a class of that name too; it is not linked here.
class Reference {
 public:
  Reference(PortableServer::ServantBase* s, std::string i, unsigned k) : servant(s), id(std::move(i)), key(k) {}
  PortableServer::ServantBase* servant;
  std::string id;
  unsigned key;
};

}  // namespace callis::orb

namespace loopback {

using namespace callis;

namespace {

std::string& style() {
  static std::string s;
  return s;
}

using References = std::vector<std::unique_ptr<orb::Reference>>;

std::map<std::string, References>& references_by_style() {
  static std::map<std::string, References> all;
  return all;
}
References& references() { return references_by_style()[style()]; }

orb::Reference* find(unsigned key) {
  return key != 0 && key <= references().size() ? references()[key - 1].get() : nullptr;
}

// In place of an IOR: a text and a number.
void put(cdr::Encoder& e, CORBA::Object* o) {
  const orb::Reference* r = o ? o->_callis_reference() : nullptr;
  e.put_string(r ? "reference" : "");
  e.put_ulong(r ? r->key : 0);
}
orb::Reference* get(cdr::Decoder& d) {
  d.get_string();
  const unsigned key = d.get_ulong();
  orb::Reference* r = find(key);
  if (key != 0 && !r) d.set_fault(Fault::BadReference);
  return d.ok() ? r : nullptr;
}

// What a CORBA::Object is made of where no interface says better.
class Plain final : public CORBA::Object {
 public:
  explicit Plain(orb::Reference* r) : Object(r) {}
};

const marshal::ReferenceHandlers kHandlers = {
    [](cdr::Encoder& e, const void* reference, const void* link) {
      auto* x = const_cast<void*>(reference);
      if (!x || !link) return put(e, static_cast<CORBA::Object*>(x));
      put(e, static_cast<const orb::InterfaceLink*>(link)->to_object(x));
    },
    [](cdr::Decoder& d, const void* link) -> void* {
      orb::Reference* r = get(d);
      if (!r) return nullptr;
      if (link) return static_cast<const orb::InterfaceLink*>(link)->create(r);
      return static_cast<CORBA::Object*>(new Plain(r));
    },
    [](void* x, const void* link) {
      CORBA::release(link ? static_cast<const orb::InterfaceLink*>(link)->to_object(x)
                          : static_cast<CORBA::Object*>(x));
    },
    [](void* x, const void* link) {
      CORBA::Object::_duplicate(link ? static_cast<const orb::InterfaceLink*>(link)->to_object(x)
                                     : static_cast<CORBA::Object*>(x));
      return x;
    },
};
[[maybe_unused]] const bool installed = (marshal::set_reference_handlers(kHandlers), true);

class Request final : public orb::ServerRequest {
 public:
  Request(std::string_view operation, cdr::Decoder& arguments, Buffer& reply)
      : ServerRequest({operation, {}, arguments}), encoder_(reply, settings().order) {
    arguments.set_arena(&arena_);
  }
  cdr::Encoder& reply() override {
    encoder_.rewind(0);
    return encoder_;
  }
  cdr::Encoder& user_exception(const char* id) override {
    last_call().exception = id;
    return reply();
  }
  void system_exception(const CORBA::SystemException& e) override { last_call().exception = e._rep_id(); }
  void location_forward(const ior::Ior&) override {}
  Fault finish() {
    encoder_.finish();
    return encoder_.fault();
  }

 private:
  Arena arena_;
  cdr::Encoder encoder_;
};

void encode_interpreted(orb::ServerRequest& request, const marshal::OperationPlans& plans,
                        const CORBA::UserException& e) {
  for (marshal::Word i = 0; i < plans.exception_count; ++i) {
    const auto* link = static_cast<const orb::ExceptionLink*>(plans.exceptions[i].link);
    if (std::strcmp(link->repository_id, e._rep_id()) != 0) continue;
    marshal::encode(*plans.exceptions[i].body, &e, request.user_exception(e._rep_id()));
    return;
  }
  request.system_exception(CORBA::UNKNOWN(CORBA::OMGVMCID | 1, CORBA::COMPLETED_MAYBE));
}

void run_interpreted(const poa::Skeleton& skeleton, const poa::SkeletonOperation& op, void* self, Request& request) {
  const marshal::OperationPlans& plans = *marshal::operation_plans(*skeleton.unit, op.op);
  void* frame = ::operator new(plans.server_frame_bytes, std::align_val_t(plans.server_frame_alignment));
  std::memset(frame, 0, plans.server_frame_bytes);
  const auto free = [&plans](void* f) {
    marshal::destroy(*plans.server_frame, f);
    ::operator delete(f, std::align_val_t(plans.server_frame_alignment));
  };
  const std::unique_ptr<void, decltype(free)> owner(frame, free);
  if (!marshal::decode(*plans.server_request, frame, request.arguments())) {
    last_call().server_fault = request.arguments().fault();
    return request.system_exception(CORBA::MARSHAL());
  }
  try {
    op.thunk(self, frame);
    marshal::encode(*plans.server_reply, frame, request.reply());
  } catch (const CORBA::UserException& e) {
    encode_interpreted(request, plans, e);
  }
}

void run_compiled(const poa::Skeleton& skeleton, std::size_t index, void* self, Request& request) {
  try {
    skeleton.operations[index].serve(self, request);
  } catch (const CORBA::UserException& e) {
    const auto* list = skeleton.raises[index];
    for (; list && *list; ++list) {
      if (std::strcmp((*list)->repository_id, e._rep_id()) != 0) continue;
      return (*list)->encode(request.user_exception(e._rep_id()), e);
    }
    request.system_exception(CORBA::UNKNOWN(CORBA::OMGVMCID | 1, CORBA::COMPLETED_MAYBE));
  }
}

}  // namespace

void select_style(const std::string& name) { style() = name; }

Settings& settings() {
  static Settings s;
  return s;
}

Call& last_call() {
  static Call c;
  return c;
}

void* reference(PortableServer::ServantBase& servant, void* (*create)(orb::Reference*), const char* id) {
  for (const auto& r : references())
    if (r->servant == &servant) return create(r.get());
  references().push_back(
      std::make_unique<orb::Reference>(&servant, id, static_cast<unsigned>(references().size() + 1)));
  return create(references().back().get());
}

void forget_references() {
  static std::vector<References> held;
  for (auto& [style, known] : references_by_style()) held.push_back(std::exchange(known, {}));
}

namespace {
std::uintptr_t message_begin = 0, message_end = 0;
}

bool in_message(const void* p) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  return message_begin <= at && at < message_end;
}

unsigned key_of(CORBA::Object_ptr o) { return o ? o->_callis_reference()->key : 0; }

void serve(PortableServer::ServantBase& servant, const std::string& operation, const Bytes& request) {
  last_call() = {operation, request, {}, {}, Fault::None};
  const poa::Skeleton& skeleton = servant._callis_skeleton();
  const std::uint16_t index = skeleton.hash.find(operation.data(), operation.size());
  if (index == PerfectHash::kNowhere) throw CORBA::BAD_OPERATION();
  const marshal::OperationView entry(*skeleton.unit, skeleton.operations[index].op);
  if (operation != std::string(entry.name(), entry.name_length())) throw CORBA::BAD_OPERATION();

  const Limits limits;
  cdr::Budget budget = cdr::Budget::of(limits, request.size());
  // A copy of exactly these bytes, so that a sanitizer sees the end.
  const std::size_t off = settings().misalignment, size = request.size();
  const std::unique_ptr<Byte[]> exact(new Byte[size + off]);
  if (size) std::memcpy(exact.get() + off, request.data(), size);
  message_begin = reinterpret_cast<std::uintptr_t>(exact.get());
  message_end = message_begin + size + off;
  const struct Overwrite {
    Byte* at;
    std::size_t n;
    ~Overwrite() { std::memset(at, 0xee, n); }
  } overwrite{exact.get(), size + off};
  cdr::Decoder d({exact.get() + off, size}, settings().order, budget);
  Buffer reply(64);
  Request r(operation, d, reply);
  if (entry.compiled()) {
    try {
      run_compiled(skeleton, index, servant._callis_self(), r);
    } catch (const CORBA::SystemException& e) {
      last_call().server_fault = d.fault();
      r.system_exception(e);
    }
  } else {
    run_interpreted(skeleton, skeleton.operations[index], servant._callis_self(), r);
  }
  const Fault fault = r.finish();
  if (last_call().server_fault == Fault::None) last_call().server_fault = fault;
  if (last_call().server_fault == Fault::None) last_call().reply.assign(reply.data(), reply.data() + reply.size());
}

}  // namespace loopback

namespace callis::orb {

namespace {

using namespace loopback;

struct Client {
  std::string name;
  bool oneway;
  std::function<void(cdr::Encoder&)> encode;
  std::function<void(cdr::Decoder&)> decode;
  // A new exception with its members decoded, or nullptr for an unknown id.
  std::function<CORBA::UserException*(const char*, cdr::Decoder&)> exception;
};

void call(CORBA::Object* target, const Client& client) {
  Buffer buffer(64);
  Bytes request;
  {
    cdr::Encoder e(buffer, settings().order);
    client.encode(e);
    if (e.fault() != Fault::None) throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, fault_name(e.fault()));
    e.finish();
    request.assign(buffer.data(), buffer.data() + buffer.size());
  }
  if (settings().spoil_request) settings().spoil_request(request);
  serve(*target->_callis_reference()->servant, client.name, request);
  if (client.oneway) return;
  Call& done = last_call();
  if (done.server_fault != Fault::None) throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "server");
  Bytes reply = done.reply;
  if (settings().spoil_reply) settings().spoil_reply(reply);
  const Limits limits;
  cdr::Budget budget = cdr::Budget::of(limits, reply.size());
  cdr::Decoder d({reply.data(), reply.size()}, settings().order, budget);
  if (!done.exception.empty()) {
    const std::unique_ptr<CORBA::UserException> e(client.exception(done.exception.c_str(), d));
    if (!e) classic::throw_system_exception(done.exception, 0, CORBA::COMPLETED_MAYBE);
    if (!d.ok()) throw CORBA::MARSHAL(0, CORBA::COMPLETED_YES, fault_name(d.fault()));
    e->_raise();
  }
  client.decode(d);
  if (!d.ok()) throw CORBA::MARSHAL(0, CORBA::COMPLETED_YES, fault_name(d.fault()));
}

}  // namespace

void invoke(CORBA::Object* target, const marshal::Unit& unit, marshal::Word op, void* frame) {
  const marshal::OperationPlans& plans = *marshal::operation_plans(unit, op);
  Client c;
  c.name = std::string(plans.name, plans.name_length);
  c.oneway = plans.oneway;
  c.encode = [&](cdr::Encoder& e) { marshal::encode(*plans.client_request, frame, e); };
  c.decode = [&](cdr::Decoder& d) {
    if (!marshal::decode(*plans.client_reply, frame, d)) marshal::destroy(*plans.client_reply, frame);
  };
  c.exception = [&](const char* id, cdr::Decoder& d) -> CORBA::UserException* {
    for (marshal::Word i = 0; i < plans.exception_count; ++i) {
      const auto* link = static_cast<const ExceptionLink*>(plans.exceptions[i].link);
      if (std::strcmp(link->repository_id, id) != 0) continue;
      CORBA::UserException* e = link->create();
      marshal::decode(*plans.exceptions[i].body, e, d);
      return e;
    }
    return nullptr;
  };
  call(target, c);
}

void invoke(CORBA::Object* target, const CompiledOperation& operation, void* frame) {
  const marshal::OperationView view(*operation.unit, operation.op);
  Client c;
  c.name = std::string(view.name(), view.name_length());
  c.oneway = view.oneway();
  c.encode = [&](cdr::Encoder& e) { operation.encode(e, frame); };
  c.decode = [&](cdr::Decoder& d) { operation.decode(d, frame); };
  c.exception = [&](const char* id, cdr::Decoder& d) -> CORBA::UserException* {
    for (const auto* list = operation.raises; list && *list; ++list) {
      if (std::strcmp((*list)->repository_id, id) != 0) continue;
      CORBA::UserException* e = (*list)->create();
      (*list)->decode(d, *e);
      return e;
    }
    return nullptr;
  };
  call(target, c);
}

void* unchecked_narrow(CORBA::Object* object, const InterfaceLink& link) {
  return object ? link.create(object->_callis_reference()) : nullptr;
}
void* narrow(CORBA::Object* object, const InterfaceLink& link) {
  if (!object || !object->_is_a(link.repository_id)) return nullptr;
  return unchecked_narrow(object, link);
}

void put_reference(cdr::Encoder& e, CORBA::Object* object) { loopback::put(e, object); }
void* get_reference(cdr::Decoder& d, const InterfaceLink& link) {
  Reference* r = loopback::get(d);
  return r ? link.create(r) : nullptr;
}
CORBA::Object* get_object(cdr::Decoder& d) {
  Reference* r = loopback::get(d);
  return r ? new loopback::Plain(r) : nullptr;
}

}  // namespace callis::orb

namespace callis::poa {

void check_arguments(const cdr::Decoder& d) {
  if (!d.ok()) throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, fault_name(d.fault()));
}
void* this_reference(PortableServer::ServantBase& servant, const orb::InterfaceLink& link) {
  return loopback::reference(servant, link.create, link.repository_id);
}

}  // namespace callis::poa

namespace CORBA::inline callis_orb {

Object::Object(callis::orb::Reference* r) noexcept : reference_(r) {}
Object::~Object() = default;
Boolean Object::_is_a(const char* id) { return reference_ && reference_->servant->_is_a(id); }
Boolean Object::_non_existent() { return false; }
Boolean Object::_is_equivalent(Object_ptr o) { return o == this || (o && reference_ && o->reference_ == reference_); }
ULong Object::_hash(ULong maximum) { return maximum && reference_ ? reference_->key % maximum : 0; }
ORB_ptr Object::_get_orb() { return nullptr; }
const char* Object::_interface_repository_id() const noexcept { return reference_->id.c_str(); }

}  // namespace CORBA::inline callis_orb

// No adapter is linked here either.
namespace callis::poa {
PortableServer::POA_ptr duplicate_poa(PortableServer::POA_ptr poa) { return poa; }
void release_poa(PortableServer::POA_ptr) {}
// callis/portable_server.h asks the linker for the file that makes "RootPOA".
extern const char root_adapter_is_there;
const char root_adapter_is_there = 0;
}  // namespace callis::poa

namespace PortableServer::inline callis_orb {

ServantBase::~ServantBase() = default;
POA_ptr ServantBase::_default_POA() { return nullptr; }
CORBA::Boolean ServantBase::_is_a(const char* id) {
  for (const char* const* known = _callis_skeleton().repository_ids; *known; ++known)
    if (std::strcmp(*known, id) == 0) return true;
  return false;
}
CORBA::Boolean ServantBase::_non_existent() { return false; }
void ServantBase::_add_ref() { ++count_; }
void ServantBase::_remove_ref() { if (--count_ == 0) delete this; }
CORBA::ULong ServantBase::_refcount_value() { return count_; }

}  // namespace PortableServer::inline callis_orb
