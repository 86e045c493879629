// SPDX-License-Identifier: Apache-2.0
// Which activator launches and ends what.
#include <callis/base/log.h>
#include <callis/orb/core/object_of.h>
#include <services/imr/activators.h>
#include <services/imr/peers.h>
#include <services/imr/servant.h>

namespace callis::imr {

Activators::Activators(Launcher& own) : own_(own), client_(make_client(Milliseconds(10'000))) {}

Activators::~Activators() {
  try {
    client_->destroy();
  } catch (const CORBA::Exception&) {}
}

bool Activators::attach(const std::string& name, const ior::Ior& activator) {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(name);
  if (found == all_.end()) {
    if (all_.size() >= kMost) return false;
    log(LogLevel::Info, {"the activator ", name, " has attached"});
  }
  all_[name] = activator;
  return true;
}

CORBA::Object_var Activators::object(const ior::Ior& activator) {
  const auto reference = orb::ReferencePtr::adopt(new orb::Reference(*client_, activator));
  return orb::make_object(*reference);
}

std::int64_t Activators::launch(const Record& record, const std::string& start, const std::string& repository) {
  if (record.activator.empty()) return own_.launch(record, start, repository);
  ior::Ior at;
  {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(record.activator);
    if (found == all_.end())
      throw CannotLaunch("the activator " + record.activator + " has not attached (callis imr activator)");
    at = found->second;
    starts_[record.name] = {start, record.activator};
  }
  try {
    const CORBA::Object_var to = object(at);
    const CallisImr::Activator_var activator = CallisImr::Activator::_unchecked_narrow(to.in());
    return activator->launch(server_of(record), start.c_str(), repository.c_str());
  } catch (const CallisImr::Refused& e) {
    throw CannotLaunch(e.why.in());
  } catch (const CORBA::Exception& e) {
    const auto* const system = CORBA::SystemException::_downcast(&e);
    throw CannotLaunch("the activator " + record.activator + ": " + (system ? system->what() : e._name()));
  }
}

void Activators::end(const std::string& start, bool kill) {
  ior::Ior at;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [server, last] : starts_) {
      if (last.first != start) continue;
      const auto found = all_.find(last.second);
      if (found != all_.end()) at = found->second;
      break;
    }
  }
  if (at.is_nil()) return own_.end(start, kill);
  try {
    const CORBA::Object_var to = object(at);
    CallisImr::Activator_var(CallisImr::Activator::_unchecked_narrow(to.in()))->end(start.c_str(), kill);
  } catch (const CORBA::Exception&) {}  // the next deadline tries again
}

}  // namespace callis::imr
