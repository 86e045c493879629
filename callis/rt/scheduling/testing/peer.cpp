// SPDX-License-Identifier: Apache-2.0
// A server for the tests with two processes. It prints its object's reference, "inside" when a call has come, and
// what the call ended with; it ends when its input does. The call goes from scheduling point to scheduling point
// until it is cancelled.
#include <callis/poa/testing/probe.h>
#include <callis/rt_scheduling.h>
#include <cstdio>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  using namespace callis::rt::scheduling;
  Options options;
  options.order = Options::Order::Turns;
  const EDF_Scheduling::Scheduler_var scheduler = make_earliest_deadline_scheduler(options);
  use_scheduler(scheduler.in());
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RTScheduler_Current");
  const RTScheduling::Current_var current = RTScheduling::Current::_narrow(object.in());
  object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  const PortableServer::Servant_var<callis::poa::testing::Probe> probe(new callis::poa::testing::Probe);
  probe->during = [&] {
    const RTScheduling::Current::NameList_var names = current->current_scheduling_segment_names();
    std::cout << "inside " << names.in()[0] << std::endl;
    try {
      for (;;) {
        current->begin_scheduling_segment("waits to be cancelled", nullptr, nullptr);
        current->end_scheduling_segment("waits to be cancelled");
      }
    } catch (const CORBA::Exception& e) {
      std::cout << e._name() << std::endl;
      throw;
    }
  };
  const PortableServer::ObjectId_var id = root->activate_object(probe.in());
  object = root->id_to_reference(id.in());
  PortableServer::POAManager_var(root->the_POAManager())->activate();
  std::cout << CORBA::String_var(orb->object_to_string(object.in())).in() << std::endl;
  for (std::string line; std::getline(std::cin, line);) continue;
  orb->destroy();
  return 0;
}
