// SPDX-License-Identifier: Apache-2.0
// Asks servers whether they are there, by an ORB of its own whose calls do not wait long.
#include <callis/ior/iiop_profile.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/options/tls_of_orb.h>
#include <services/imr/peers.h>
#include "CallisImr.h"

namespace callis::imr {

orb::Counted<orb::Core> make_client(Milliseconds limit) {
  const std::string ms = std::to_string(limit.count());
  std::string words[] = {"callis", "-ORBIdleWatch", "none", "-ORBConnectTimeout", ms, "-ORBCallTimeout", ms};
  int argc = std::size(words);
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  auto options = orb::parse_options(argc, argv.data());
  if (!options) classic::raise<CORBA::INITIALIZE>(0, CORBA::COMPLETED_NO, options.error().detail);
  auto client = orb::Core::create(std::move(options).value());
  if (&orb::share_tls) orb::share_tls(nullptr, *client);  // of the service's ORB
  return client;
}

namespace {

CORBA::Object_var object_in(orb::Core& client, const ior::Ior& process) {
  const auto reference = orb::ReferencePtr::adopt(new orb::Reference(client, process));
  return orb::make_object(*reference);
}

bool ping(orb::Core& client, const ior::Ior& process, Peers::WhoIsLate late) {
  try {
    const CORBA::Object_var at = object_in(client, process);
    CallisImr::Process_var(CallisImr::Process::_unchecked_narrow(at.in()))->ping();
    return true;
  } catch (const CORBA::TIMEOUT& e) {
    return e.completed() != CORBA::COMPLETED_NO /* it was sent */ || late == Peers::WhoIsLate::IsThere;
  } catch (const CORBA::Exception&) {
    return false;
  }
}

void end(orb::Core& client) {
  try {
    client.destroy();
  } catch (const CORBA::Exception&) {}
}

}  // namespace

Peers::Peers() : client_(make_client(Milliseconds(1'000))) {}

Peers::~Peers() { end(*client_); }

CORBA::Object_var Peers::object(const ior::Ior& process) { return object_in(*client_, process); }

bool Peers::answers(const ior::Ior& process, WhoIsLate late) { return ping(*client_, process, late); }

bool Peers::answers_once(const ior::Ior& process, WhoIsLate late) {
  const orb::Counted<orb::Core> client = make_client(Milliseconds(1'000));
  const bool there = ping(*client, process, late);
  end(*client);
  return there;
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

Peers::Found Peers::look(const HostPort& at, ByteView object_key) {
  ior::Ior ior;
  ior.profiles.push_back(ior::to_profile({1, 2}, {at.host, at.port}, object_key, {}));
  try {
    const CORBA::Object_var asked = object(ior);
    return asked->_non_existent() ? Found::NoObject : Found::Object;
  } catch (const CORBA::OBJECT_NOT_EXIST&) {
    return Found::NoObject;
  } catch (const CORBA::TIMEOUT& e) {
    return e.completed() != CORBA::COMPLETED_NO ? Found::Object : Found::Late;
  } catch (const CORBA::TRANSIENT&) {
    return Found::Nobody;
  } catch (const CORBA::COMM_FAILURE&) {
    return Found::Nobody;
  } catch (const CORBA::SystemException&) {
    return Found::Object;
  }
}

bool Peers::serves(const HostPort& at, WhoIsLate late) {
  constexpr std::string_view kNobody = "callis.imr.probe";
  const Found found = look(at, {reinterpret_cast<const Byte*>(kNobody.data()), kNobody.size()});
  return found == Found::Late ? late == WhoIsLate::IsThere : found != Found::Nobody;
}

bool Peers::has(const HostPort& at, ByteView object_key) { return look(at, object_key) != Found::NoObject; }

}  // namespace callis::imr
