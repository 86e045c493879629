// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <services/trading/links.h>
#include <services/trading/names.h>

namespace callis::trading {

namespace {

constexpr const char* kLinkPrefix = "l/";
using CosTrading::Link;

void check_rules(CosTrading::FollowOption pass_on, CosTrading::FollowOption limit, CosTrading::FollowOption most) {
  if (pass_on > limit) throw Link::DefaultFollowTooPermissive(pass_on, limit);
  if (limit > most) throw Link::LimitingFollowTooPermissive(limit, most);
}

// In memory: the references as they came, and what calls on them need.
std::size_t memory_of(std::string_view stored) { return 4 * services::MemoryBound::kOverhead + 3 * stored.size(); }

}  // namespace

Links::Links(Keeper& keeper, services::MemoryBound& memory) : keeper_(keeper), memory_(memory) {
  keeper_.read(kLinkPrefix, [&](services::Pair&& p) {
    Info info;
    if (!keeper_.from_bytes(p.value, Link::_tc_LinkInfo, info))
      throw services::StoreFailed(services::StoreFailed::Damaged,
                                  concat({"the link ", p.key.substr(2), " in the store cannot be read"}));
    links_[p.key.substr(2)] = {info, memory_.adopt(memory_of(p.value))};
  });
}

void Links::keep(const std::string& name, const Info& info) {
  std::string bytes = keeper_.to_bytes(info);
  services::MemoryBound::Hold held = memory_.take(memory_of(bytes));
  keeper_.keep({{{kLinkPrefix + name, std::move(bytes)}}, {}});
  const std::lock_guard lock(mutex_);
  links_[name] = {info, std::move(held)};
}

void Links::add(const char* name, const Info& info, CosTrading::FollowOption most) {
  if (!is_link_name(name)) throw Link::IllegalLinkName(name);
  if (CORBA::is_nil(info.target.in())) throw CosTrading::InvalidLookupRef(info.target.in());
  const std::lock_guard changing(changing_);
  if (find(name)) throw Link::DuplicateLinkName(name);
  check_rules(info.def_pass_on_follow_rule, info.limiting_follow_rule, most);
  if (size() >= kMost)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"there are ", Decimal(kMost), " links, and may not be more"}));
  keep(name, info);
}

void Links::remove(const char* name) {
  const std::lock_guard changing(changing_);
  describe(name);
  keeper_.keep({{}, {std::string(kLinkPrefix) + name}});
  const std::lock_guard lock(mutex_);
  links_.erase(name);
}

Links::Info Links::describe(const char* name) const {
  if (!is_link_name(name)) throw Link::IllegalLinkName(name);
  const auto out = find(name);
  if (!out) throw Link::UnknownLinkName(name);
  return *out;
}

void Links::modify(const char* name, CosTrading::FollowOption pass_on, CosTrading::FollowOption limit,
                   CosTrading::FollowOption most) {
  const std::lock_guard changing(changing_);
  Info info = describe(name);
  check_rules(pass_on, limit, most);
  info.def_pass_on_follow_rule = pass_on;
  info.limiting_follow_rule = limit;
  keep(name, info);
}

std::vector<std::pair<std::string, Links::Info>> Links::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, Info>> out;
  for (const auto& [name, entry] : links_) out.emplace_back(name, entry.info);
  return out;
}

std::size_t Links::size() const {
  const std::lock_guard lock(mutex_);
  return links_.size();
}

std::optional<Links::Info> Links::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = links_.find(name);
  return found == links_.end() ? std::nullopt : std::optional(found->second.info);
}

}  // namespace callis::trading
