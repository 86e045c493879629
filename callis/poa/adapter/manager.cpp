// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/classic/string.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/interception.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/manager.h>
#include <callis/poa/servant/minor_codes.h>

namespace callis::poa {
namespace {

std::string next_id() {
  static std::atomic<std::uint64_t> number{0};
  return concat({"POAManager", Decimal(number.fetch_add(1, std::memory_order_relaxed))});
}

}  // namespace

Manager::Manager(Registry& registry, std::string id)
    : registry_(&registry), id_(id.empty() ? next_id() : std::move(id)) {}

void Manager::choose_other_id() { id_ = next_id(); }

Gate Manager::gate() const {
  switch (state_) {
    case ACTIVE: return Gate::Active;
    case HOLDING: return Gate::Holding;
    case DISCARDING: return Gate::Discarding;
    case INACTIVE: break;
  }
  return Gate::Inactive;
}

void Manager::change(State to, bool wait, bool etherealize) {
  if (wait && in_upcall_of(*registry_)) raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO);
  Registry::Guard guard(*registry_);
  if (state_ == INACTIVE) raise<AdapterInactive>();
  const bool changed = state_ != to;
  state_ = to;
  const std::uint64_t change = ++changes_;
  if (to == ACTIVE) registry_->note_activation();
  registry_->manager_changed(*this);
  if (orb::Interception* const i = changed ? registry_->references().interception() : nullptr) {
    guard.unlock();
    i->manager_changed(id_, to);
    guard.relock();
  }
  const bool tells = etherealize && CALLIS_HAS(adapters);
  if (tells) {
    guard.unlock();
    ServantsOnDemand::etherealize_all(*registry_, *this);
    guard.relock();
  }
  while (wait && change == changes_ &&
         (registry_->busy(*this) || (tells && ServantsOnDemand::is_etherealizing(*registry_, *this))))
    guard.wait();
}

void Manager::activate() { change(ACTIVE, false); }
void Manager::hold_requests(CORBA::Boolean wait) { change(HOLDING, wait); }
void Manager::discard_requests(CORBA::Boolean wait) { change(DISCARDING, wait); }
void Manager::deactivate(CORBA::Boolean etherealize_objects, CORBA::Boolean wait) {
  change(INACTIVE, wait, etherealize_objects);
}

PortableServer::POAManager::State Manager::get_state() {
  Registry::Guard guard(*registry_);
  return state_;
}

char* Manager::get_id() { return classic::duplicate(id_.c_str()); }

}  // namespace callis::poa
