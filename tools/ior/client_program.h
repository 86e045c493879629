// SPDX-License-Identifier: Apache-2.0
// What programs have in common that make the calls of one command and end: callis ns, trade, imr, ifr.
#pragma once
#include <callis/corba.h>
#include <services/programs/usage.h>
#include <functional>
#include <string>
#include <vector>

namespace callis::tools {

// Exit statuses.
inline constexpr int kCannot = 1, kWrongUsage = 2, kUserException = 3, kSystemException = 4;

// Ends the program: "NAME: TEXT" on the standard error.
struct Failure {
  int status;
  std::string text;
};

// An ORB with these options (-ORBoption value ...). It has no thread that watches idle connections, as the program
// ends soon. Failure{kWrongUsage} for an option that there is not.
CORBA::ORB_var make_client_orb(const std::vector<std::string>& options);

// Runs f. Returns what f returns, or the status for its exception, whose text goes to the standard error.
// usage: where the usage was wrong, wrong_usage() says so; nullptr: the text stands alone.
int run_client(const char* name, const std::function<int()>& f, const char* usage = nullptr);

}  // namespace callis::tools
