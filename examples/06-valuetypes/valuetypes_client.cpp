// SPDX-License-Identifier: Apache-2.0
// Sends trips, lists of values, to a Planner.
//
//     valuetypes_client IOR:...
#include <callis/corba.h>
#include <iostream>
#include "stop.h"
#include "trip.h"

void show(Trip::Stop* first) {
  for (Trip::Stop* stop = first; stop != nullptr; stop = stop->next()) {
    std::cout << stop->name() << (stop->next() != nullptr ? " - " : "");
  }
  std::cout << " (" << first->count() << " stops)\n";
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: valuetypes_client IOR:...\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Trip::Planner_var planner = Trip::Planner::_narrow(object);
    if (CORBA::is_nil(planner)) {
      std::cerr << "valuetypes_client: that object is no Trip::Planner\n";
      return 1;
    }
    register_stops(orb);
    Trip::Stop_var last = new StopValue("Munich", nullptr);
    Trip::Stop_var middle = new StopValue("Leipzig", last);
    Trip::Stop_var first = new StopValue("Berlin", middle);
    show(first);
    Trip::Stop_var back = planner->reversed(first);
    show(back);

    std::cout << "a round trip: " << (planner->is_round(first) ? "yes\n" : "no\n");
    last->next(first);
    std::cout << "a round trip: " << (planner->is_round(first) ? "yes\n" : "no\n");
    last->next(nullptr);
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "valuetypes_client: " << e.what() << '\n';
    return 1;
  }
}
