// SPDX-License-Identifier: Apache-2.0
// OrbInterceptors: the interceptors of one ORB. They are registered while ORB_init runs, by one thread; from finish()
// on they are constant.
#pragma once
#include <callis/interceptors/slots.h>
#include <callis/orb/context/server_request.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/interception.h>

namespace callis::interceptors {

class AdapterFacts;

// Interceptors of one kind, in the order in which they were registered.
template <class I>
class InterceptorList final {
 public:
  // The interceptors that hear of a call.
  using Hearing = std::vector<I*>;

  // Raises DuplicateName. Several interceptors may be without a name.
  void add(I* interceptor, PortableInterceptor::ProcessingMode mode = PortableInterceptor::LOCAL_AND_REMOTE);
  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  I* operator[](std::size_t i) const { return list_[i].in(); }
  // local: a call within the ORB.
  const Hearing& hearing(bool local) const { return local ? local_ : remote_; }

 private:
  std::vector<classic::ReferenceVar<I>> list_;
  Hearing local_, remote_;  // of list_
};

class OrbInterceptors final : public orb::Interception {
 public:
  explicit OrbInterceptors(orb::Core& core) : core_(core) {}
  ~OrbInterceptors() override;

  orb::Core& core() const { return core_; }

  InterceptorList<PortableInterceptor::ClientRequestInterceptor> client;
  InterceptorList<PortableInterceptor::ServerRequestInterceptor> server;
  InterceptorList<PortableInterceptor::IORInterceptor> ior;
  SlotSpace slots;

  // Raises BAD_INV_ORDER, OMG minor 16, if there is a factory for that type already.
  void register_policy_factory(CORBA::PolicyType type, PortableInterceptor::PolicyFactory_ptr factory);
  // Returns whether ORB_init is over.
  bool is_finished() const { return finished_.load(std::memory_order_acquire); }
  void finish();

  // Returns a new id, for a request on either side.
  std::uint32_t next_request_id() { return last_id_.fetch_add(1, std::memory_order_relaxed) + 1; }

  std::unique_ptr<orb::InvocationObserver> observe(orb::Invocation& invocation) override;
  orb::RequestHandler* wrap(orb::RequestHandler* handler) override;
  std::unique_ptr<orb::AdapterNotes> adapter_made(poa::Adapter& adapter, const CORBA::PolicyList* policies) override;
  void manager_changed(const std::string& id, unsigned state) noexcept override;
  bool makes_policies(CORBA::PolicyType type) const override { return factory_of(type) != nullptr; }
  CORBA::Policy_ptr create_policy(CORBA::PolicyType type, const CORBA::Any& value) override;
  void end() noexcept override;

 private:
  struct Factory {
    CORBA::PolicyType type;
    PortableInterceptor::PolicyFactory_var factory;
  };
  void established(AdapterFacts& facts, poa::Adapter& adapter);
  PortableInterceptor::PolicyFactory_ptr factory_of(CORBA::PolicyType type) const;

  orb::Core& core_;  // owns this
  std::atomic<bool> finished_{false};
  std::atomic<std::uint32_t> last_id_{0};
  std::vector<Factory> factories_;
  std::unique_ptr<orb::RequestHandler> handler_;
};

// Returns the mode of interceptors that are registered with those policies. At most one policy is allowed, a
// ProcessingModePolicy; else PolicyError is raised.
PortableInterceptor::ProcessingMode processing_mode(const CORBA::PolicyList& policies);
// Lets create_policy() know ProcessingModePolicy.
bool use_processing_mode();

// Tells the server's side of an ORB that the thread's call stays inside the ORB; nullptr: the call leaves. Returns
// the previous note.
const orb::Core* note_own_call(const orb::Core* core) noexcept;
// Returns whether note_own_call() has announced the request that the thread is about to serve. The note is then gone.
bool take_own_call(const orb::Core& core) noexcept;

// Returns the interceptors of an ORB; nullptr if the ORB was made while no initializer was registered.
OrbInterceptors* interceptors_of(const orb::Core& core);

}  // namespace callis::interceptors
