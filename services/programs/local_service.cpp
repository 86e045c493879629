// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <services/programs/local_service.h>
#include <services/programs/site.h>
#include <unistd.h>
#include <cstdlib>
#include <vector>

namespace callis::programs {

namespace {

std::string from_environment(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && *value == '/' ? value : "";
}

// Returns the folder where this user's services listen. Empty: nowhere.
std::string folder_of_user() {
  if (const std::string told = from_environment("CALLIS_SOCKETS"); !told.empty()) return told;
  if (::geteuid() == 0) return "/run/callis";
  const std::string runtime = from_environment("XDG_RUNTIME_DIR");
  return runtime.empty() ? "" : runtime + "/callis";
}

bool is_socket_to_use(const std::string& path) {
  struct stat what {};
  return ::stat(path.c_str(), &what) == 0 && S_ISSOCK(what.st_mode) && ::access(path.c_str(), W_OK) == 0;
}

}  // namespace

std::string own_socket(const std::string& name) {
  const std::string folder = folder_of_user();
  if (folder.empty()) return {};
  ::mkdir(folder.c_str(), 0755);  // a socket has a mode of its own (-ORBUnixPermissions)
  struct stat what {};
  const bool own = ::stat(folder.c_str(), &what) == 0 && S_ISDIR(what.st_mode) && what.st_uid == ::geteuid();
  return own ? folder + "/" + name : "";
}

std::string local_service(const std::string& name, std::uint16_t port, const std::string& key) {
  const std::string at_port = "localhost:" + std::to_string(port);
  std::vector<std::string> places{folder_of_user() + "/" + name};
  if (from_environment("CALLIS_SOCKETS").empty()) {
    places.push_back("/run/callis/" + name);
    places.push_back("/run/callis-" + name + "/socket");
  }
  for (const std::string& place : places)
    if (is_socket_to_use(place))
      return "corbaloc:uiop:1.2@" + place + (in_site() ? ",ssliop:" : ",iiop:") + at_port + "|" + key;
  return (in_site() ? "corbaloc:ssliop:" : "corbaloc::") + at_port + "/" + key;
}

}  // namespace callis::programs
