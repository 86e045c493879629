// SPDX-License-Identifier: Apache-2.0
// Reference: the part that all CORBA::Objects narrowed from one another share: an IOR, the paths to its addresses,
// and the server's forward. Counted; any thread may use it.
#pragma once
#include <callis/base/feature.h>
#include <callis/giop/message.h>
#include <callis/ior/ior.h>
#include <callis/orb/base/replaceable.h>
#include <callis/orb/context/call_policies.h>
#include <callis/orb/options/message_source.h>
#include <callis/transport/tcp/reach.h>
#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <span>

namespace callis::orb {

class OrbContext;
class Endpoint;
class ForwardRule;
struct EndpointAddress;
class Steering;

// One address of one profile.
struct Path {
  std::shared_ptr<Endpoint> endpoint;
  std::size_t profile = 0;  // index into Ior::profiles
  ior::Version version{1, 2};
  ByteView object_key;  // into the reference
  // The code sets to tell the server in the first request of a connection; both 0 if nothing is told.
  std::uint32_t char_code_set = 0, wchar_code_set = 0;
  cdr::WideForm wide = cdr::WideForm::Octets;   // of arguments
  cdr::CharForm chars = cdr::CharForm::AsIs;
  cdr::TextForm text() const { return {wide, chars}; }
  // The form of text in replies. A server that has not been asked for wide characters sends them as usual.
  cdr::TextForm reply_text() const { return {is_agreed() ? wide : giop::wide_form(version), chars}; }
  bool is_agreed() const { return wide != cdr::WideForm::Unagreed && wide != cdr::WideForm::Incompatible; }
  // Whether messages look like those of any other connection.
  bool plain_text() const {
    return chars == cdr::CharForm::AsIs && (wide <= cdr::WideForm::Units || wide >= cdr::WideForm::Forbidden);
  }
};

class Reference final {
 public:
  // overrides belong to this reference; if they bear on calls, calls are not plain. from: the kind of sender.
  Reference(OrbContext& orb, ior::Ior ior, Counted<Overrides> overrides = {},
            MessageSource::From from = MessageSource::From::Self);
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  void add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // Called before and after fork(), for all references (callis/orb/core/forks.h).
  static void lock_all() noexcept;
  static void unlock_all() noexcept;

  OrbContext& orb() const { return *orb_; }
  const ior::Ior& ior() const { return ior_; }

  // The paths to try, best first, without those of unusable profiles. Read at the first call.
  std::span<const Path> paths() {
    if (!ready_.load(std::memory_order_acquire)) [[unlikely]] read_profiles();
    return all_paths_;
  }
  // For a reference that a server has forwarded to, before paths(): leaves out the addresses that the rule does not
  // allow.
  void leave_out(ForwardRule& rule);
  MessageSource::From from() const { return from_; }
  // Called after paths(), which is empty. Throws NO_PERMISSION if the reference's sender is the reason. Part of the
  // feature reference_reach, like all code that bounds references.
  CALLIS_OPTIONAL void check_refused();
  // Sets the paths of calls, in place of the profiles', and the steering, which may be nullptr. Called before anybody
  // else has the reference. The paths' keys are the profiles' keys. least: connections must not lead nearer than
  // this.
  void set_paths(std::vector<Path> paths, std::unique_ptr<Steering> steering,
                 transport::Reach least = transport::Reach::Process);
  // Called after paths(). nullptr for nearly all references.
  Steering* steering() const { return steering_.get(); }
  // The same, but nullptr before paths().
  Steering* known_steering() const { return ready_.load(std::memory_order_acquire) ? steering_.get() : nullptr; }
  // Called by SteeringCalls::make() alone, which has the lock.
  void set_steering(std::unique_ptr<Steering> steering);
  // By that rule, connections must not lead nearer than this.
  transport::Reach least_reach() const { return least_reach_; }
  // The path that worked last.
  std::size_t preferred() const { return preferred_.load(std::memory_order_relaxed); }
  void prefer(std::size_t path);
  // The same, if calls go there. nullptr before paths(), while there is a forward, and with policies().
  const Path* plain_path() const { return plain_path_.load(std::memory_order_acquire); }
  // The preferred path, if it leads to the caller's own ORB; there is no plain_path() then.
  const Path* collocated_path() const { return collocated_path_.load(std::memory_order_acquire); }

  // The server's forward; nullptr if there is none. Takes no lock.
  [[gnu::hot]] Counted<Reference> forward() const {
    Counted<Reference> to = forward_.get();
    return to ? to : permanent_.get();
  }
  // The same, but only if the forward has a plain_path() and nothing of this reference bears on calls.
  [[gnu::hot, gnu::noinline]] Counted<Reference> plain_forward() const {
    Counted<Reference> to = forward();
    const bool usual = to && to->plain_path() && !to->steering_ && !steering_ && !policies();
    return usual ? to : Counted<Reference>();
  }
  void set_forward(Counted<Reference> to);
  // Forgets the forward if it is still `to`; never the permanent forward.
  void drop_forward(const Reference* to);
  // The forward of an object that has moved for good (LOCATION_FORWARD_PERM, 9.4.3.2): calls do not go to its first
  // address again.
  Counted<Reference> permanent() const { return permanent_.get(); }
  bool is_permanent(const Reference* to) const { return permanent_.is(to); }
  void set_permanent(Counted<Reference> to);

  // The addressing that the server wants (9.4.2.2), and kApart.
  static constexpr std::uint8_t kApart = 0x80;  // its requests look like those of no other reference
  std::uint8_t addressing() const { return addressing_.load(std::memory_order_relaxed); }
  void set_addressing(std::uint8_t how) { addressing_.store(how, std::memory_order_relaxed); }

  Overrides* overrides() const { return overrides_.get(); }
  // The overrides that bear on calls; nullptr if there are none.
  const CallPolicies* policies() const {
    return overrides_ && overrides_->numbers().given != 0 ? &overrides_->numbers() : nullptr;
  }

  // Whether a call for which RebindPolicy matters has reached the object.
  bool bound() const { return bound_.load(std::memory_order_relaxed); }
  void set_bound(bool bound) { bound_.store(bound, std::memory_order_relaxed); }

  // Different for every Reference ever made.
  std::uint64_t serial() const { return serial_; }

 private:
  ~Reference();
  CALLIS_OPTIONAL void read_bounded();
  CALLIS_OPTIONAL std::list<EndpointAddress> addresses() const;
  CALLIS_OPTIONAL bool leads_back(const EndpointAddress& to) const;
  CALLIS_OPTIONAL bool needs_tls() const;
  void read_profiles(ForwardRule* rule = nullptr);
  void choose_plain_path();
  void gather_paths();
  void add_profile(std::size_t index, bool any_host, ForwardRule* rule);
  void add_path(const Path& path, std::shared_ptr<Endpoint> to);
  // Held to change this reference, and to make paths_.
  std::mutex& mutex() const;

  std::atomic<std::uint32_t> count_{1};
  std::atomic<std::uint8_t> addressing_{0};
  std::atomic<bool> bound_{false};
  transport::Reach least_reach_ = transport::Reach::Process;
  const MessageSource::From from_;
  std::atomic<std::size_t> preferred_{0};
  std::atomic<const Path*> plain_path_{nullptr};  // changed under mutex(), like
  std::atomic<const Path*> collocated_path_{nullptr};
  const std::uint64_t serial_;
  const Counted<OrbContext> orb_;
  // The data that a call reads lie together, so that calls on many objects wait less for memory. If there is only one
  // path, as usual, it stands here, with a short key.
  static constexpr std::size_t kShortKey = 32;
  Path only_path_;
  Byte short_key_[kShortKey];
  std::span<const Path> all_paths_;  // constant once ready_
  std::atomic<bool> ready_{false};
  const ior::Ior ior_;
  std::vector<Path> paths_;  // when there are more
  std::unique_ptr<Steering> steering_;  // constant once ready_
  const Counted<Overrides> overrides_;
  Replaceable<Reference> forward_, permanent_;  // changed under mutex()

  static constexpr std::size_t kMutexes = 16;
  static std::mutex mutexes_[kMutexes];
};

using ReferencePtr = Counted<Reference>;

}  // namespace callis::orb
