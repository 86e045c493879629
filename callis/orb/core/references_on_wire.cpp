// SPDX-License-Identifier: Apache-2.0
// Object references as arguments, results and members: IORs on the wire, for the marshaling engine and for
// compiled stubs.
#include <callis/marshal/plan.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/core/object_of.h>
#include <new>

namespace callis::orb {
namespace {

void put(cdr::Encoder& e, CORBA::Object_ptr object) {
  static const ior::Ior kNil;
  Reference* r = object ? object->_callis_reference() : nullptr;
  if (object && !r) e.set_fault(Fault::LocalObject);  // a local object cannot leave the process
  ior::encode(e, r ? r->ior() : kNil);
}

// nullptr for nil and after a fault.
ReferencePtr get(cdr::Decoder& d) {
  const auto* const source = static_cast<const MessageSource*>(d.context());
  ior::Ior ior;
  if (!source) {
    d.set_fault(Fault::BadReference);
    return {};
  }
  if (!ior::decode(d, ior, source->orb->limits()) || ior.is_nil()) return {};
  return ReferencePtr::adopt(new Reference(*source->orb, std::move(ior), {}, source->from));
}

void encode_handler(cdr::Encoder& e, const void* reference, const void* link) {
  void* p = const_cast<void*>(reference);
  if (!p) return put(e, nullptr);
  put(e, link ? static_cast<const InterfaceLink*>(link)->to_object(p) : static_cast<CORBA::Object_ptr>(p));
}

// The engine that calls this is built without exceptions: none may leave here.
void* decode_handler(cdr::Decoder& d, const void* link) {
  try {
    const ReferencePtr r = get(d);
    if (!r) return nullptr;
    if (link && !static_cast<const InterfaceLink*>(link)->create) {  // a local interface
      d.set_fault(Fault::LocalObject);
      return nullptr;
    }
    return link ? static_cast<const InterfaceLink*>(link)->create(r.get()) : make_object(*r);
  } catch (...) {
    d.set_fault(Fault::OutOfMemory);
    return nullptr;
  }
}

void release_handler(void* reference, const void* link) {
  if (!reference) return;
  CORBA::release(link ? static_cast<const InterfaceLink*>(link)->to_object(reference)
                      : static_cast<CORBA::Object_ptr>(reference));
}

void* duplicate_handler(void* reference, const void* link) {
  CORBA::Object::_duplicate(link ? static_cast<const InterfaceLink*>(link)->to_object(reference)
                                 : static_cast<CORBA::Object_ptr>(reference));
  return reference;
}

void keep_context(void* source) { static_cast<MessageSource*>(source)->orb->add_ref(); }
void drop_context(void* source) { static_cast<MessageSource*>(source)->orb->release(); }

}  // namespace

void install_reference_handlers() noexcept {
  marshal::set_reference_handlers({&encode_handler, &decode_handler, &release_handler, &duplicate_handler,
                                  &keep_context, &drop_context});
}

void put_reference(cdr::Encoder& encoder, CORBA::Object* object) { put(encoder, object); }

void* get_reference(cdr::Decoder& decoder, const InterfaceLink& link) {
  const ReferencePtr r = get(decoder);
  return r ? link.create(r.get()) : nullptr;
}

CORBA::Object* get_object(cdr::Decoder& decoder) {
  const ReferencePtr r = get(decoder);
  return r ? make_object(*r) : nullptr;
}

}  // namespace callis::orb
