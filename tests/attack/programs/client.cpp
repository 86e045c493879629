// SPDX-License-Identifier: Apache-2.0
// The good client; and the client that hostile servers attack.
//
//     attack_client measure REFERENCE FLOOR_PORT [-ORB...]
//         Prints "ready". For each line "CALLS NEW" on its standard input: so many calls and as many ping-pongs, by
//         turns; where NEW is 1 one more call over a connection of its own. Prints
//         "calls N failed F p50 NS p99 NS floor50 NS floor99 NS fresh ok|WHY".
//     attack_client call OPERATION REFERENCE [-ORB...]
//         One call: echo, note, produce, any, exists or narrow. Prints "MS what it came to".
#include <callis/corba.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <vector>
#include "attack.h"
#include "floor.h"

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t nanoseconds_of(const std::function<void()>& what) {
  const auto begin = Clock::now();
  what();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

std::int64_t percentile(std::vector<std::int64_t>& all, unsigned percent) {
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end());
  return all[(all.size() - 1) * percent / 100];
}

std::string text_of(const CORBA::Exception& e) {
  if (const auto* const system = dynamic_cast<const CORBA::SystemException*>(&e))
    return std::string(system->_name()) + " minor " + std::to_string(system->minor()) + " completed " +
           std::to_string(system->completed());
  return e._name();
}

Attack::Victim_var victim_of(CORBA::ORB_ptr orb, const char* reference) {
  const CORBA::Object_var object = orb->string_to_object(reference);
  return Attack::Victim::_unchecked_narrow(object.in());
}

// A client that comes new, as all do once.
std::string fresh_call(const char* reference) {
  try {
    char name[] = "fresh";
    char* argv[] = {name, nullptr};
    int argc = 1;
    static unsigned number = 0;
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, ("fresh" + std::to_string(++number)).c_str());
    std::string came_to = "ok";
    try {
      const CORBA::String_var answer = victim_of(orb.in(), reference)->echo("new");
      if (std::strcmp(answer.in(), "new") != 0) came_to = "another answer";
    } catch (const CORBA::Exception& e) {
      came_to = text_of(e);
    }
    orb->destroy();
    return came_to;
  } catch (const CORBA::Exception& e) {
    return text_of(e);
  }
}

void measure(CORBA::ORB_ptr orb, const char* reference, unsigned short floor_port) {
  const Attack::Victim_var victim = victim_of(orb, reference);
  attack::Ping ping(floor_port);
  std::cout << "ready" << std::endl;
  bool new_client = true;
  for (unsigned calls; std::cin >> calls >> new_client;) {
    std::vector<std::int64_t> times, floors;
    unsigned failed = 0;
    std::string first_failure;
    for (unsigned i = 0; i < calls; ++i) {
      try {
        times.push_back(nanoseconds_of([&] {
          const CORBA::String_var answer = victim->echo("good");
          if (std::strcmp(answer.in(), "good") != 0) ++failed;
        }));
      } catch (const CORBA::Exception& e) {
        if (failed++ == 0) first_failure = text_of(e);
      }
      floors.push_back(nanoseconds_of([&] { ping.once(); }));
    }
    const std::string fresh = new_client ? fresh_call(reference) : "ok";
    std::cout << "calls " << calls << " failed " << failed << " p50 " << percentile(times, 50) << " p99 "
              << percentile(times, 99) << " floor50 " << percentile(floors, 50) << " floor99 "
              << percentile(floors, 99) << " fresh " << fresh
              << (first_failure.empty() ? "" : "; failed: " + first_failure) << std::endl;
  }
}

void call(CORBA::ORB_ptr orb, const std::string& operation, const char* reference) {
  std::string came_to = "ok";
  const std::int64_t taken = nanoseconds_of([&] {
    try {
      const CORBA::Object_var object = orb->string_to_object(reference);
      const Attack::Victim_var victim = Attack::Victim::_unchecked_narrow(object.in());
      if (operation == "echo") {
        const CORBA::String_var answer = victim->echo("hello");
      } else if (operation == "note") {
        victim->note("hello");
      } else if (operation == "produce") {
        const Attack::Octets_var octets = victim->produce(100);
        came_to += " " + std::to_string(octets->length());
      } else if (operation == "any") {
        CORBA::Any value;
        value <<= CORBA::Long{7};
        const CORBA::Any_var answer = victim->pass_any(value);
      } else if (operation == "nodes") {
        const Attack::Nodes_var nodes = victim->pass_nodes(Attack::Nodes());
      } else if (operation == "exists") {
        came_to += victim->_non_existent() ? " no" : " yes";
      } else if (operation == "narrow") {
        const Attack::Victim_var again = Attack::Victim::_narrow(object.in());
        came_to += CORBA::is_nil(again.in()) ? " nil" : " yes";
      } else {
        came_to = "no such operation: " + operation;
      }
    } catch (const CORBA::Exception& e) {
      came_to = text_of(e);
    }
  });
  std::cout << taken / 1000000 << ' ' << came_to << std::endl;
}

int run(int argc, char** argv) {
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc == 4 && std::strcmp(argv[1], "measure") == 0)
    measure(orb.in(), argv[2], static_cast<unsigned short>(std::stoi(argv[3])));
  else if (argc == 4 && std::strcmp(argv[1], "call") == 0)
    call(orb.in(), argv[2], argv[3]);
  else
    return 2;
  orb->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const CORBA::Exception& e) {
    std::cerr << "attack_client: " << text_of(e) << '\n';
    return 1;
  }
}
