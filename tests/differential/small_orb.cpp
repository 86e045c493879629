// SPDX-License-Identifier: Apache-2.0
// As much of an ORB as generated code needs to encode references.
#include "small_orb.h"
#include "servants.h"
#include <callis/classic/exception.h>
#include <callis/marshal/plan.h>
#include <callis/orb/base/object.h>
#include <callis/orb/base/stub.h>
#include <callis/poa/servant/skeleton.h>

namespace callis::orb {

// The library has a class of that name too; it is not linked here.
class Reference {
 public:
  std::uint32_t key;
};

}  // namespace callis::orb

namespace differential {

using namespace callis;

namespace {

constexpr std::uint32_t kKeys = 3;
orb::Reference g_references[kKeys] = {{1}, {2}, {3}};

std::uint32_t key_of(const CORBA::Object* o) { return o ? o->_callis_reference()->key : 0; }

const orb::InterfaceLink* interface(const void* link) { return static_cast<const orb::InterfaceLink*>(link); }
CORBA::Object* object_of(const void* reference, const void* link) {
  void* const x = const_cast<void*>(reference);
  return link && x ? interface(link)->to_object(x) : static_cast<CORBA::Object*>(x);
}

class Plain final : public CORBA::Object {
 public:
  explicit Plain(orb::Reference* r) : Object(r) {}
};

void* make(std::uint32_t key, const void* link) {
  if (key == 0 || key > kKeys) return nullptr;
  if (link) return interface(link)->create(&g_references[key - 1]);
  return static_cast<CORBA::Object*>(new Plain(&g_references[key - 1]));
}

void put(cdr::Encoder& e, const CORBA::Object* o) {
  e.put_string(o ? "reference" : "");
  e.put_ulong(key_of(o));
}
void* get(cdr::Decoder& d, const void* link) {
  const std::uint32_t n = d.string_length();
  std::string text(n, ' ');
  if (n == 0 || !d.get_characters(text.data(), n)) return nullptr;
  const std::uint32_t key = d.get_ulong();
  if (key > kKeys) d.set_fault(Fault::BadReference);
  return d.ok() ? make(key, link) : nullptr;
}

const marshal::ReferenceHandlers kHandlers = {
    [](cdr::Encoder& e, const void* reference, const void* link) { put(e, object_of(reference, link)); }, get,
    [](void* x, const void* link) { CORBA::release(object_of(x, link)); },
    [](void* x, const void* link) {
      CORBA::Object::_duplicate(object_of(x, link));
      return x;
    }};
[[maybe_unused]] const bool installed = (marshal::set_reference_handlers(kHandlers), true);

}  // namespace

const marshal::testing::ReferenceHooks& references() {
  static const marshal::testing::ReferenceHooks hooks = {
      kKeys, make, [](const void* x, const void* link) { return key_of(object_of(x, link)); }};
  return hooks;
}

std::function<void(const void*)>& watcher() {
  static std::function<void(const void*)> w;
  return w;
}
void see(const void* value) { watcher()(value); }

}  // namespace differential

namespace callis::orb {

// Stubs are not called here.
void invoke(CORBA::Object*, const marshal::Unit&, marshal::Word, void*) { throw CORBA::NO_IMPLEMENT(); }
void invoke(CORBA::Object*, const CompiledOperation&, void*) { throw CORBA::NO_IMPLEMENT(); }
void* narrow(CORBA::Object*, const InterfaceLink&) { return nullptr; }
void* unchecked_narrow(CORBA::Object*, const InterfaceLink&) { return nullptr; }

void put_reference(cdr::Encoder& e, CORBA::Object* o) { differential::put(e, o); }
void* get_reference(cdr::Decoder& d, const InterfaceLink& link) { return differential::get(d, &link); }
CORBA::Object* get_object(cdr::Decoder& d) { return static_cast<CORBA::Object*>(differential::get(d, nullptr)); }

}  // namespace callis::orb

namespace callis::poa {

void check_arguments(const cdr::Decoder& d) {
  if (!d.ok()) throw CORBA::MARSHAL();
}
void* this_reference(PortableServer::ServantBase&, const orb::InterfaceLink&) { return nullptr; }
// The skeletons' operations are called here by their thunks.
void run_interpreted(const Target&, const SkeletonOperation&, orb::ServerRequest&) {}
void run_compiled(const Target&, const SkeletonOperation&, orb::ServerRequest&) {}
void run_either(const Target&, const SkeletonOperation&, orb::ServerRequest&) {}

// Skeletons ask the linker for the file that makes "RootPOA"; no adapter is linked here.
extern const char root_adapter_is_there;
const char root_adapter_is_there = 0;
}  // namespace callis::poa

namespace CORBA::inline callis_orb {

Object::Object(callis::orb::Reference* r) noexcept : reference_(r) {}
Object::~Object() = default;
Boolean Object::_is_a(const char*) { return false; }
Boolean Object::_non_existent() { return false; }
Boolean Object::_is_equivalent(Object_ptr) { return false; }
ULong Object::_hash(ULong) { return 0; }
ORB_ptr Object::_get_orb() { return nullptr; }
const char* Object::_interface_repository_id() const noexcept { return ""; }

}  // namespace CORBA::inline callis_orb

namespace PortableServer::inline callis_orb {

ServantBase::~ServantBase() = default;
POA_ptr ServantBase::_default_POA() { return nullptr; }
CORBA::Boolean ServantBase::_is_a(const char*) { return false; }
CORBA::Boolean ServantBase::_non_existent() { return false; }
void ServantBase::_add_ref() {}
void ServantBase::_remove_ref() {}
CORBA::ULong ServantBase::_refcount_value() { return 1; }

}  // namespace PortableServer::inline callis_orb
