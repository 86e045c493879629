// SPDX-License-Identifier: Apache-2.0
// What a server tells its repository. The calls are made by an ORB of its own, which is there before the server's
// adapters and until after them, is bound by none of the application's interceptors and policies, and does not wait
// long.
#include <callis/base/log.h>
#include <callis/imr/key.h>
#include <callis/imr/registration.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/options/tls_of_orb.h>
#include <callis/orb/server/server.h>
#include <callis/poa/servant/administrative.h>
#include <callis/portable_server.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>
#include "CallisImr_skel.h"

namespace callis::imr {

namespace {

class ProcessServant final : public poa::Administrative<POA_CallisImr::Process> {
 public:
  explicit ProcessServant(orb::Core& server) : server_(server) {}
  void ping() override {}
  void shutdown() override {
    log(LogLevel::Info, "the Implementation Repository ends this server");
    server_.shutdown(false);
  }

 private:
  orb::Core& server_;
};

orb::Counted<orb::Core> make_client() {
  const char* words[] = {"callis", "-ORBIdleWatch", "none", "-ORBConnectTimeout", "3000", "-ORBCallTimeout", "10000"};
  int argc = std::size(words);
  std::vector<char*> argv;
  for (const char* w : words) argv.push_back(const_cast<char*>(w));
  argv.push_back(nullptr);
  auto options = orb::parse_options(argc, argv.data());
  if (!options) classic::raise<CORBA::INITIALIZE>(0, CORBA::COMPLETED_NO, options.error().detail);
  return orb::Core::create(std::move(options).value());
}

constexpr std::chrono::milliseconds kFirstPause{250}, kLongestPause{30'000}, kShortestLook{10}, kLongestLook{1'000};

std::chrono::milliseconds given_linger() {
  const char* const text = ::secure_getenv("CALLIS_IMR_LINGER");
  const unsigned long ms = text ? std::strtoul(text, nullptr, 10) : 0;
  return std::chrono::milliseconds(std::min(ms, 86'400'000ul));
}

std::string given_start() {
  const char* const text = ::secure_getenv("CALLIS_IMR_START");
  return text ? text : "";
}

[[noreturn]] void refuse(const std::string& why) {
  log(LogLevel::Error, why);
  classic::raise<CORBA::INITIALIZE>(0, CORBA::COMPLETED_NO, why);
}

}  // namespace

class Registration::Part final : public orb::OrbPart {
 public:
  explicit Part(std::shared_ptr<Registration> of) : of_(std::move(of)) {}
  void stop() override { of_->tell_down(); }
  void end() override { of_->end(); }

 private:
  const std::shared_ptr<Registration> of_;
};

Registration::Registration(orb::Core& server, const ImrOptions& options)
    : server_(server), options_(options), server_id_(server.options().server_id),
      start_(given_start()), linger_(given_linger()) {
  if (server_id().empty())
    refuse("-ORBIMR needs -ORBServerId NAME, the name by which the repository knows this server");
  if (!is_server_name(server_id()))
    refuse("-ORBServerId \"" + server_id() +
           "\" is no name of a server: at most 100 letters, digits, '.', '-' and '_'");
  client_ = make_client();
  try {
    to_ = client_->string_to_object(options_.repository.c_str());
    if (to_.in()) repository_ = orb::reference_of(to_.in()).ior();
  } catch (const CORBA::SystemException& e) {
    client_->destroy();
    refuse("-ORBIMR " + options_.repository + ": " + e.what());
  }
  if (!repository_.is_nil()) return;
  client_->destroy();
  refuse("-ORBIMR " + options_.repository + ": no reference of a repository");
}

Registration::~Registration() { end(); }

void Registration::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  if (keeper_.joinable()) keeper_.join();
  process_ = CORBA::Object::_nil();  // it has the server's ORB
  try {
    client_->destroy();
  } catch (const CORBA::Exception&) {}
}

void Registration::serves(const std::string& manager, bool active) {
  {
    const std::lock_guard lock(mutex_);
    managers_.insert(manager);
  }
  if (active) manager_is_active(manager);
}

void Registration::manager_is_active(const std::string& manager) {
  bool tells;
  {
    const std::lock_guard lock(mutex_);
    if (telling_ || (managers_.count(manager) == 0 && !managers_.empty())) return;
    tells = telling_ = !managers_.empty();
  }
  if (tells || makes_adapters()) tell_up();
}

// Whether the persistent adapters are still to be made, by an AdapterActivator when somebody calls.
bool Registration::makes_adapters() {
  const CORBA::Object_var object = server_.resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  const PortableServer::AdapterActivator_var activator = root->the_activator();
  const std::lock_guard lock(mutex_);
  return activator.in() && !std::exchange(telling_, true);
}

// Of an adapter and a manager of its own: whatever the application does with its managers, the object answers.
CORBA::Object_var Registration::make_process() {
  const CORBA::Object_var object = server_.resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  const PortableServer::POA_var own =
      root->create_POA("callis.imr", PortableServer::POAManager::_nil(), CORBA::PolicyList());
  const PortableServer::POAManager_var manager = own->the_POAManager();
  manager->activate();
  const PortableServer::Servant_var<ProcessServant> servant(new ProcessServant(server_));
  const PortableServer::ObjectId_var id = own->activate_object(servant.in());
  return own->id_to_reference(id.in());
}

void Registration::tell_up() {
  if (&orb::share_tls) orb::share_tls(&server_, *client_);  // the server's ORB has been made by now
  try {
    process_ = make_process();
    server_.add(std::make_unique<Part>(shared_from_this()));
  } catch (const CORBA::Exception& e) {
    log(LogLevel::Error, {"the Implementation Repository is not told of this server: ", e.what()});
    return;
  }
  const Told told = announce();
  const std::lock_guard lock(mutex_);
  if (stop_) return;
  after(told);
  connected_at_ = std::chrono::steady_clock::now();
  if (announce_at_ == Time::max() && linger_.count() == 0) return;
  if (const int error = keeper_.start({"callis-imr-told"}, [this] { keep(); }))
    log(LogLevel::Error, {"no thread that keeps the Implementation Repository told: ", std::strerror(error)});
}

Registration::Told Registration::announce() {
  std::string why;
  Told told = Told::Later;
  try {
    const CallisImr::Process_var process = CallisImr::Process::_unchecked_narrow(process_.in());
    const CallisImr::Repository_var repository = CallisImr::Repository::_unchecked_narrow(to_.in());
    repository->up(server_id().c_str(), start_.c_str(), static_cast<CORBA::Long>(::getpid()), process.in());
    if (taken()) say_down();
    return Told::Taken;
  } catch (const CallisImr::Unknown&) {
    why = "it knows no server of that name (callis imr add " + server_id() + ")";
  } catch (const CallisImr::Refused& e) {
    why = e.why.in();
    told = Told::Never;
  } catch (const CORBA::SystemException& e) {
    why = e.what();
  } catch (const CORBA::Exception& e) {
    why = e._name();
  }
  const std::lock_guard lock(mutex_);
  up_ = false;
  if (pause_.count() == 0 || told == Told::Never) {  // once, not at each try
    const char* const later = told == Told::Later ? ", until it does: it is asked again" : "";
    log(LogLevel::Error, {"the Implementation Repository does not take this server as ", server_id(), ": ",
                          why, "; its persistent references lead nowhere", later});
  }
  return told;
}

bool Registration::taken() {
  const std::lock_guard lock(mutex_);
  up_ = !stop_;
  if (pause_.count() != 0) log(LogLevel::Info, {"the Implementation Repository knows ", server_id(), " now"});
  return stop_;
}

void Registration::after(Told told) {
  const Time now = std::chrono::steady_clock::now();
  const std::chrono::seconds interval(options_.announce_seconds);
  if (told == Told::Later) {
    pause_ = pause_.count() == 0 ? kFirstPause : std::min(2 * pause_, kLongestPause);
    announce_at_ = now + pause_;
    return;
  }
  pause_ = std::chrono::milliseconds(0);
  announce_at_ = told == Told::Never || interval.count() == 0 ? Time::max() : now + interval;
}

void Registration::keep() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    const Time now = std::chrono::steady_clock::now();
    if (now >= announce_at_) {
      lock.unlock();
      const Told told = announce();
      lock.lock();
      after(told);
      continue;
    }
    if (linger_.count() != 0 && lingers_too_long(now)) {
      lock.unlock();
      log(LogLevel::Info, {"no client is connected any more; this server of one client ends"});
      return server_.shutdown(false);
    }
    const Time look = linger_.count() != 0 ? now + std::clamp(linger_ / 8, kShortestLook, kLongestLook) : Time::max();
    const Time next = std::min(announce_at_, look);
    if (next == Time::max()) changed_.wait(lock);
    else changed_.wait_until(lock, next);
  }
}

bool Registration::lingers_too_long(Time now) {
  if (server_.server().connections() != 0) connected_at_ = now;
  return now - connected_at_ >= linger_;
}

void Registration::tell_down() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
    if (!std::exchange(up_, false)) return;
  }
  say_down();
}

// The connection is there since announce(); a one-way call does not wait for the repository.
void Registration::say_down() noexcept {
  try {
    const CallisImr::Repository_var repository = CallisImr::Repository::_unchecked_narrow(to_.in());
    repository->going_down(server_id().c_str(), start_.c_str());
  } catch (const CORBA::Exception&) {}  // it finds out by itself
}

}  // namespace callis::imr
