// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/core/object_of.h>
#include <netdb.h>
#include <poll.h>
#include <services/imr/peers.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include "CallisImr.h"

namespace callis::imr {

namespace {

orb::Counted<orb::Core> make_client() {
  const char* words[] = {"callis", "-ORBIdleWatch", "none", "-ORBConnectTimeout", "1000", "-ORBCallTimeout", "1000"};
  int argc = std::size(words);
  std::vector<char*> argv;
  for (const char* w : words) argv.push_back(const_cast<char*>(w));
  argv.push_back(nullptr);
  auto options = orb::parse_options(argc, argv.data());
  if (!options) classic::raise<CORBA::INITIALIZE>(0, CORBA::COMPLETED_NO, options.error().detail);
  return orb::Core::create(std::move(options).value());
}

bool connects(const addrinfo& to) {
  const int fd = ::socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  bool good = ::connect(fd, to.ai_addr, to.ai_addrlen) == 0;
  if (!good && errno == EINPROGRESS) {
    pollfd wait{fd, POLLOUT, 0};
    int error = 1;
    socklen_t size = sizeof error;
    good = ::poll(&wait, 1, 500) == 1 && ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }
  ::close(fd);
  return good;
}

}  // namespace

Peers::Peers() : client_(make_client()) {}

Peers::~Peers() {
  try {
    client_->destroy();
  } catch (const CORBA::Exception&) {}
}

CORBA::Object_var Peers::object(const ior::Ior& process) {
  const auto reference = orb::ReferencePtr::adopt(new orb::Reference(*client_, process));
  return orb::make_object(*reference);
}

bool Peers::answers(const ior::Ior& process) {
  try {
    const CORBA::Object_var at = object(process);
    CallisImr::Process_var(CallisImr::Process::_unchecked_narrow(at.in()))->ping();
    return true;
  } catch (const CORBA::TIMEOUT& e) {
    return e.completed() != CORBA::COMPLETED_NO;  // it was sent
  } catch (const CORBA::Exception&) {
    return false;
  }
}

bool Peers::shut_down(const ior::Ior& process) {
  try {
    const CORBA::Object_var at = object(process);
    CallisImr::Process_var(CallisImr::Process::_unchecked_narrow(at.in()))->shutdown();
    return true;
  } catch (const CORBA::Exception&) {
    return false;
  }
}

bool Peers::listens(const HostPort& at) {
  addrinfo hints{}, *all = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  if (::getaddrinfo(at.host.c_str(), std::to_string(at.port).c_str(), &hints, &all) != 0) return false;
  bool good = false;
  for (const addrinfo* a = all; a && !good; a = a->ai_next) good = connects(*a);
  ::freeaddrinfo(all);
  return good;
}

}  // namespace callis::imr
