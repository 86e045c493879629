// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/core/object_of.h>
#include <services/imr/service.h>

namespace callis::imr {

namespace {

// Requests that wait must not hold up the end of the ORB.
class Ending final : public orb::OrbPart {
 public:
  explicit Ending(Repository& repository) : repository_(repository) {}
  void stop() override { repository_.refuse(); }
  void end() override {}

 private:
  Repository& repository_;
};

}  // namespace

Service::Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, services::Store& store,
                 services::Counters& counters, const Settings& settings)
    : core_(static_cast<orb::Core*>(orb)), repository_(store, counters, settings) {
  doorway_ = std::make_unique<Doorway>(*core_->handler(), repository_);
  core_->set_handler(doorway_.get());
  servant_ = new RepositoryServant(*core_, repository_, activators_);
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  const PortableServer::POAManager_var manager = root->the_POAManager();
  const PortableServer::POA_var poa = root->create_POA("imr", manager.in(), policies);
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("repository");
  poa->activate_object_with_id(id.in(), servant_.in());
  reference_ = poa->id_to_reference(id.in());
  core_->add(std::make_unique<Ending>(repository_));
  servant_->set_own(orb::reference_of(reference_.in()).ior());
}

Service::~Service() {
  repository_.refuse();
  try {
    core_->shutdown(true);  // the doorway goes
  } catch (const CORBA::Exception&) {}  // it is over
  repository_.stop();
}

void Service::begin() {
  const CORBA::String_var text = core_->object_to_string(reference_.in());
  repository_.begin(activators_, text.in());
}

}  // namespace callis::imr
