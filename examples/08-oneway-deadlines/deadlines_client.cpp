// SPDX-License-Identifier: Apache-2.0
// One-way calls that wait for more or less, and a call that may not take too long: by policies of the reference.
//
//     deadlines_client IOR:...
#include <callis/corba.h>
#include <callis/messaging.h>
#include <iostream>
#include "worker.h"

// The same object, called by other rules.
Worker_ptr with(CORBA::ORB_ptr orb, Worker_ptr worker, CORBA::PolicyType type, const CORBA::Any& value) {
  CORBA::PolicyList policies(1);
  policies.length(1);
  policies[0] = orb->create_policy(type, value);
  CORBA::Object_var object = worker->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  return Worker::_narrow(object);
}

// An empty line, which the servant refuses.
void log_nothing(Worker_ptr worker, const char* scope) {
  try {
    worker->log("");
    std::cout << scope << ": sent; nobody says what became of it\n";
  } catch (const CORBA::SystemException& e) {
    std::cout << scope << ": " << e._name() << '\n';
  }
}

void work(Worker_ptr worker, CORBA::ULong milliseconds) {
  try {
    worker->work(milliseconds);
    std::cout << "work of " << milliseconds << " ms: done\n";
  } catch (const CORBA::TIMEOUT&) {
    std::cout << "work of " << milliseconds << " ms: TIMEOUT\n";
  }
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: deadlines_client IOR:...\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Worker_var worker = Worker::_narrow(object);
    if (CORBA::is_nil(worker)) {
      std::cerr << "deadlines_client: that object is no Worker\n";
      return 1;
    }
    CORBA::Any value;
    value <<= Messaging::SYNC_WITH_TRANSPORT;
    Worker_var hasty = with(orb, worker, Messaging::SYNC_SCOPE_POLICY_TYPE, value);
    value <<= Messaging::SYNC_WITH_TARGET;
    Worker_var careful = with(orb, worker, Messaging::SYNC_SCOPE_POLICY_TYPE, value);
    log_nothing(hasty, "SYNC_WITH_TRANSPORT");
    log_nothing(careful, "SYNC_WITH_TARGET");
    hasty->log("first");
    careful->log("second");  // returns after the servant: both lines have been counted
    std::cout << "lines: " << worker->lines() << '\n';

    value <<= TimeBase::TimeT{3'000'000};  // units of 100 ns: 0.3 seconds
    Worker_var impatient = with(orb, worker, Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, value);
    work(worker, 600);
    work(impatient, 600);
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "deadlines_client: " << e.what() << '\n';
    return 1;
  }
}
