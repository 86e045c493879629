// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/imr.h>
#include "promises.h"

int main() {
  return promises::run([](CORBA::ORB_ptr) {
    char program[] = "imr", id[] = "-ORBid", name[] = "another", repository[] = "-ORBIMR", nothing[] = "nothing";
    char* words[] = {program, id, name, repository, nothing, nullptr};
    int count = 5;
    callis::set_log_level(callis::LogLevel::Off);  // the reason of what follows
    try {
      CORBA::ORB_init(count, words);
    } catch (const CORBA::INITIALIZE&) {  // the option is known, and wants a name beside it
      return;
    }
    throw CORBA::INTERNAL();
  });
}
