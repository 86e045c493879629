// SPDX-License-Identifier: Apache-2.0
#include <tools/ior/client_program.h>
#include <cstdio>
#include <cstring>

namespace callis::tools {

bool asks_for_help(int argc, char** argv) {
  return argc == 2 && (!std::strcmp(argv[1], "--help") || !std::strcmp(argv[1], "-h"));
}

CORBA::ORB_var make_client_orb(const std::vector<std::string>& options) {
  std::vector<std::string> words{"callis", "-ORBIdleWatch", "none"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  try {
    return CORBA::ORB_init(argc, argv.data());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kWrongUsage, e.what()};
  }
}

int run_client(const char* name, const std::function<int()>& f, const char* usage) {
  const auto failed = [name](const char* text, int status) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: %s\n", name, text);
    return status;
  };
  try {
    return f();
  } catch (const Failure& e) {
    failed(e.text.c_str(), e.status);
    if (usage && e.status == kWrongUsage) std::fprintf(stderr, "\n%s", usage);
    return e.status;
  } catch (const CORBA::SystemException& e) {
    return failed(e.what(), kSystemException);
  } catch (const std::exception& e) {
    return failed(e.what(), kCannot);
  }
}

}  // namespace callis::tools
