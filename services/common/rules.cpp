// SPDX-License-Identifier: Apache-2.0
// Rules of who may call what: reads --allow, and checks each request.
#include <callis/base/clock.h>
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/options/option_values.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/servant/skeleton.h>
#include <callis/transport/certificate.h>
#include <pwd.h>
#include <services/common/rules.h>
#include <strings.h>
#include <unistd.h>
#include <algorithm>
#include <mutex>
#include <utility>

namespace callis::services {

namespace {

constexpr std::string_view kGroups[] = {"read", "write", "admin"};

bool is_own(const Caller& caller) {
  return caller.kind() == Caller::Kind::User && (caller.user() == 0 || caller.user() == ::geteuid());
}

// Finds the number of a user, given by name or number. Returns false if there is no such user.
bool find_user(std::string_view text, std::uint32_t& out) {
  std::uint64_t number = 0;
  if (parse_decimal(text, 0xfffffffe, number)) {
    out = static_cast<std::uint32_t>(number);
    return true;
  }
  const passwd* const entry = ::getpwnam(std::string(text).c_str());  // at the start, by one thread
  if (!entry) return false;
  out = entry->pw_uid;
  return true;
}

// The arguments of guard(), as the watch reads them.
struct Guard {
  const Rules* rules;
  bool guards_reading;
  // By operation; only groups that are not open to anybody.
  std::unordered_map<std::string_view, std::vector<const Guarded*>> operations;
  std::vector<std::pair<std::string_view, const Guarded*>> beginnings;
};

std::atomic<const Guard*> g_guard{nullptr};
std::atomic<std::uint64_t> g_refused{0};

// Bounds how fast peers can fill the log.
class RefusalLog final {
 public:
  void write(bool dry_run, std::string_view text) {
    std::uint64_t without = 0;
    {
      const std::lock_guard lock(mutex_);
      const TimePoint now = Clock::steady().now();
      if (now - since_ >= std::chrono::seconds(1)) {
        since_ = now;
        lines_ = 0;
      }
      if (++lines_ > kMostLines) {
        ++without_;
        return;
      }
      without = std::exchange(without_, 0);
    }
    log(LogLevel::Warning, {dry_run ? "would be refused (--allow-dry-run): " : "refused: ", text});
    if (without != 0) log(LogLevel::Warning, {"refused before, without a line each: ", Decimal(without)});
  }

 private:
  std::mutex mutex_;
  TimePoint since_{};
  std::uint32_t lines_ = 0;
  std::uint64_t without_ = 0;
};

// Nothing if this is a dry run.
std::optional<CORBA::NO_PERMISSION> refusal(const Rules& rules, Group group, std::string_view what,
                                            const Caller& caller) {
  static RefusalLog refusals;
  g_refused.fetch_add(1, std::memory_order_relaxed);
  std::string text = concat({what, " (", kGroups[static_cast<std::size_t>(group)], ") is for ",
                             rules.callers(group).text(), ", and the caller is ", caller.text()});
  refusals.write(rules.dry_run(), text);
  if (rules.dry_run()) return std::nullopt;
  CORBA::NO_PERMISSION e(kRefusedByRules, CORBA::COMPLETED_NO);
  e.detail(text + "; --allow of the service changes this");
  return e;
}

// Whether the name, as pump.plant.example, is the pattern, as *.plant.example. DNS names are compared without case.
bool is_dns_name(std::string_view pattern, std::string_view name) {
  if (pattern.starts_with("*.")) {
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos || dot == 0) return false;
    pattern.remove_prefix(1);
    name.remove_prefix(dot);
  }
  return pattern.size() == name.size() && ::strncasecmp(pattern.data(), name.data(), name.size()) == 0;
}

bool has_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool is_digest(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

// Words about what is wrong with the text behind "cert:"; its digests become lower case.
std::string read_certificate(std::string_view text, std::vector<std::string>& to) {
  if (text.empty() || text == "CN=") return "cert: wants *, CN=NAME, a name, key=HEX or sha256=HEX";
  std::string_view digest = text;
  std::string which(text);
  if (has_prefix(digest, "key=") || has_prefix(digest, "sha256=")) {
    if (!is_digest(digest)) return concat({"'", text, "' wants a SHA-256 of 64 hexadecimal digits"});
    for (char& c : which) c = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
  } else if (!text.starts_with("CN=") && text != "*" &&
             text.find('*', text.starts_with("*.") ? 1 : 0) != std::string_view::npos) {
    return concat({"'", text, "': a star is for the first label of a name, as *.plant.example"});
  }
  to.push_back(std::move(which));
  return {};
}

bool has_interface(const poa::Skeleton& skeleton, std::string_view repository_id) {
  for (const char* const* id = skeleton.repository_ids; *id; ++id)
    if (*id == repository_id) return true;
  return false;
}

Group group_of(const Guard& guard, std::string_view operation, const poa::Skeleton& skeleton) {
  if (const auto found = guard.operations.find(operation); found != guard.operations.end())
    for (const Guarded* const g : found->second)
      if (has_interface(skeleton, g->repository_id)) return g->group;
  for (const auto& [beginning, g] : guard.beginnings)
    if (operation.starts_with(beginning) && has_interface(skeleton, g->repository_id)) return g->group;
  return Group::Read;
}

// The target is known, and its arguments have not been read.
bool found(orb::ServerRequest& request, poa::Target& target, poa::Adapter&, const poa::SkeletonOperation*&) {
  const Guard& guard = *g_guard.load(std::memory_order_acquire);
  const std::string_view operation = request.operation();
  const Group group = group_of(guard, operation, *target.skeleton);
  if (group == Group::Read && !guard.guards_reading) return true;
  const Caller caller = Caller::current();
  if (guard.rules->allows(group, caller)) return true;
  // A LocateRequest, which a servant locator answers by this. Other adapters tell anybody whether an object is there.
  if (caller.kind() == Caller::Kind::Process && operation == "_non_existent") return true;
  const auto refused = refusal(*guard.rules, group, operation, caller);
  if (refused) request.system_exception(*refused);
  return !refused;
}

void left(orb::ServerRequest&) {}

constinit poa::TargetWatch g_watch = {&found, &left};

}  // namespace

bool is_meant(std::string_view which, const transport::Certificate& certificate) {
  if (which == "*") return true;
  if (has_prefix(which, "CN=")) return !which.empty() && certificate.common_name == which;
  if (has_prefix(which, "key=")) return certificate.key == which;
  if (has_prefix(which, "sha256=")) return certificate.fingerprint == which;
  for (const std::string& name : certificate.names) {
    std::string_view value = name;
    if (name == which) return true;
    if (has_prefix(value, "dns:") ? is_dns_name(which, value) : has_prefix(value, "ip:") && value == which)
      return true;
  }
  return false;
}

bool Callers::include(const Caller& caller) const {
  if (any || is_own(caller)) return true;
  if (const transport::Certificate* const certificate = caller.certificate())
    return std::ranges::any_of(certificates, [&](const std::string& c) { return is_meant(c, *certificate); });
  if (caller.kind() != Caller::Kind::User) return false;
  return local || std::ranges::find(users, caller.user()) != users.end();
}

std::string Callers::text() const {
  if (any) return "anybody who can connect";
  std::string out = local ? "users of this machine" : "root and the service's own user";
  if (!local)
    for (const std::uint32_t user : users) out += concat({", user ", Decimal(user)});
  out += " over a Unix-domain socket";
  for (std::size_t i = 0; i < certificates.size(); ++i)
    out += concat({i == 0 ? ", and over TLS certificates " : ", ", certificates[i]});
  return out;
}

Rules::Rules(Callers admin) {
  callers_[static_cast<std::size_t>(Group::Read)].any = true;
  callers_[static_cast<std::size_t>(Group::Write)].any = true;
  callers_[static_cast<std::size_t>(Group::Admin)] = std::move(admin);
}

std::string Rules::add(std::string_view text) {
  std::size_t group = std::size(kGroups);
  for (std::string_view one; orb::next_part(text, ',', one);) {
    const std::size_t equals = one.find_first_of("=:");
    if (equals != std::string_view::npos && one[equals] == '=') {
      group = static_cast<std::size_t>(std::ranges::find(kGroups, one.substr(0, equals)) - std::begin(kGroups));
      if (group == std::size(kGroups)) return concat({"'", one.substr(0, equals), "' is none of read, write, admin"});
      one.remove_prefix(equals + 1);
      if (!std::exchange(told_[group], true)) callers_[group] = {};
    } else if (group == std::size(kGroups)) {
      return "it begins with read=, write= or admin=";
    }
    Callers& callers = callers_[group];
    std::uint32_t user = 0;
    std::string wrong;
    if (one == "any") callers.any = true;
    else if (one == "local") callers.local = true;
    else if (one == "own") continue;  // always
    else if (one.starts_with("cert:")) wrong = read_certificate(one.substr(5), callers.certificates);
    else if (!one.starts_with("unix:"))
      wrong = concat({"'", one, "' is none of any, local, own, unix:USER, cert:WHICH"});
    else if (!find_user(one.substr(5), user)) wrong = concat({"there is no user '", one.substr(5), "' here"});
    else callers.users.push_back(user);
    if (!wrong.empty()) return wrong;
  }
  return group == std::size(kGroups) ? "it begins with read=, write= or admin=" : "";
}

std::string Rules::sentence() const {
  std::string out;
  for (std::size_t i = 0; i < std::size(kGroups); ++i)
    out += concat({i == 0 ? "" : "; ", kGroups[i], ": ", callers_[i].text()});
  return out;
}

void Rules::guard(const Rules& rules, const std::vector<Guarded>& guarded) {
  static Guard kept;
  kept.rules = &rules;
  kept.guards_reading = !rules.callers(Group::Read).any;
  for (const Guarded& g : guarded) {
    if (rules.callers(g.group).any && !kept.guards_reading) continue;
    for (const std::string_view operation : g.operations) {
      if (operation.ends_with('*')) kept.beginnings.emplace_back(operation.substr(0, operation.size() - 1), &g);
      else kept.operations[operation].push_back(&g);
    }
  }
  g_guard.store(&kept, std::memory_order_release);
  if (kept.guards_reading || !kept.operations.empty() || !kept.beginnings.empty()) poa::add_target_watch(g_watch);
}

void Rules::require(Group group, std::string_view what) {
  if (open_to_all(group)) return;
  if (const auto refused = refuses(group, what, Caller::current())) throw *refused;
}

std::optional<CORBA::NO_PERMISSION> Rules::refuses(Group group, std::string_view what, const Caller& caller) {
  const Guard* const guard = g_guard.load(std::memory_order_acquire);
  if (!guard || guard->rules->allows(group, caller)) return std::nullopt;
  return refusal(*guard->rules, group, what, caller);
}

bool Rules::open_to_all(Group group) {
  const Guard* const guard = g_guard.load(std::memory_order_acquire);
  return !guard || guard->rules->callers(group).any;
}

std::uint64_t Rules::refused() { return g_refused.load(std::memory_order_relaxed); }

}  // namespace callis::services
