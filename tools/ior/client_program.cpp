// SPDX-License-Identifier: Apache-2.0
#include <services/programs/usage.h>
#include <tools/ior/client_program.h>
#include <services/programs/init_orb.h>
#include <cstdio>

namespace callis::tools {

CORBA::ORB_var make_client_orb(const std::vector<std::string>& options) {
  std::vector<std::string> words{"-ORBIdleWatch", "none"};
  words.insert(words.end(), options.begin(), options.end());
  try {
    return programs::init_orb(std::move(words));
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
    if (!usage || e.status != kWrongUsage) return failed(e.text.c_str(), e.status);
    std::fflush(stdout);
    return programs::wrong_usage(name, e.text, usage);
  } catch (const CORBA::SystemException& e) {
    return failed(e.what(), kSystemException);
  } catch (const std::exception& e) {
    return failed(e.what(), kCannot);
  }
}

}  // namespace callis::tools
