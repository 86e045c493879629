// SPDX-License-Identifier: Apache-2.0
// References: as objects of the application, and in messages; the addresses in them.
#include <callis/marshal/handlers.h>
#include <callis/marshal/plan.h>
#include <callis/micro/orb.h>
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/base/stub.h>

namespace callis::micro {
namespace {

// Host and port, as profiles and TAG_ALTERNATE_IIOP_ADDRESS have them.
bool read_address(cdr::Decoder& d, ior::Address& to) {
  to.host = d.get_string();
  to.port = d.get_ushort();
  return d.ok();
}

}  // namespace

bool visit_places(const ior::Ior& ior, const Limits& limits, bool (*visit)(void*, const Place&), void* context) {
  for (const ior::TaggedProfile& p : ior.profiles) {
    if (p.tag != ior::kInternetProfile) continue;
    cdr::Budget budget = cdr::Budget::of(limits, p.data.size());
    cdr::Decoder d = cdr::Decoder::of_encapsulation(p.data, budget);
    Place place;
    place.version.major = d.get_octet();
    place.version.minor = d.get_octet();
    if (!read_address(d, place.address) || place.version.major != 1) continue;
    place.key = d.get_octets();
    if (!d.ok()) continue;
    if (place.address.port != 0 && visit(context, place)) return true;
    if (place.version.minor == 0) continue;
    for (std::uint32_t n = d.get_ulong(); n != 0; --n) {
      const std::uint32_t tag = d.get_ulong();
      const ByteView data = d.get_octets();
      if (!d.ok()) break;
      if (tag != ior::kAlternateIiopAddress) continue;
      cdr::Decoder other = cdr::Decoder::of_encapsulation(data, budget);
      if (read_address(other, place.address) && place.address.port != 0 && visit(context, place)) return true;
    }
  }
  return false;
}

bool first_place(const ior::Ior& ior, const Limits& limits, Place& place) {
  return visit_places(ior, limits, [&](const Place& p) { return place = p, true; });
}

}  // namespace callis::micro

namespace callis::orb {

Reference::Reference(micro::Orb& orb, ior::Ior ior) : orb_(orb), ior_(std::move(ior)) { orb_._add_ref(); }

Reference::~Reference() {
  set_forward(nullptr);
  orb_._remove_ref();
}

void Reference::set_forward(Reference* to) {
  if (forward_) forward_->release();
  forward_ = to;
}

Reference& reference_of(CORBA::Object_ptr object) {
  if (!object) raise<CORBA::INV_OBJREF>(kNilReference, CORBA::COMPLETED_NO, "operation on a nil reference");
  Reference* const r = object->_callis_reference();
  if (!r) raise<CORBA::NO_IMPLEMENT>(kLocalObject, CORBA::COMPLETED_NO, "operation on a local object");
  return *r;
}

namespace {

class PlainObject final : public CORBA::Object {
 public:
  explicit PlainObject(Reference& r) : CORBA::Object(&r) {}
};

void put(cdr::Encoder& e, CORBA::Object_ptr object) {
  const ior::Ior nil;
  Reference* const r = micro::reference_or_null(object);
  if (object && !r) e.set_fault(Fault::LocalObject);
  ior::encode(e, r ? r->ior() : nil);
}

// nullptr for nil and after a fault.
ReferencePtr get(cdr::Decoder& d) {
  auto* const orb = static_cast<micro::Orb*>(d.context());
  ior::Ior ior;
  if (!orb) {
    d.set_fault(Fault::BadReference);
    return {};
  }
  if (!ior::decode(d, ior, orb->limits()) || ior.is_nil()) return {};
  return ReferencePtr::adopt(new Reference(*orb, std::move(ior)));
}

CORBA::Object_ptr object_of(void* p, const void* link) {
  return p && link ? static_cast<const InterfaceLink*>(link)->to_object(p) : static_cast<CORBA::Object_ptr>(p);
}

void encode_handler(cdr::Encoder& e, const void* reference, const void* link) {
  put(e, object_of(const_cast<void*>(reference), link));
}

// The engine that calls this is built without exceptions: none may leave here.
void* decode_handler(cdr::Decoder& d, const void* link) {
  try {
    const ReferencePtr r = get(d);
    if (!r) return nullptr;
    if (!link) return make_object(*r.get());
    if (auto* const create = static_cast<const InterfaceLink*>(link)->create) return create(r.get());
    d.set_fault(Fault::LocalObject);
  } catch (...) {
    d.set_fault(Fault::OutOfMemory);
  }
  return nullptr;
}

void release_handler(void* reference, const void* link) { CORBA::release(object_of(reference, link)); }

void* duplicate_handler(void* reference, const void* link) {
  CORBA::Object::_duplicate(object_of(reference, link));
  return reference;
}

void keep_context(void* orb) { static_cast<micro::Orb*>(orb)->_add_ref(); }
void drop_context(void* orb) { static_cast<micro::Orb*>(orb)->_remove_ref(); }

CALLIS_INSTALLER void install() {
  marshal::set_reference_handlers({&encode_handler, &decode_handler, &release_handler, &duplicate_handler,
                                  &keep_context, &drop_context});
}

}  // namespace

CORBA::Object_ptr make_object(Reference& reference) { return new PlainObject(reference); }

void put_reference(cdr::Encoder& encoder, CORBA::Object* object) { put(encoder, object); }

void* get_reference(cdr::Decoder& decoder, const InterfaceLink& link) {
  const ReferencePtr r = get(decoder);
  return r ? link.create(r.get()) : nullptr;
}

CORBA::Object* get_object(cdr::Decoder& decoder) {
  const ReferencePtr r = get(decoder);
  return r ? make_object(*r.get()) : nullptr;
}

void* unchecked_narrow(CORBA::Object* object, const InterfaceLink& link) {
  Reference* const r = micro::reference_or_null(object);
  return r ? link.create(r) : nullptr;
}

}  // namespace callis::orb
