// SPDX-License-Identifier: Apache-2.0
// callis imr: the Implementation Repository, and its operators.
#include <tools/imr/commands.h>
#include <tools/imr/serve.h>
#include <cstdio>
#include <cstring>

namespace {

using namespace callis::imr;

bool is_command(const char* word) {
  for (const char* const known : {"add", "ls", "status", "start", "stop", "rm", "ior"})
    if (std::strcmp(word, known) == 0) return true;
  return false;
}

void run(const Arguments& arguments) {
  // A server may take long to start.
  std::vector<std::string> words{"callis", "-ORBIdleWatch", "none", "-ORBCallTimeout", "180000"};
  words.insert(words.end(), arguments.orb.begin(), arguments.orb.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  CORBA::ORB_var orb;
  try {
    orb = CORBA::ORB_init(argc, argv.data());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kWrongUsage, e.what()};
  }
  run_command(orb.in(), arguments);
  orb->destroy();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && (!std::strcmp(argv[1], "--help") || !std::strcmp(argv[1], "-h"))) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  const bool serve = argc > 1 && !std::strcmp(argv[1], "serve");
  if (argc < 2 || serve || argv[1][0] == '-')
    return callis::services::run_service(argc - serve, argv + serve, describe());
  if (!std::strcmp(argv[1], "activator"))
    return callis::services::run_service(argc - 1, argv + 1, describe_activator());
  try {
    if (!is_command(argv[1]))
      throw Failure{kWrongUsage, std::string("what is '") + argv[1] + "'?"};
    run(read_arguments(argc, argv));
    return 0;
  } catch (const Failure& f) {
    std::fprintf(stderr, "callis imr: %s\n", f.text.c_str());
    if (f.status == kWrongUsage) std::fprintf(stderr, "\n%s", kUsage);
    return f.status;
  } catch (const CORBA::SystemException& e) {
    std::fprintf(stderr, "callis imr: %s\n", e.what());
    return kSystemException;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis imr: %s\n", e.what());
    return kCannot;
  }
}
