// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/message.h>
#include <callis/orb/core.h>
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

// What we would send characters in to a server whose profile says this; zeros when it says nothing.
void choose_code_sets(const ior::IiopProfile& p, const Limits& limits, Path& path) {
  const ior::TaggedComponent* c = p.component(ior::kCodeSets);
  if (!c) return;
  const auto server = ior::parse_code_sets(c->data, limits);
  if (!server) return;
  static const ior::CodeSetComponent ours = ior::own_code_sets();
  const auto for_char = ior::choose_code_set(ours.for_char, server->for_char, ior::kUtf8);
  const auto for_wchar = ior::choose_code_set(ours.for_wchar, server->for_wchar, ior::kUtf16);
  path.char_code_set = for_char.value_or(0);
  path.wchar_code_set = for_wchar.value_or(0);
}

// A server that does not say in which code set it takes wide characters gets none (7.10.2.4).
cdr::WideForm wide_form(const Path& path) {
  const cdr::WideForm form = giop::wide_form(path.version);
  return form == cdr::WideForm::Forbidden || path.wchar_code_set != 0 ? form : cdr::WideForm::Unagreed;
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
                     preferred() < all_paths_.size();
  usual_path_.store(usual ? &all_paths_[preferred()] : nullptr, std::memory_order_release);
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
  if (path.version >= ior::Version{1, 1}) choose_code_sets(p.value(), core_->limits(), path);
  path.wide = wide_form(path);
  // Sockets of this host first: they are the shorter way.
  bool elsewhere = false;
  for (const ior::TaggedComponent& c : p->components) {
    if (c.tag != ior::kOmniUnixTransport) continue;
    const auto a = ior::parse_unix_address(c.data);
    if (!a) continue;
    const bool here = a->host == transport::host_name();
    if (here) add_path(path, core_->unix_endpoint(a->path));
    elsewhere |= !here;
  }
  if (uiop && (any_host || !elsewhere)) add_path(path, core_->unix_endpoint(p->address.host));
  for (const ior::Address& a : ior::addresses(p.value())) add_path(path, core_->tcp_endpoint(a));
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
  path.endpoint = core_->memory_endpoint(p->endpoint);
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
