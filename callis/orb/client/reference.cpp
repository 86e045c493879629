// SPDX-License-Identifier: Apache-2.0
// The ways of references: profiles to paths, and forwards.
#include <callis/base/text.h>
#include <callis/orb/base/orb_features.h>
#include <callis/orb/client/code_sets.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/client/steering.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/options/forward_to.h>
#include <callis/transport/transport.h>
#include <algorithm>
#include <cstring>

namespace callis::orb {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Reference::Reference(OrbContext& orb, ior::Ior ior, Counted<Overrides> overrides, MessageSource::From from)
    : from_(from), serial_(next_serial()), orb_(&orb), ior_(std::move(ior)), overrides_(std::move(overrides)) {}

Reference::~Reference() = default;

// Few for all, so that all can be locked around fork(). Nobody locks a second one.
constinit std::mutex Reference::mutexes_[kMutexes];

void Reference::lock_all() noexcept {
  for (std::mutex& m : mutexes_) m.lock();
}
void Reference::unlock_all() noexcept {
  for (std::mutex& m : mutexes_) m.unlock();
}

std::mutex& Reference::mutex() const { return mutexes_[serial_ % kMutexes]; }

void Reference::leave_out(ForwardRule& rule) { read_profiles(&rule); }

void Reference::read_profiles(ForwardRule* rule) {
  if (CALLIS_HAS(reference_reach) && !rule && from_ != MessageSource::From::Self) return read_bounded();
  std::lock_guard lock(mutex());
  if (ready_.load(std::memory_order_relaxed)) return;
  if (rule) least_reach_ = rule->least();
  // First the addresses of this host alone, among those that mean something on their own host only
  // (Transport::find()).
  for (const bool any_host : {false, true}) {
    if (any_host && !paths_.empty()) break;
    for (std::size_t i = 0; i < ior_.profiles.size(); ++i) add_profile(i, any_host, rule);
  }
  gather_paths();
  if (const SteeringCalls* const s = steering_calls.load(std::memory_order_relaxed)) s->make(*this);
  ready_.store(true, std::memory_order_release);
  choose_plain_path();
}

constinit std::atomic<const SteeringCalls*> steering_calls{nullptr};

void Reference::set_steering(std::unique_ptr<Steering> steering) { steering_ = std::move(steering); }

void Reference::set_paths(std::vector<Path> paths, std::unique_ptr<Steering> steering, transport::Reach least) {
  const std::lock_guard lock(mutex());
  least_reach_ = least;
  paths_ = std::move(paths);
  steering_ = std::move(steering);
  gather_paths();
  ready_.store(true, std::memory_order_release);
  choose_plain_path();
}

void Reference::gather_paths() {
  all_paths_ = paths_;
  if (paths_.size() != 1) return;
  only_path_ = std::move(paths_[0]);
  paths_.clear();
  const ByteView key = only_path_.object_key;
  if (!key.empty() && key.size() <= kShortKey) {
    std::memcpy(short_key_, key.data(), key.size());
    only_path_.object_key = {short_key_, key.size()};
  }
  all_paths_ = {&only_path_, 1};
}

// Called under the lock.
void Reference::choose_plain_path() {
  const bool usual = ready_.load(std::memory_order_relaxed) && !forward_ && !permanent_ && !policies() &&
                     (!steering_ || addressing() == kApart) &&
                     preferred() < all_paths_.size() && all_paths_[preferred()].plain_text();
  const Path* const path = usual ? &all_paths_[preferred()] : nullptr;
  const bool own = path && path->endpoint->is_own();
  plain_path_.store(own ? nullptr : path, std::memory_order_release);
  collocated_path_.store(own && CALLIS_HAS(collocation) ? path : nullptr, std::memory_order_release);
}

void Reference::prefer(std::size_t path) {
  std::lock_guard lock(mutex());
  preferred_.store(path, std::memory_order_relaxed);
  choose_plain_path();
}

// Adds a path that leads elsewhere than the paths before.
void Reference::add_path(const Path& path, std::shared_ptr<Endpoint> to) {
  for (const Path& p : paths_)
    if (p.endpoint == to && p.version == path.version && std::ranges::equal(p.object_key, path.object_key)) return;
  paths_.push_back(path);
  paths_.back().endpoint = std::move(to);
}

void Reference::add_profile(std::size_t index, bool any_host, ForwardRule* rule) {
  const ior::TaggedProfile& profile = ior_.profiles[index];
  const Options& options = orb_->options();
  const std::span<const Transport* const> all = transports();
  ior::IiopProfile content;
  const auto of =
      std::ranges::find_if(all, [&](const Transport* t) { return t->read(profile, options.limits, content); });
  ByteView key;
  if (of == all.end() || ior::find_object_key(profile.tag, profile.data, key) != Fault::None) return;
  Path path;
  path.profile = index;
  path.version = std::min(content.version, options.version);
  path.object_key = key;
  if ((*of)->is_inside()) {
    path.version = options.version;
    path.wide = giop::wide_form(path.version);
    // The ORBs of a process have one code set: the server is told if this is not the code set that it takes for
    // granted.
    if (options.native_char() != ior::kIso8859_1) {
      path.char_code_set = options.native_char();
      path.wchar_code_set = ior::kUtf16;
    }
  } else {
    path.wide = giop::wide_form(path.version) == cdr::WideForm::Forbidden ? cdr::WideForm::Forbidden
                                                                          : cdr::WideForm::Unagreed;
    if (CALLIS_HAS(code_sets)) choose_code_sets(ior_, content, *orb_, path);
  }
  EndpointIdentity identity;
  if (CALLIS_HAS(code_sets)) tell_code_sets(path, identity);
  std::list<EndpointAddress> found;  // the near ones first: they are the shorter way
  for (std::size_t i = all.size(); i-- > 0;) all[i]->find(profile.tag, content, any_host, found, orb_.get());
  for (EndpointAddress& a : found) {
    const bool refused = rule && !rule->allows(a);
    if (refused && (rule->is_of_forward() || !leads_back(a))) continue;
    identity.address = std::move(a);
    add_path(path, orb_->endpoints().find(identity));
  }
}

void Reference::set_forward(Counted<Reference> to) {
  std::unique_ptr<Replaceable<Reference>::Old> old;  // released outside the lock
  std::lock_guard lock(mutex());
  old = forward_.replace(std::move(to));
  choose_plain_path();
}

// Another forward that has come meanwhile goes, too: the next call asks again.
void Reference::drop_forward(const Reference* to) {
  if (forward_.is(to)) set_forward({});
}

void Reference::set_permanent(Counted<Reference> to) {
  std::unique_ptr<Replaceable<Reference>::Old> old;
  {
    const std::lock_guard lock(mutex());
    old = permanent_.replace(std::move(to));
  }
  set_forward({});
}

}  // namespace callis::orb
