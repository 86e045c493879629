// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/core.h>
#include <callis/orb/endpoint.h>
#include <callis/orb/reference.h>
#include <callis/transport/transport.h>
#include <algorithm>
#include <cstring>

namespace callis::orb {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// 7.10.2.6: what we would send characters in to a server whose profile says this. Where it says nothing they are ISO
// 8859-1, and there are no wide ones.
void choose_code_sets(const ior::Ior& ior, const ior::IiopProfile& p, const Core& core, Path& path) {
  const Options& o = core.options();
  path.wide = giop::wide_form(path.version) == cdr::WideForm::Forbidden ? cdr::WideForm::Forbidden : cdr::WideForm::Unagreed;
  path.chars = giop::char_form(o.native_char(), ior::kIso8859_1);
  if (path.version < giop::kGiop11) return;
  const auto found = ior::find_code_sets(ior, p, core.limits());
  if (!found || !found.value()) return;
  const ior::CodeSetComponent& server = *found.value();
  const ior::CodeSetComponent ours = ior::offered_code_sets(o.native_char(), o.native_wchar());
  const auto for_char = ior::choose_code_set(ours.for_char, server.for_char, ior::kUtf8);
  const auto for_wchar = ior::choose_code_set(ours.for_wchar, server.for_wchar, ior::kUtf16);
  if (for_char) {
    path.char_code_set = for_char.value();
    path.chars = giop::char_form(o.native_char(), path.char_code_set);
  } else if (for_char.fault() == Fault::CodeSetsIncompatible) {
    path.chars = cdr::CharForm::Incompatible;
  }
  if (for_wchar) {
    path.wchar_code_set = for_wchar.value();
    path.wide = giop::wide_form(path.version, path.wchar_code_set);
  } else if (for_wchar.fault() == Fault::CodeSetsIncompatible) {
    path.wide = cdr::WideForm::Incompatible;
  }
}

// Connections keep the code sets that their first request tells: those of other ones are others. Empty for those that
// a server takes for granted.
std::string connection_suffix(const Path& path) {
  if (path.char_code_set == 0 && path.wchar_code_set == 0) return {};
  const bool granted = path.char_code_set == ior::kIso8859_1 && (path.wchar_code_set == ior::kUtf16 || path.wchar_code_set == 0);
  if (granted) return {};
  return concat({" ", Decimal(path.char_code_set), "/", Decimal(path.wchar_code_set)});
}

}  // namespace

Reference::Reference(Core& core, ior::Ior ior, Counted<Overrides> overrides)
    : serial_(next_serial()), core_(&core), ior_(std::move(ior)), overrides_(std::move(overrides)) {}

Reference::~Reference() = default;

void Reference::read_profiles() {
  std::lock_guard lock(mutex_);
  if (ready_.load(std::memory_order_relaxed)) return;
  // A socket's path means something on its own host only. But where there is nothing else the host may have two names,
  // as when containers share a directory.
  for (const bool any_host : {false, true}) {
    if (any_host && !paths_.empty()) break;
    for (std::size_t i = 0; i < ior_.profiles.size(); ++i) {
      const ior::TaggedProfile& p = ior_.profiles[i];
      if (p.tag == ior::kInternetProfile || p.tag == ior::kUiopProfile) add_iiop(p, i, any_host);
      else if (p.tag == ior::kMemoryProfile) add_memory(p, i);
    }
  }
  gather_paths();
  ready_.store(true, std::memory_order_release);
  choose_usual_path();
}

void Reference::gather_paths() {
  all_paths_ = paths_;
  if (paths_.size() != 1) return;
  only_path_ = std::move(paths_[0]);
  paths_ = {};
  const ByteView key = only_path_.object_key;
  if (!key.empty() && key.size() <= kShortKey) {
    std::memcpy(short_key_, key.data(), key.size());
    only_path_.object_key = {short_key_, key.size()};
  }
  all_paths_ = {&only_path_, 1};
}

// Under the lock.
void Reference::choose_usual_path() {
  const bool usual = ready_.load(std::memory_order_relaxed) && !forward_ && !permanent_ && !policies() &&
                     preferred() < all_paths_.size() && all_paths_[preferred()].usual_text();
  const Path* const path = usual ? &all_paths_[preferred()] : nullptr;
  const bool own = path && path->endpoint->is_own();
  usual_path_.store(own ? nullptr : path, std::memory_order_release);
  collocated_path_.store(own ? path : nullptr, std::memory_order_release);
}

void Reference::prefer(std::size_t path) {
  std::lock_guard lock(mutex_);
  preferred_.store(path, std::memory_order_relaxed);
  choose_usual_path();
}

// One that leads elsewhere than those before.
void Reference::add_path(Path path, std::shared_ptr<Endpoint> to) {
  for (const Path& p : paths_)
    if (p.endpoint == to && p.version == path.version && std::ranges::equal(p.object_key, path.object_key)) return;
  path.endpoint = std::move(to);
  paths_.push_back(std::move(path));
}

// Also UIOP.
void Reference::add_iiop(const ior::TaggedProfile& profile, std::size_t index, bool any_host) {
  const bool uiop = profile.tag == ior::kUiopProfile;
  const Result<ior::IiopProfile> p = uiop ? ior::parse_uiop(profile.data, core_->limits())
                                          : ior::parse_iiop(profile.data, core_->limits());
  ByteView key;
  if (!p || ior::find_object_key(profile.tag, profile.data, key) != Fault::None) return;
  Path path;
  path.profile = index;
  path.version = std::min(p->version, core_->options().version);
  path.object_key = key;
  choose_code_sets(ior_, p.value(), *core_, path);
  const std::string suffix = connection_suffix(path);
  // Sockets of this host first: they are the shorter way.
  bool elsewhere = false;
  for (const ior::TaggedComponent& c : p->components) {
    if (c.tag != ior::kOmniUnixTransport) continue;
    const auto a = ior::parse_unix_address(c.data);
    if (!a) continue;
    const bool here = a->host == transport::host_name();
    if (here) add_path(path, core_->unix_endpoint(a->path, suffix));
    elsewhere |= !here;
  }
  if (uiop && (any_host || !elsewhere)) add_path(path, core_->unix_endpoint(p->address.host, suffix));
  for (const ior::Address& a : ior::addresses(p.value())) add_path(path, core_->tcp_endpoint(a, suffix));
}

void Reference::add_memory(const ior::TaggedProfile& profile, std::size_t index) {
  const Result<ior::MemoryProfile> p = ior::parse_memory(profile.data, core_->limits());
  ByteView key;
  if (!p || ior::find_object_key(profile.tag, profile.data, key) != Fault::None) return;
  Path path;
  path.profile = index;
  path.version = core_->options().version;
  path.object_key = key;
  path.wide = giop::wide_form(path.version);
  // The ORBs of a process have one code set: the server is told when it is not what it would take for granted.
  if (core_->options().native_char() != ior::kIso8859_1) {
    path.char_code_set = core_->options().native_char();
    path.wchar_code_set = ior::kUtf16;
  }
  path.endpoint = core_->memory_endpoint(p->endpoint, connection_suffix(path));
  paths_.push_back(std::move(path));
}

void Reference::set_forward(Counted<Reference> to) {
  std::vector<Counted<Reference>> old;  // released outside the lock
  std::lock_guard lock(mutex_);
  old = forward_.replace(std::move(to));
  choose_usual_path();
}

void Reference::drop_forward(const Reference* to) {
  std::vector<Counted<Reference>> old;
  std::lock_guard lock(mutex_);
  if (!forward_.is(to)) return;
  old = forward_.replace({});
  choose_usual_path();
}

void Reference::set_permanent(Counted<Reference> to) {
  std::vector<Counted<Reference>> old, older;
  std::lock_guard lock(mutex_);
  old = permanent_.replace(std::move(to));
  older = forward_.replace({});
  choose_usual_path();
}

}  // namespace callis::orb
