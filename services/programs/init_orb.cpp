// SPDX-License-Identifier: Apache-2.0
#include <callis/base/default_log.h>
#include <callis/base/log.h>
#include <services/programs/init_orb.h>
#include <services/programs/site.h>

namespace callis::programs {

namespace {

// While it lives errors are not logged.
class WithoutErrors final {
 public:
  WithoutErrors() { before_ = set_log_sink(&pass_on, nullptr); }
  ~WithoutErrors() { set_log_sink(before_.sink, before_.context); }

 private:
  static void pass_on(LogLevel level, std::string_view text, void*) {
    if (level != LogLevel::Error) (before_.sink ? before_.sink : default_log_sink())(level, text, before_.context);
  }
  static inline LogTarget before_{};
};

}  // namespace

CORBA::ORB_var init_orb(std::vector<std::string> options, const char* id) {
  for (std::size_t i = 0; i + 1 < options.size();) {
    if (options[i] != "--tls") {
      i += 2;
      continue;
    }
    use_site(options[i + 1], SiteRole::Client);
    const auto at = options.begin() + static_cast<std::ptrdiff_t>(i);
    options.erase(at, at + 2);
  }
  // A client that is called back must not listen without TLS.
  if (in_site() && !has_endpoint(options)) options.insert(options.end(), {"-ORBEndpoint", "tls:"});
  options.insert(options.begin(), "callis");
  std::vector<char*> argv;
  for (std::string& w : options) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  const WithoutErrors meanwhile;
  return CORBA::ORB_init(argc, argv.data(), id);
}

}  // namespace callis::programs
