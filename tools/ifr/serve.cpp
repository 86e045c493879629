// SPDX-License-Identifier: Apache-2.0
// callis ifr serve.
#include <callis/signals.h>
#include <services/ifr/service.h>
#include <services/ifr/sqlite_store.h>
#include <tools/ifr/commands.h>
#include <cstdio>
#include <fstream>
#include <memory>

namespace callis::ifr {

namespace {

// In one step, so that nobody reads half of it.
void write_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  {
    std::ofstream file(beside, std::ios::trunc);
    file << text << '\n' << std::flush;
    if (!file) throw Failure{kCannot, beside + ": cannot be written"};
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) throw Failure{kCannot, path + ": cannot be written"};
}

}  // namespace

int serve(CORBA::ORB_ptr orb, const Arguments& arguments) {
  std::unique_ptr<SqliteStore> store;
  try {
    if (!arguments.store.empty()) store = std::make_unique<SqliteStore>(arguments.store);
    Service service(orb, store.get());
    if (store) store->read(service.model());
    shutdown_on_signals(orb);
    service.serve();
    const CORBA::Object_var repository = service.reference();
    const std::string text = CORBA::String_var(orb->object_to_string(repository.in())).in();
    if (!arguments.ior_file.empty()) write_file(arguments.ior_file, text);
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
    orb->run();
    orb->destroy();
  } catch (const BadStore& bad) {
    throw Failure{kCannot, bad.why};
  }
  return 0;
}

}  // namespace callis::ifr
