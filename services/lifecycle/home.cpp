// SPDX-License-Identifier: Apache-2.0
// The adapters of a home, how requests find their object, and how objects are made.
#include <callis/base/blocking_scope.h>
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/poa/servant/skeleton.h>
#include <services/lifecycle/criteria.h>
#include <services/lifecycle/finder.h>
#include <services/lifecycle/home.h>
#include <services/properties/value_bytes.h>
#include <cstring>
#include "CallisLifeCycle_skel.h"

namespace callis::life_cycle {

namespace {

PortableServer::POA_var make_adapter(PortableServer::POA_ptr root, const std::string& name, bool locates) {
  const PortableServer::POAManager_var manager = root->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(locates ? 4 : 2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  if (locates) {
    policies[2] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
    policies[3] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  }
  return root->create_POA(name.c_str(), manager.in(), policies);
}

constexpr const char* kNoSecret = "this home has no secret in common with others (Home::Options::secret)";
constexpr const char* kNoProof = "the caller has not shown that it knows the homes' secret";

std::string text_of(const PortableServer::ObjectId& id) {
  return {reinterpret_cast<const char*>(id.get_buffer()), id.length()};
}

}  // namespace

class Home::Locator final : public PortableServer::ServantLocator {
 public:
  explicit Locator(Home& home) : home_(home) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId& id, PortableServer::POA_ptr, const char*,
                                    Cookie& cookie) override {
    return home_.begin_request(text_of(id), cookie);
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie cookie,
                  PortableServer::Servant) override {
    home_.end_request(cookie);
  }

 private:
  Home& home_;
};

class Home::Servant final : public virtual POA_CallisLifeCycle::Residence {
 public:
  explicit Servant(life_cycle::Home& home) : home_(home) {}
  CORBA::Boolean supports(const CosLifeCycle::Key& key) override {
    return key.length() != 0 && home_.makes_.count(key[key.length() - 1].id.in()) != 0;
  }
  CORBA::Object_ptr create_object(const CosLifeCycle::Key& key, const CosLifeCycle::Criteria& criteria) override {
    if (!supports(key)) throw CosLifeCycle::NoFactory(key);
    const Wanted wanted(criteria, Wanted::For::Creation);
    wanted.check(home_.options_.place);
    return home_.create(key[key.length() - 1].id.in(), wanted.initialization());
  }
  char* greet(const char* challenge, CORBA::String_out shown) override {
    if (!home_.trust_.exists()) throw CallisLifeCycle::Refused(kNoSecret);
    shown = home_.trust_.proof({"greet", challenge, home_.own_text_}).c_str();
    return CORBA::string_dup(home_.own_text_.c_str());
  }
  CallisLifeCycle::Place* describe() override { return new CallisLifeCycle::Place(home_.options_.place); }
  char* invite() override {
    if (!home_.trust_.exists()) throw CallisLifeCycle::Refused(kNoSecret);
    return CORBA::string_dup(home_.invitations_.invite(std::chrono::steady_clock::now()).c_str());
  }
  CORBA::Object_ptr prepare(const CallisLifeCycle::Transfer& what, const char* shown) override {
    return home_.prepare(what, shown)._retn();
  }
  void commit(const char* transfer, const char* shown) override {
    check(shown, {"commit", transfer});
    home_.commit(transfer);
  }
  void abort(const char* transfer, const char* shown) override {
    check(shown, {"abort", transfer});
    home_.abort(transfer);
  }
  CallisLifeCycle::Fate outcome(const char* transfer, const char* life, const char* shown) override {
    check(shown, {"outcome", transfer, life});
    return home_.outcome(transfer, life);
  }
  void moved(const char* identity, CORBA::ULongLong version, const char* where, const char* shown) override {
    check(shown, {"moved", identity, concat({Decimal(version)}), where});
    home_.moved(identity, version, where);
  }

 private:
  void check(const char* shown, std::initializer_list<std::string_view> words) const {
    if (home_.trust_.holds(shown, words)) return;
    ++home_.refused_;
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, kNoProof);
  }
  life_cycle::Home& home_;
};

Home::Home(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, const std::string& name, services::Counters& counters,
           const Options& options)
    : options_(options),
      orb_(CORBA::ORB::_duplicate(orb)),
      poa_(make_adapter(root, name, true)),
      own_poa_(make_adapter(root, name + ".home", false)),
      trust_(options.secret),
      came_(counters.counter("objects.came")),
      went_(counters.counter("objects.went")),
      refused_(counters.counter("transfers.refused")),
      forwarded_(counters.counter("requests.forwarded")),
      renewed_(counters.counter("forwards.renewed")),
      waited_(counters.counter("requests.waited")) {
  if (options.store && options.store->shared())
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "other processes have the home's store, too: take a file");
  const PortableServer::ServantLocator_var locator = new Locator(*this);
  poa_->set_servant_manager(locator.in());
  const PortableServer::Servant_var<Servant> servant = new Servant(*this);
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("home");
  own_poa_->activate_object_with_id(id.in(), servant.in());
  const CORBA::Object_var object = own_poa_->id_to_reference(id.in());
  reference_ = CallisLifeCycle::Residence::_unchecked_narrow(object.in());
  own_text_ = CORBA::String_var(orb_->object_to_string(reference_.in())).in();
  life_ = new_identity();
  if (const int error = keeper_.start({"callis-moves"}, [this] { look_after_transfers(); }))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, std::string("no thread: ") + std::strerror(error));
}

Home::~Home() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    changed_.notify_all();
    promised_.notify_all();
  }
  if (keeper_.joinable()) keeper_.join();
  for (const PortableServer::POA_var* poa : {&poa_, &own_poa_}) {
    try {
      (*poa)->destroy(true, true);
    } catch (const CORBA::Exception&) {  // the ORB has been shut down: no request is in it
    }
  }
}

void Home::serves(const std::string& implementation, Make make) { makes_[implementation] = std::move(make); }

// --- requests ---

PortableServer::Servant Home::begin_request(const std::string& identity, void*& cookie) {
  Lock lock(mutex_);
  const auto until = std::chrono::steady_clock::now() + options_.patience;
  for (bool first = true;; first = false) {
    const auto found = entries_.find(identity);
    if (found == entries_.end())
      throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the object has been removed, or never was here");
    const EntryPtr entry = found->second;
    if (entry->state == State::Here) {
      cookie = new EntryPtr(entry);
      ++entry->running;
      return entry->servant.in();
    }
    if (entry->state == State::Moved) {
      ++forwarded_;
      throw PortableServer::ForwardRequest(entry->where.in());
    }
    if (end_) throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the object is being moved, and its home ends");
    if (first) ++waited_;
    const BlockingScope blocked;
    if (changed_.wait_until(lock, until) == std::cv_status::timeout)
      throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the object is being moved, which takes long");
  }
}

void Home::end_request(void* cookie) {
  const std::unique_ptr<EntryPtr> entry(static_cast<EntryPtr*>(cookie));
  if (!entry) return;
  PortableServer::Servant_var<PortableServer::ServantBase> gone;  // let go without the lock
  const std::lock_guard lock(mutex_);
  if (--(*entry)->running == 0 && (*entry)->state == State::Moved) {
    gone = (*entry)->servant._retn();
    (*entry)->mobile = nullptr;
  }
  changed_.notify_all();
}

// --- objects ---

const Home::EntryPtr& Home::find(const std::string& identity) const {
  const auto found = entries_.find(identity);
  if (found == entries_.end())
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the object has been removed");
  return found->second;
}

void Home::check_room() const {
  if (entries_.size() < options_.objects) return;
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                         concat({"there are ", Decimal(options_.objects), " objects, and may not be more"}));
}

// A servant made of a state takes about as much memory again; the home cannot know the amount.
std::size_t Home::cost_of(const CORBA::Any& state, const CallisLifeCycle::Residences& former) {
  constexpr std::size_t kObject = 2'048, kReference = 1'024;  // entry, servant, places in maps; a reference
  const CORBA::TypeCode_var type = state.type();
  const bool none = type->kind() == CORBA::tk_null || type->kind() == CORBA::tk_void;
  return kObject + former.length() * kReference + (none ? 0 : 2 * properties::size_of(state));
}

// Of a servant that nobody else knows yet.
Home::EntryPtr Home::make(const std::string& implementation, const CORBA::Any& state, const std::string& identity) {
  const auto found = makes_.find(implementation);
  if (found == makes_.end()) throw CosLifeCycle::NoFactory(key_of(implementation));
  const Made made = found->second(state);
  const auto entry = std::make_shared<Entry>();
  entry->implementation = implementation;
  entry->servant = made.servant;
  entry->mobile = made.mobile;
  made.mobile->home_ = this;
  made.mobile->identity_ = identity;
  return entry;
}

CORBA::Object_var Home::reference_to(const std::string& identity, const Entry& entry) const {
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(identity.c_str());
  return poa_->create_reference_with_id(id.in(), entry.servant->_callis_skeleton().repository_ids[0]);
}

CORBA::Object_ptr Home::create(const std::string& implementation, const CORBA::Any& state) {
  const std::string identity = new_identity();
  services::MemoryBound::Hold held = memory().take(cost_of(state, {}));
  const EntryPtr entry = make(implementation, state, identity);
  entry->held = std::move(held);
  CORBA::Object_var out = reference_to(identity, *entry);
  {
    const std::lock_guard lock(mutex_);
    check_room();
    entries_[identity] = entry;
  }
  try {
    store(identity, *entry, State::Here, state);
  } catch (const services::StoreFailed& failed) {
    {
      const std::lock_guard lock(mutex_);
      entries_.erase(identity);
    }
    services::raise(failed);
  }
  return out._retn();
}

std::vector<std::string> Home::identities() const {
  std::vector<std::string> out;
  const std::lock_guard lock(mutex_);
  for (const auto& [identity, entry] : entries_)
    if (entry->state == State::Here || entry->state == State::Moving) out.push_back(identity);
  return out;
}

CORBA::Object_ptr Home::reference_of(const std::string& identity) const {
  const std::lock_guard lock(mutex_);
  const EntryPtr& entry = find(identity);
  if (entry->state != State::Here && entry->state != State::Moving)
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the object is in another home");
  return reference_to(identity, *entry)._retn();
}

// --- what Mobile does ---

Home& Mobile::home() const {
  if (!home_) throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the object is in no home");
  return *home_;
}

CosLifeCycle::LifeCycleObject_ptr Mobile::do_copy(CosLifeCycle::FactoryFinder_ptr there,
                                                  const CosLifeCycle::Criteria& criteria) {
  const CORBA::Object_var made = home().copy(*this, there, criteria);
  return CosLifeCycle::LifeCycleObject::_unchecked_narrow(made.in());
}

void Mobile::do_move(CosLifeCycle::FactoryFinder_ptr there, const CosLifeCycle::Criteria& criteria) {
  home().move(*this, there, criteria);
}

void Mobile::save(const CORBA::Any& state) { home().save(*this, state); }

void Mobile::do_remove() { home().remove(*this); }

}  // namespace callis::life_cycle
