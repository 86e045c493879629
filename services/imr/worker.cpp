// SPDX-License-Identifier: Apache-2.0
// The repository's own thread: processes, peers, disk and time. And what it finds in the store when it begins.
#include <callis/base/log.h>
#include <callis/ior/text.h>
#include <services/imr/repository.h>
#include <sys/random.h>
#include <atomic>
#include <cstring>

namespace callis::imr {

using Action = Machine::Action;

namespace {

constexpr std::string_view kServers = "server/", kRunning = "running/";
// How often somebody looks whether a server that does not tell is ready.
constexpr Milliseconds kLookAgain{5};
// How often somebody looks whether a server that is to run always, and is no child of ours, is still there.
constexpr Milliseconds kWatch{5'000};

std::string new_start() {
  char bytes[16] = {};
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {  // early in the boot: then what nobody had before
    static std::atomic<std::uint64_t> count{0};
    const std::int64_t parts[2] = {std::chrono::steady_clock::now().time_since_epoch().count(),
                                   static_cast<std::int64_t>(++count)};
    std::memcpy(bytes, parts, sizeof bytes);
  }
  return hex_of(std::string_view(bytes, sizeof bytes));
}

Settings with_defaults(Settings settings, services::MemoryBound& memory) {
  const std::uint32_t all = settings.max_waiting;
  if (settings.max_waiting_for_one == 0) settings.max_waiting_for_one = std::max(1u, all / 4);
  if (settings.max_waiting_of_one == 0) settings.max_waiting_of_one = std::max(1u, all / 2);
  if (!settings.memory) settings.memory = &memory;
  return settings;
}

}  // namespace

Repository::Repository(services::Store& store, services::Counters& counters, const Settings& settings)
    : store_(store),
      settings_(with_defaults(settings, own_memory_)),
      forwarded_(counters.counter("requests.forwarded")),
      refused_(counters.counter("requests.refused")),
      launches_(counters.counter("servers.launches")),
      failures_(counters.counter("servers.failures")),
      waiting_(counters.gauge("requests.waiting")),
      servers_(counters.collect([this](const services::Counters::Add& add) {
        const std::lock_guard lock(mutex_);
        std::int64_t running = 0;
        for (const auto& [name, entry] : entries_) running += entry->machine.state() == State::Running;
        add({"servers.registered", static_cast<std::int64_t>(entries_.size()), true});
        add({"servers.running", running, true});
      })) {}

Repository::~Repository() {
  stop();
  for (const auto& [name, entry] : entries_) entry->clients.clear();  // each has its server's entry
}

// What was running when the last process ended is taken to be there, until somebody looks.
void Repository::read_store() {
  store_.read(kServers, [&](services::Pair&& pair) {
    auto record = from_text(pair.value);
    if (!record || pair.key != std::string(kServers) + record->name) {
      log(LogLevel::Error, {"what the store has at ", pair.key, " is no server; it is passed over"});
      return;
    }
    const auto entry = std::make_shared<Entry>(std::move(*record));
    entry->held = settings_.memory->adopt(cost_of(entry->record));
    index(entry);
  });
  store_.read(kRunning, [&](services::Pair&& pair) {
    const auto found = entries_.find(std::string_view(pair.key).substr(kRunning.size()));
    const std::size_t space = pair.value.find(' '), last = pair.value.rfind(' ');
    if (found == entries_.end() || space == pair.value.npos) return;
    if (last != space) found->second->start = pair.value.substr(space + 1, last - space - 1);
    auto parsed = ior::parse_reference(std::string_view(pair.value).substr(last + 1));
    if (auto* const ior = std::get_if<ior::Ior>(&parsed); ior && found->second->machine.up(now(), false)) {
      found->second->self = std::move(*ior);
      found->second->pid = std::atoll(pair.value.c_str());
    }
  });
}

void Repository::begin(Launcher& launcher, const std::string& reference) {
  {
    const std::lock_guard lock(mutex_);
    launcher_ = &launcher;
    reference_ = reference;
    read_store();
    for (const auto& [name, entry] : entries_) act(entry, entry->machine.begin(now()));
  }
  if (const int error = worker_.start({"callis-imr"}, [this] { work(); }))
    throw std::runtime_error(std::string("no thread for the repository: ") + std::strerror(error));
}

void Repository::refuse() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  work_.notify_all();
}

void Repository::stop() {
  refuse();
  if (worker_.joinable()) worker_.join();
  errands_.stop();
}

void Repository::act(const EntryPtr& entry, Action action) {
  if (action == Action::Launch) {
    entry->start = new_start();
    entry->self = {};
    entry->pid = 0;
    ++launches_;
    jobs_.push_back({Job::What::Launch, entry, entry->start});
  } else if (action == Action::Ask) {
    jobs_.push_back({Job::What::Ask, entry, entry->start});
  } else if (action == Action::Kill) {
    jobs_.push_back({Job::What::Kill, entry, entry->start});
  }
  work_.notify_one();
  changed_.notify_all();
}

// Whether it runs, and where, for the next process of this repository.
void Repository::keep(const EntryPtr& entry) {
  if (!entry->server) jobs_.push_back({Job::What::Keep, entry, {}});
}

void Repository::work() {
  Lock lock(mutex_);
  while (!stop_) {
    if (!jobs_.empty()) {
      const Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      run(job);
      lock.lock();
      continue;
    }
    const Time next = pass_time();
    if (jobs_.empty() && !stop_) work_.wait_until(lock, next);
  }
}

// Returns when to look again.
Time Repository::pass_time() {
  Time next = now() + std::chrono::hours(1);
  std::vector<EntryPtr> looks, watched, leaving;
  const bool watches = now() >= watch_at_;
  const auto tick = [&](const EntryPtr& entry) {
    const State before = entry->machine.state();
    const std::uint32_t failures = entry->machine.failures();
    const Action action = entry->machine.tick(now());
    if (action != Action::None || entry->machine.state() != before) act(entry, action);
    if (const auto at = entry->machine.wakes_at(); at && *at < next) next = *at;
    if (entry->server) settle(entry, before, failures);
  };
  for (const auto& [name, entry] : entries_) {
    tick(entry);
    for (auto at = entry->clients.begin(); at != entry->clients.end();) tick(EntryPtr((at++)->second));
    if (entry->machine.state() == State::Starting && !entry->record.endpoint.empty()) looks.push_back(entry);
    if (entry->machine.has_process()) continue;
    if (entry->machine.state() == State::Stopping) leaving.push_back(entry);
    if (entry->machine.state() != State::Running) continue;
    if (entry->record.activation != Activation::Always) continue;
    if (watches) watched.push_back(entry);
    next = std::min(next, std::max(watch_at_, now()));
  }
  if (watches) watch_at_ = now() + kWatch;
  for (const EntryPtr& entry : watched)
    send_to_look(entry, next, [this, entry](Seen seen) {
      if (seen == Seen::Nobody && !entry->machine.has_process()) not_there(entry);
    });
  // Started by a former life of the repository, or by somebody else: nothing tells that such a process has ended.
  // Until it has, another one might not get what it has opened.
  for (const EntryPtr& entry : leaving) {
    if (still_runs(*entry)) next = std::min(next, now() + kLookAgain);
    else
      send_to_look(entry, next, [this, entry](Seen seen) {
        if (seen == Seen::Nobody && !entry->machine.has_process()) not_there(entry);
      });
  }
  for (const EntryPtr& entry : looks)
    send_to_look(entry, next, [this, entry](Seen seen) {
      Machine& machine = entry->machine;
      if (seen != Seen::Answers || machine.state() != State::Starting) return;
      if (!machine.up(now(), machine.has_process())) return;
      entry->answers_since = now();
      act(entry, Action::None);
    });
  return next;
}

// Under the lock. The one look at a server at a time, which may take two seconds; then a pause.
void Repository::send_to_look(const EntryPtr& entry, Time& next, std::function<void(Seen)> seen) {
  if (entry->being_looked_at) return;  // the worker is woken when that is over
  if (now() < entry->look_again) {
    next = std::min(next, entry->look_again);
    return;
  }
  entry->being_looked_at = true;
  errands_.add("server " + entry->record.name, [this, entry, seen = std::move(seen)] {
    Lock lock(mutex_);
    const Seen what = stop_ ? Seen::Changed : look(*entry, now(), lock);
    entry->being_looked_at = false;
    entry->look_again = now() + kLookAgain;
    if (!entry->removed && !stop_) seen(what);
    work_.notify_one();
  });
}

// What asks somebody else does not hold up what is to be done for others.
void Repository::run(const Job& job) {
  std::string activator, name;
  {
    const std::lock_guard lock(mutex_);
    activator = job.entry->record.activator;
    name = job.entry->record.name;
  }
  const std::string whom = activator.empty() ? "server " + name : "activator " + activator;
  const auto do_it = [this, job] {
    switch (job.what) {
      case Job::What::Launch: return launch(job);
      case Job::What::Ask: return ask(job);
      case Job::What::Kill: return launcher_->end(job.start, true);
      case Job::What::Keep: return write_running(job);
    }
  };
  const bool asks = job.what == Job::What::Ask || (job.what != Job::What::Keep && !activator.empty());
  if (asks) errands_.add(whom, do_it);
  else do_it();
}

void Repository::launch(const Job& job) {
  Record record;
  {
    const std::lock_guard lock(mutex_);
    record = job.entry->record;
  }
  std::string why;
  std::int64_t pid = 0;
  try {
    pid = launcher_->launch(record, job.start, reference_);
  } catch (const std::exception& e) {
    why = e.what();
  }
  if (!why.empty()) return ended(record.name, job.start, why);
  const std::lock_guard lock(mutex_);
  if (job.entry->start != job.start) return;  // it has ended already
  job.entry->pid = pid;
  job.entry->machine.launched();
}

void Repository::ask(const Job& job) {
  ior::Ior self;
  {
    const std::lock_guard lock(mutex_);
    self = job.entry->self;
  }
  if (!self.is_nil() && peers_.shut_down(self)) return;
  if (!job.start.empty()) return launcher_->end(job.start, false);
  const std::lock_guard lock(mutex_);
  not_there(job.entry);
}

void Repository::write_running(const Job& job) {
  std::string name, value;
  {
    const std::lock_guard lock(mutex_);
    if (job.entry->removed) return;
    name = job.entry->record.name;
    if (!job.entry->self.is_nil())
      value = std::to_string(job.entry->pid) + " " + job.entry->start + (job.entry->start.empty() ? "" : " ") +
              ior::to_text(job.entry->self);
  }
  try {
    const std::string key = std::string(kRunning) + name;
    if (value.empty()) store_.commit({{}, {}, {key}});
    else store_.commit({{}, {{key, value}}, {}});
  } catch (const services::StoreFailed& e) {
    log(LogLevel::Error, {"whether the server ", name, " runs cannot be kept: ", e.what()});
  }
}

}  // namespace callis::imr
