// SPDX-License-Identifier: Apache-2.0
// callis imr: the Implementation Repository, and its operators.
#include <tools/imr/commands.h>
#include <tools/imr/serve.h>
#include <services/programs/usage.h>
#include <cstring>

namespace {

using namespace callis::imr;
namespace tools = callis::tools;

bool is_command(const char* word) {
  for (const char* const known : {"add", "ls", "status", "start", "stop", "rm", "ior"})
    if (std::strcmp(word, known) == 0) return true;
  return false;
}

int run(const Arguments& arguments) {
  std::vector<std::string> options{"-ORBCallTimeout", "180000"};  // a server may take long to start
  options.insert(options.end(), arguments.orb.begin(), arguments.orb.end());
  const CORBA::ORB_var orb = tools::make_client_orb(options);
  run_command(orb.in(), arguments);
  orb->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (callis::programs::answers(argc, argv, kUsage)) return 0;
  const bool serve = argc > 1 && !std::strcmp(argv[1], "serve");
  if (argc < 2 || serve || argv[1][0] == '-')
    return callis::services::run_service(argc - serve, argv + serve, describe());
  if (!std::strcmp(argv[1], "activator"))
    return callis::services::run_service(argc - 1, argv + 1, describe_activator());
  const auto command = [&] {
    if (!is_command(argv[1]))
      throw Failure{kWrongUsage, callis::programs::unknown_word(argv[1])};
    return run(read_arguments(argc, argv));
  };
  return tools::run_client("callis imr", command, kUsage);
}
