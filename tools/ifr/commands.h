// SPDX-License-Identifier: Apache-2.0
// What callis ifr does. Each returns the exit status, and throws what main() explains.
#pragma once
#include <callis/corba.h>
#include <tools/ifr/arguments.h>
#include <tools/ior/client_program.h>

namespace callis::ifr {

using tools::Failure, tools::kCannot, tools::kWrongUsage, tools::kSystemException;

// Until a signal ends it. argv: as that of main(), without the word serve.
int serve(int argc, char** argv, const char* usage);
int feed_files(CORBA::ORB_ptr orb, const Arguments& arguments);
int list(CORBA::ORB_ptr orb, const Arguments& arguments);
int show(CORBA::ORB_ptr orb, const Arguments& arguments);

}  // namespace callis::ifr
