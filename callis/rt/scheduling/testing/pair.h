// SPDX-License-Identifier: Apache-2.0
// Pair: a server with a scheduler, which listens on TCP, and a client with another; each with one place and the same
// clock.
#pragma once
#include <callis/rt/scheduling/testing/schedulers.h>

namespace callis::rt::scheduling::testing {

using poa::testing::OrbFixture;
using poa::testing::Probe;

struct Side {
  EDF_Scheduling::Scheduler_var scheduler;
  CORBA::ORB_var orb;
  RTScheduling::Current_var current;
  PortableServer::POA_var root;

  Side(const Options& options, std::vector<std::string> orb_options)
      : scheduler(make_earliest_deadline_scheduler(options)), orb(orb_with(scheduler.in(), std::move(orb_options))),
        current(current_of(orb.in())) {}
  void serve() {
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
  }
  // The servant's object, as that ORB has it.
  CORBA::Object_ptr object_of(PortableServer::Servant servant, CORBA::ORB_ptr other) {
    const PortableServer::ObjectId_var id = root->activate_object(servant);
    const CORBA::Object_var own = root->id_to_reference(id.in());
    const CORBA::String_var text = orb->object_to_string(own.in());
    return other->string_to_object(text.in());
  }
  SchedulerState& state() { return state_of(scheduler.in()); }
  void begin(const char* name, Ticks due, Ticks implicit = 0) {
    const CORBA::Policy_var p = deadline(scheduler.in(), due), i = deadline(scheduler.in(), implicit);
    current->begin_scheduling_segment(name, p.in(), implicit != 0 ? i.in() : nullptr);
  }
  void end() { current->end_scheduling_segment(nullptr); }
  std::vector<std::string> names() {
    const RTScheduling::Current::NameList_var list = current->current_scheduling_segment_names();
    std::vector<std::string> all;
    for (CORBA::ULong i = 0; i < list->length(); ++i) all.emplace_back(list.in()[i]);
    return all;
  }
  std::string id() {
    const RTScheduling::Current::IdType_var id = current->id();
    return {reinterpret_cast<const char*>(id->get_buffer()), id->length()};
  }
  RTScheduling::DistributableThread_ptr me() {
    const RTScheduling::Current::IdType_var id = current->id();
    return current->lookup(id.in());
  }
  Ticks due() {
    const CORBA::Policy_var p = current->scheduling_parameter();
    auto* const edf = dynamic_cast<EDF_Scheduling::SchedulingParameterPolicy*>(p.in());
    return edf ? static_cast<Ticks>(edf->value().deadline) : -1;
  }
};

struct Pair : ::testing::Test {
  static const std::vector<std::string> listening() { return {"-ORBEndpoint", "tcp:127.0.0.1:0"}; }

  ManualTime time;
  Side server{by_turns(time), listening()};
  Side client{by_turns(time), listening()};  // it is called back
  PortableServer::Servant_var<Probe> probe{new Probe};
  CORBA::Object_var object;

  Pair() {
    server.serve();
    object = server.object_of(probe.in(), client.orb.in());
  }
  ~Pair() override {
    client.orb->destroy();
    server.orb->destroy();
  }
  void act() { OrbFixture::act(object.in()); }
};

}  // namespace callis::rt::scheduling::testing
