// SPDX-License-Identifier: Apache-2.0
// What requests, operators and servers do with entries.
#include <callis/base/blocking_scope.h>
#include <callis/base/log.h>
#include <callis/imr/key.h>
#include <callis/imr/leading.h>
#include <callis/ior/iiop_profile.h>
#include <callis/poa/servant/caller.h>
#include <services/imr/processes.h>
#include <services/imr/repository.h>

namespace callis::imr {

using Action = Machine::Action;
using Answer = Machine::Answer;
using Why = NotDone::Why;

namespace {

constexpr Milliseconds kLook{5}, kYoung{2'000};
constexpr std::string_view kInGoodOrder = "exit status 0";
// Of a request that waits: a thread's stack, as far as it is used, and the request's bytes.
constexpr std::size_t kWaitingBytes = 32u << 10;

std::string_view text_of(ByteView bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::vector<ior::TaggedComponent> components_of(const ior::Ior& ior) {
  for (const ior::TaggedProfile& p : ior.profiles)
    if (p.tag == ior::kInternetProfile)
      if (auto body = ior::parse_iiop(p.data)) return std::move(body.value().components);
  return {};
}

// As callis::Caller counts callers: the doorway stands before the adapters, where there is no such caller yet.
std::string counted_as(const transport::Peer* client) {
  using transport::Peer;
  if (!client || client->kind == Peer::Kind::Memory) return {};
  if (client->kind == Peer::Kind::Address && client->reach <= transport::Reach::Machine) return "loopback";
  return transport::counted_with(*client);
}

bool same(const ior::Ior& a, const ior::Ior& b) {
  return !a.is_nil() && a.type_id == b.type_id &&
         std::equal(a.profiles.begin(), a.profiles.end(), b.profiles.begin(), b.profiles.end(),
                    [](const ior::TaggedProfile& x, const ior::TaggedProfile& y) {
                      return x.tag == y.tag && x.data == y.data;
                    });
}

}  // namespace

// Counts a request that waits, once: for all, for its server, and for its client.
class Repository::Waiting final {
 public:
  // peer: who waits; nullptr: an operator, by the thread's request. Outlives it.
  Waiting(Repository& of, Entry& entry, const transport::Peer* peer) : of_(of), entry_(entry), peer_(peer) {}
  ~Waiting() {
    if (!counted_) return;
    --of_.waiting_;
    --entry_.waiting;
    const auto own = of_.waiting_of_.find(client_);
    if (--own->second == 0) of_.waiting_of_.erase(own);
  }
  // Empty: it may wait. Otherwise which limit is reached.
  std::string begin() {
    if (counted_) return {};
    client_ = peer_ ? counted_as(peer_) : Caller::current().counted_as();
    const Settings& limits = of_.settings_;
    if (of_.waiting_ >= static_cast<std::int64_t>(limits.max_waiting))
      return reached(limits.max_waiting, "requests, which is the limit, wait already");
    if (entry_.waiting >= limits.max_waiting_for_one)
      return reached(limits.max_waiting_for_one, "requests, which is the limit for one server, wait for it already");
    const auto own = of_.waiting_of_.find(client_);
    if (!client_.empty() && own != of_.waiting_of_.end() && own->second >= limits.max_waiting_of_one)
      return reached(limits.max_waiting_of_one, "requests of this client, which is the limit, wait already");
    hold_ = limits.memory->take_for(client_, kWaitingBytes);
    ++of_.waiting_;
    ++entry_.waiting;
    ++of_.waiting_of_[client_];
    counted_ = true;
    return {};
  }

 private:
  static std::string reached(std::uint32_t limit, const char* what) {
    return std::to_string(limit) + " " + what + " (callis imr serve --max-waiting)";
  }
  Repository& of_;
  Entry& entry_;
  const transport::Peer* const peer_;
  std::string client_;
  services::MemoryBound::Hold hold_;
  bool counted_ = false;
};

// --- Requests ---

// The longest prefix that the key begins with: each step leads to a shorter one.
const Repository::EntryPtr* Repository::find(ByteView key, ByteView& inner) const {
  if (const auto leading = parse_key(key)) {
    const auto found = entries_.find(leading->server);
    inner = leading->object_key;
    return found == entries_.end() ? nullptr : &found->second;
  }
  inner = key;
  std::string_view text = text_of(key);
  while (!prefixes_.empty()) {
    auto at = prefixes_.upper_bound(text);
    if (at == prefixes_.begin()) return nullptr;
    --at;
    const std::string_view prefix = at->first;
    std::size_t same = 0;
    while (same < prefix.size() && same < text.size() && prefix[same] == text[same]) ++same;
    if (same == prefix.size()) return &at->second;
    text = text.substr(0, same);
  }
  return nullptr;
}

Repository::Leads Repository::leads(ByteView key) const {
  const std::lock_guard lock(mutex_);
  ByteView inner;
  const EntryPtr* const found = find(key, inner);
  if (!found) return Leads::Nowhere;
  return (*found)->record.activation == Activation::PerClient ? Leads::ToOneForEachClient : Leads::ToOne;
}

Repository::Way Repository::way(ByteView key, const transport::Peer* client) {
  Lock lock(mutex_);
  ByteView inner;
  const EntryPtr* const found = find(key, inner);
  if (!found) return {};
  const EntryPtr server = *found;
  const services::OperationTime time(settings_.patience);
  Waiting waiting(*this, *server, client);
  const auto refused = [&](const std::string& why) {
    ++refused_;
    return Way{Way::Kind::Refused, {}, "the server " + server->record.name + ": " + why};
  };
  for (;;) {
    if (server->removed) return {};
    if (stop_) return refused("the Implementation Repository ends");
    // Looking at processes that come and go takes of the same time as waiting.
    if (time.over()) return refused("it is still " + std::string(word(server->machine.state())));
    EntryPtr entry = server;
    if (server->record.activation == Activation::PerClient) {
      std::string why;
      entry = of_client(server, client, why);
      if (!entry) return refused(why);
    }
    if (entry->machine.state() == State::Stopped && took_over(entry, lock)) continue;
    Action action;
    const Answer answer = entry->machine.wanted(now(), action);
    if (action != Action::None) act(entry, action);  // it wakes all that wait, which must not wake each other
    if (answer == Answer::Refuse) return refused(entry->machine.refusal(now()));
    if (answer == Answer::Forward) {
      const Seen seen = look(*entry, now(), lock);
      if (entry->removed || seen == Seen::Changed || entry->machine.state() != State::Running) continue;
      if (seen == Seen::Nobody) not_there(entry);
      else if (has_object(*entry, inner, lock)) return forward(*entry, inner);
      else changed_.wait_for(lock, kLook);
      continue;
    }
    if (const std::string limit = waiting.begin(); !limit.empty())
      return refused("it is " + std::string(word(entry->machine.state())) + ", and " + limit);
    const BlockingScope blocked;
    if (changed_.wait_for(lock, time.left()) == std::cv_status::timeout)
      return refused("it is still " + std::string(word(entry->machine.state())));
  }
}

Repository::EntryPtr Repository::of_client(const EntryPtr& server, const transport::Peer* peer, std::string& why) {
  const std::uint64_t client = peer ? peer->stream : 0;
  if (const auto known = server->clients.find(client); known != server->clients.end()) return known->second;
  if (!server->machine.admits(now())) {
    why = server->machine.refusal(now());
    return nullptr;
  }
  if (server->clients.size() >= server->record.max_processes) {
    why = "it has a process for each of " + std::to_string(server->clients.size()) +
          " clients, which is the limit (callis imr add --max-processes)";
    return nullptr;
  }
  const EntryPtr entry = std::make_shared<Entry>(server->record);
  entry->held = settings_.memory->take_for(counted_as(peer), cost_of(server->record));
  Terms terms = terms_of(server->record);
  terms.start_limit = 1;  // whether there is another try is the server's to say
  entry->machine.set_terms(terms);
  entry->server = server;
  entry->client = client;
  server->clients[client] = entry;
  server->machine.one_is_launched();
  return entry;
}

void Repository::settle(const EntryPtr& entry, State before, std::uint32_t failures) {
  if (entry->machine.failures() > failures) {
    ++failures_;
    log(LogLevel::Warning, {"the server ", entry->record.name, " has failed: ", entry->machine.reason()});
  }
  const EntryPtr server = entry->server;
  if (!server || entry->machine.state() != State::Stopped || before == State::Stopped) return;
  if (entry->machine.failures() > failures)
    server->machine.one_has_failed(now(), entry->machine.reason(), before == State::Starting);
  else server->machine.one_has_done_well();
  const auto own = server->clients.find(entry->client);
  if (own != server->clients.end() && own->second == entry) server->clients.erase(own);
  entry->removed = true;
  act(entry, Action::None);
}

Repository::EntryPtr Repository::launched_as(const EntryPtr& server, const std::string& start) {
  for (const auto& [client, entry] : server->clients)
    if (!start.empty() && entry->start == start) return entry;
  return server;
}

// Whether it answers, by a look that began at `asked` or later. The lock is given up meanwhile.
Repository::Seen Repository::look(Entry& entry, Time asked, Lock& lock) {
  const bool of_a_client = entry.server != nullptr;
  if (of_a_client && !std::exchange(entry.handed_out, true)) return Seen::Answers;  // it has just said so
  const ior::Ior self = entry.self;
  const std::string endpoint = entry.record.endpoint;
  const std::uint64_t generation = entry.machine.generation();
  // A process of this host that has not been seen to end is there, though it may be too busy to take a connection.
  const bool lives = entry.machine.has_process() && entry.record.activator.empty();
  const auto late = lives ? Peers::WhoIsLate::IsThere : Peers::WhoIsLate::IsNot;
  lock.unlock();
  bool found;
  {
    const BlockingScope blocked;
    const std::lock_guard looking(entry.looking);
    if (entry.looked < asked || entry.looked_at != generation) {
      entry.looked = now();
      entry.looked_at = generation;
      const auto at = self.is_nil() ? parse_host_port(endpoint) : std::nullopt;
      if (at) entry.found = peers_.serves(*at, late);
      else if (self.is_nil()) entry.found = false;
      else entry.found = of_a_client ? Peers::answers_once(self, late) : peers_.answers(self, late);
    }
    found = entry.found;
  }
  lock.lock();
  if (entry.machine.generation() != generation) return Seen::Changed;
  return found ? Seen::Answers : Seen::Nobody;
}

// A server that does not tell answers before its adapters are there. For so long objects that it does not know are
// waited for. The lock is given up meanwhile.
bool Repository::has_object(Entry& entry, ByteView inner, Lock& lock) {
  if (!entry.self.is_nil() || now() - entry.answers_since > kYoung) return true;
  const auto at = parse_host_port(entry.record.endpoint);
  lock.unlock();
  bool has;
  {
    const BlockingScope blocked;
    has = !at || peers_.has(*at, inner);
  }
  lock.lock();
  return has;
}

void Repository::not_there(const EntryPtr& entry) {
  Machine& m = entry->machine;
  if (m.has_process()) {
    m.vanished(now());
    act(entry, Action::None);
    return;
  }
  const Action action = m.lost(now(), "it does not answer any more");
  entry->self = {};
  entry->pid = 0;
  keep(entry);
  act(entry, action);
}

bool Repository::still_runs(const Entry& entry) {
  return !entry.start.empty() && entry.record.activator.empty() && entry.pid > 0 && is_running(entry.pid);
}

// A server with an endpoint that somebody has started already.
bool Repository::took_over(const EntryPtr& entry, Lock& lock) {
  if (entry->record.endpoint.empty()) return false;
  if (look(*entry, now(), lock) != Seen::Answers || entry->removed) return false;
  if (entry->machine.state() != State::Stopped) return false;
  return entry->machine.up(now(), false);
}

Repository::Way Repository::forward(const Entry& entry, ByteView inner) const {
  Way way{Way::Kind::Forward, {}, {}};
  if (!entry.self.is_nil()) {
    way.to.profiles = profiles_via(entry.self, inner, components_of(entry.self), {});
  } else if (const auto at = parse_host_port(entry.record.endpoint)) {
    way.to.profiles.push_back(ior::to_profile({1, 2}, {at->host, at->port}, inner, {}));
  }
  ++forwarded_;
  return way;
}

// --- Operators ---

const Repository::EntryPtr& Repository::named(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw NotDone(Why::Unknown, "no server \"" + name + "\" is registered");
  return found->second;
}

void Repository::index(const EntryPtr& entry) {
  entries_[entry->record.name] = entry;
  for (const std::string& prefix : entry->record.key_prefixes) prefixes_[prefix] = entry;
}

void Repository::forget_prefixes(const Record& record) {
  for (const std::string& prefix : record.key_prefixes) prefixes_.erase(prefix);
}

void Repository::check_may_add(const Record& record, bool replace) const {
  const auto known = entries_.find(record.name);
  if (known != entries_.end() && !replace)
    throw NotDone(Why::Exists, "the server \"" + record.name + "\" is registered already");
  if (known == entries_.end() && entries_.size() >= settings_.max_servers)
    throw NotDone(Why::Invalid,
                  "there are " + std::to_string(settings_.max_servers) + " servers, which is the limit");
  if (known != entries_.end()) {
    const bool is = known->second->record.activation == Activation::PerClient;
    const bool runs = !known->second->clients.empty() || known->second->machine.state() != State::Stopped;
    if (is != (record.activation == Activation::PerClient) && runs)
      throw NotDone(Why::Invalid, "it is running, and has to be stopped before clients have a process each, or "
                                  "have it no more");
  }
  for (const std::string& prefix : record.key_prefixes) {
    const auto other = prefixes_.find(prefix);
    if (other == prefixes_.end() || other->second->record.name == record.name) continue;
    throw NotDone(Why::Invalid, "keys that begin with " + hex_of(prefix) + " are those of the server \"" +
                                    other->second->record.name + "\" already");
  }
}

void Repository::add(const Record& record, bool replace) {
  if (const std::string problem = problem_with(record); !problem.empty()) throw NotDone(Why::Invalid, problem);
  if (record.command.empty() && record.activation == Activation::Always)
    throw NotDone(Why::Invalid, "it is to run always, and has no command line to start it by");
  const std::lock_guard registering(registering_);
  {
    const std::lock_guard lock(mutex_);
    check_may_add(record, replace);
  }
  services::MemoryBound::Hold held = settings_.memory->take(cost_of(record));
  store_.commit({{}, {{"server/" + record.name, to_text(record)}}, {}});
  const std::lock_guard lock(mutex_);
  if (const auto known = entries_.find(record.name); known != entries_.end()) {
    forget_prefixes(known->second->record);
    known->second->record = record;
    known->second->machine.set_terms(terms_of(record));
    index(EntryPtr(known->second));
  } else {
    index(std::make_shared<Entry>(record));
  }
  const EntryPtr entry = entries_[record.name];
  entry->held = std::move(held);
  act(entry, entry->machine.begin(now()));
}

void Repository::remove(const std::string& name) {
  const auto check = [&]() -> EntryPtr {
    const EntryPtr& entry = named(name);
    const State state = entry->machine.state();
    const bool over = state == State::Stopped || state == State::BackingOff;
    if (over && entry->clients.empty()) return entry;
    const char* const is = over ? "running" : word(state);
    throw NotDone(Why::Refused, "the server \"" + name + "\" is " + is + "; callis imr stop ends it");
  };
  const std::lock_guard registering(registering_);
  {
    const std::lock_guard lock(mutex_);
    check();
  }
  store_.commit({{}, {}, {"server/" + name, "running/" + name}});
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  const EntryPtr entry = found->second;
  entry->removed = true;
  act(entry, entry->machine.stop(now()));
  forget_prefixes(entry->record);
  entries_.erase(found);
}

void Repository::start(const std::string& name) {
  Lock lock(mutex_);
  const EntryPtr entry = named(name);
  if (!entry->machine.terms().can_start) throw NotDone(Why::Refused, "it has no command line to start it by");
  if (entry->record.activation == Activation::PerClient) {
    act(entry, entry->machine.start(now()));  // its failures are forgotten
    return;
  }
  const services::OperationTime time(settings_.patience);
  Waiting waiting(*this, *entry, nullptr);
  const std::uint64_t before = entry->machine.launches();
  for (;;) {
    const State state = entry->machine.state();
    if (entry->removed || stop_) throw NotDone(Why::Refused, "it has been removed, or the repository ends");
    if (state == State::Running) return;
    const bool over = state == State::BackingOff || state == State::Stopped;
    if (over && entry->machine.launches() != before) throw NotDone(Why::Refused, entry->machine.reason());
    if (const std::string limit = waiting.begin(); !limit.empty()) throw NotDone(Why::Refused, limit);
    if (const Action action = entry->machine.start(now()); action != Action::None) act(entry, action);
    const BlockingScope blocked;
    if (changed_.wait_for(lock, time.left()) == std::cv_status::timeout)
      throw NotDone(Why::Refused, std::string("it is still ") + word(entry->machine.state()));
  }
}

void Repository::halt(const std::string& name) {
  Lock lock(mutex_);
  const EntryPtr entry = named(name);
  const services::OperationTime time(settings_.patience);
  act(entry, entry->machine.stop(now()));
  const auto all = entry->clients;
  for (const auto& [client, one] : all) act(one, one->machine.stop(now()));
  const auto stopping = [&] {
    for (const auto& [client, one] : all)
      if (!one->removed) return true;
    return entry->machine.state() == State::Stopping;
  };
  while (stopping() && !entry->removed && !stop_) {
    const BlockingScope blocked;
    if (changed_.wait_for(lock, time.left()) == std::cv_status::timeout)
      throw NotDone(Why::Refused, "it is still stopping");
  }
}

Repository::Status Repository::status_of(const Entry& e) {
  const Machine& m = e.machine;
  const bool says_why = m.state() == State::Stopped || m.state() == State::BackingOff;
  std::string reason =
          m.given_up() || m.state() == State::BackingOff ? m.refusal(now()) : says_why ? m.reason() : std::string();
  return {e.record, e.clients.empty() ? m.state() : State::Running, e.pid, m.failures(), m.launches(), e.waiting,
          std::move(reason), e.clients.size()};
}

Repository::Status Repository::status(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return status_of(*named(name));
}

std::vector<Repository::Status> Repository::list(const std::string& after, std::size_t most) const {
  const std::lock_guard lock(mutex_);
  std::vector<Status> out;
  for (auto at = entries_.upper_bound(after); at != entries_.end() && out.size() < most; ++at)
    out.push_back(status_of(*at->second));
  return out;
}

// --- Servers ---

void Repository::up(const std::string& name, const std::string& start, std::int64_t pid, const ior::Ior& self) {
  Lock lock(mutex_);
  const EntryPtr entry = launched_as(named(name), start);
  const bool ours = !start.empty() && start == entry->start;
  if (entry->machine.state() == State::Running && same(entry->self, self) && (ours || start.empty())) return;
  if (start.empty() && entry->record.activation == Activation::PerClient)
    throw NotDone(Why::Refused, "its processes are started for clients, and none by hand");
  if (!start.empty() && !ours) throw NotDone(Why::Refused, "the repository has given up on this launch of it");
  if (!ours && entry->machine.state() == State::Running && look(*entry, now(), lock) == Seen::Nobody &&
      entry->machine.state() == State::Running)
    not_there(entry);
  if (!entry->machine.up(now(), ours))
    throw NotDone(Why::Refused, std::string("another process is this server, which is ") +
                                    word(entry->machine.state()));
  entry->pid = pid;
  entry->self = self;
  keep(entry);
  act(entry, Action::None);
  log(LogLevel::Info, {"the server ", name, " is running"});
}

void Repository::going_down(const std::string& name, const std::string& start) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  const EntryPtr entry = launched_as(found->second, start);
  if (entry->start != start) return;
  entry->machine.going_down(now(), still_runs(*entry));
  entry->self = {};
  keep(entry);
  act(entry, Action::None);
}

void Repository::reconcile(const std::string& activator, const std::set<std::string>& living) {
  std::vector<std::pair<std::string, std::string>> over;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : entries_) {
      if (entry->record.activator != activator) continue;
      const auto look_at = [&](const Entry& e) {
        const bool launched = e.machine.has_process() && !e.start.empty();
        if (launched && living.count(e.start) == 0) over.emplace_back(e.record.name, e.start);
      };
      look_at(*entry);
      for (const auto& [client, one] : entry->clients) look_at(*one);
    }
  }
  for (const auto& [name, start] : over) ended(name, start, "its process is not there any more");
}

void Repository::ended(const std::string& server, const std::string& start, const std::string& how) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(server);
  if (found == entries_.end()) return;
  const EntryPtr entry = launched_as(found->second, start);
  if (entry->start != start) return;
  // What it says before it ends may come after its end.
  if (entry->server && how == kInGoodOrder) entry->machine.going_down(now());
  const State before = entry->machine.state();
  const std::uint32_t failures = entry->machine.failures();
  entry->start.clear();
  entry->self = {};
  entry->pid = 0;
  const Action action = entry->machine.ended(now(), how);
  keep(entry);
  act(entry, action);
  settle(entry, before, failures);
}

}  // namespace callis::imr
