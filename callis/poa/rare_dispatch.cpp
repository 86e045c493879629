// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/reference.h>
#include <callis/poa/adapter.h>
#include <callis/poa/main_thread_turn.h>
#include <callis/poa/minor_codes.h>
#include <callis/poa/rare_dispatch.h>
#include <callis/poa/skeleton.h>
#include <callis/poa/target.h>
#include <callis/poa/turn.h>

CALLIS_PROVIDE(rare_dispatch);

namespace callis::poa {

bool send_forward(orb::ServerRequest& request, const CORBA::UserException& e) {
  const auto* forward = dynamic_cast<const PortableServer::ForwardRequest*>(&e);
  if (!forward) return false;
  const CORBA::Object_ptr to = forward->forward_reference.in();
  const orb::Reference* reference = to ? to->_callis_reference() : nullptr;
  if (reference) request.location_forward(reference->ior());
  else answer<CORBA::OBJ_ADAPTER>(request, kNilForward, CORBA::COMPLETED_NO);
  return true;
}

void serve_by_locator(Adapter& adapter, UpcallScope& upcall, orb::ServerRequest& request) {
  using namespace PortableServer;
  ServantLocator& locator = adapter.locator();
  ServantLocator::Cookie cookie = nullptr;
  ObjectId_var id;
  std::string operation;
  Servant servant = nullptr;
  const auto forward = [&](const CORBA::UserException& e) { return send_forward(request, e); };
  if (!call_up(
          request, CORBA::COMPLETED_NO,
          [&] {
            id = new_object_id(adapter.id_in(request.object_key()));
            operation = request.operation();
            servant = locator.preinvoke(id.in(), &adapter, operation.c_str(), cookie);
          },
          forward))
    return;
  if (!servant) return answer<CORBA::OBJ_ADAPTER>(request, orb::omg(7), CORBA::COMPLETED_NO);
  upcall.set_servant(servant);
  const Target target{servant, servant->_callis_self(), &servant->_callis_skeleton()};
  run_rarely(watch_of_targets(), target, adapter, nullptr, request);
  upcall.set_servant(nullptr);
  call_up(
      request, CORBA::COMPLETED_MAYBE, [&] { locator.postinvoke(id.in(), &adapter, operation.c_str(), cookie, servant); },
      [](const CORBA::UserException&) { return false; });
}

void serve_in_turn(Registry& registry, Slot* slot, const SkeletonOperation* op, orb::ServerRequest& request) {
  if (orb::MainThread* const thread = slot->adapter->main_thread()) {
    if (!run_on(*thread, [&] { serve_found(registry, slot, op, request); })) refuse(request, Refusal::Destroying);
    return;
  }
  const Turn turn(slot->adapter->serial());
  serve_found(registry, slot, op, request);
}

}  // namespace callis::poa
