// SPDX-License-Identifier: Apache-2.0
// Rules of who may call what: reads --allow, and checks each request.
#include <callis/base/text.h>
#include <callis/orb/options/option_values.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/servant/skeleton.h>
#include <pwd.h>
#include <services/common/rules.h>
#include <unistd.h>
#include <algorithm>

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

CORBA::NO_PERMISSION refusal(const Rules& rules, Group group, std::string_view what, const Caller& caller) {
  g_refused.fetch_add(1, std::memory_order_relaxed);
  CORBA::NO_PERMISSION e(0, CORBA::COMPLETED_NO);
  e.detail(concat({what, " (", kGroups[static_cast<std::size_t>(group)], ") is for ", rules.callers(group).text(),
                   ", and the caller is ", caller.text(), "; --allow of the service changes this"}));
  return e;
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
  request.system_exception(refusal(*guard.rules, group, operation, caller));
  return false;
}

void left(orb::ServerRequest&) {}

constinit poa::TargetWatch g_watch = {&found, &left};

}  // namespace

bool Callers::include(const Caller& caller) const {
  if (any || is_own(caller)) return true;
  if (caller.kind() != Caller::Kind::User) return false;
  return local || std::ranges::find(users, caller.user()) != users.end();
}

std::string Callers::text() const {
  if (any) return "anybody who can connect";
  if (local) return "users of this machine over a Unix-domain socket";
  std::string out = "root and the service's own user";
  for (const std::uint32_t user : users) out += concat({", user ", Decimal(user)});
  return out + " over a Unix-domain socket";
}

Rules::Rules(Callers admin) {
  callers_[static_cast<std::size_t>(Group::Read)].any = true;
  callers_[static_cast<std::size_t>(Group::Write)].any = true;
  callers_[static_cast<std::size_t>(Group::Admin)] = std::move(admin);
}

std::string Rules::add(std::string_view text) {
  std::size_t group = std::size(kGroups);
  for (std::string_view one; orb::next_part(text, ',', one);) {
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos) {
      group = static_cast<std::size_t>(std::ranges::find(kGroups, one.substr(0, equals)) - std::begin(kGroups));
      if (group == std::size(kGroups)) return concat({"'", one.substr(0, equals), "' is none of read, write, admin"});
      one.remove_prefix(equals + 1);
      if (!std::exchange(told_[group], true)) callers_[group] = {};
    } else if (group == std::size(kGroups)) {
      return "it begins with read=, write= or admin=";
    }
    Callers& callers = callers_[group];
    std::uint32_t user = 0;
    if (one == "any") callers.any = true;
    else if (one == "local") callers.local = true;
    else if (one == "own") continue;  // always
    else if (!one.starts_with("unix:")) return concat({"'", one, "' is none of any, local, own, unix:USER"});
    else if (!find_user(one.substr(5), user)) return concat({"there is no user '", one.substr(5), "' here"});
    else callers.users.push_back(user);
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
