// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <services/imr/activator.h>
#include <services/imr/servant.h>
#include <cstring>

namespace callis::imr {

namespace {

constexpr std::chrono::seconds kAgain{5};

}  // namespace

Activator::Activator(std::string name, const std::string& repository)
    : name_(std::move(name)), client_(make_client(Milliseconds(10'000))) {
  const CORBA::Object_var object = client_->string_to_object(repository.c_str());
  repository_ = CallisImr::Repository::_unchecked_narrow(object.in());
}

Activator::~Activator() {
  stop();
  try {
    client_->destroy();
  } catch (const CORBA::Exception&) {}
}

void Activator::begin(CORBA::Object_ptr self) {
  self_ = CallisImr::Activator::_unchecked_narrow(self);
  if (const int error = thread_.start({"callis-imr-act"}, [this] { keep_attached(); }))
    throw std::runtime_error(std::string("no thread for the activator: ") + std::strerror(error));
}

void Activator::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

CORBA::Long Activator::launch(const CallisImr::Server& entry, const char* start, const char* repository) {
  const std::lock_guard lock(launching_);
  try {
    const Record record = record_of(entry);
    if (const std::string problem = problem_with(record); !problem.empty()) throw CannotLaunch(problem);
    return static_cast<CORBA::Long>(processes_.launch(record, start, repository));
  } catch (const CannotLaunch& e) {
    throw CallisImr::Refused(e.what());
  } catch (const CallisImr::Invalid& e) {
    throw CallisImr::Refused(e.why.in());
  }
}

void Activator::end(const char* start, CORBA::Boolean kill) { processes_.end(start, kill); }

// A repository that is not there hears of it when this attaches again.
void Activator::ended(const std::string& server, const std::string& start, const std::string& how) {
  try {
    repository_->ended(server.c_str(), start.c_str(), how.c_str());
  } catch (const CORBA::Exception&) {}
}

void Activator::attach() {
  std::string why;
  try {
    const std::lock_guard lock(launching_);
    const std::vector<std::string> living = processes_.living();
    CallisImr::Words words;
    words.length(static_cast<CORBA::ULong>(living.size()));
    for (CORBA::ULong i = 0; i < words.length(); ++i) words[i] = living[i].c_str();
    repository_->attach(name_.c_str(), self_.in(), words);
  } catch (const CallisImr::Invalid& e) {
    why = e.why.in();
  } catch (const CORBA::SystemException& e) {
    why = e.what();
  } catch (const CORBA::Exception& e) {
    why = e._name();
  }
  if (!why.empty() && attached_) log(LogLevel::Warning, {"the repository does not take this activator: ", why});
  attached_ = why.empty();
}

void Activator::keep_attached() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    lock.unlock();
    attach();
    lock.lock();
    changed_.wait_for(lock, kAgain, [this] { return stop_; });
  }
}

}  // namespace callis::imr
