// SPDX-License-Identifier: Apache-2.0
// A scheduling service and a client of it, in two ORBs of the process, over sockets.
#pragma once
#include <services/scheduling/service.h>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace callis::scheduling::testing {

inline CORBA::ORB_var new_orb(std::vector<std::string> words, const std::string& id) {
  words.insert(words.begin(), "test");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), id.c_str());
}

struct Serving {
  CORBA::ORB_var orb, client;
  PortableServer::Servant_var<SchedulingService> service;
  CallisScheduling::Scheduler_var scheduler;

  explicit Serving(Model model = Model(kServiceBounds)) : service(new SchedulingService(std::move(model))) {
    static std::atomic<int> count;
    const std::string id = "scheduling-" + std::to_string(++count);
    orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, id + "-server");
    client = new_orb({}, id + "-client");
    const CORBA::Object_var own = serve(orb.in(), *service);
    const CORBA::String_var text = orb->object_to_string(own.in());
    const CORBA::Object_var object = client->string_to_object(text.in());
    scheduler = CallisScheduling::Scheduler::_narrow(object.in());
  }
  ~Serving() {
    scheduler = CallisScheduling::Scheduler::_nil();
    client->destroy();
    orb->destroy();
  }
};

}  // namespace callis::scheduling::testing
