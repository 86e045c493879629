// SPDX-License-Identifier: Apache-2.0
// Market: what a trader has: types, offers, links, settings, each with its store. The rules of Register and Proxy,
// without the servants. Any thread.
//
//   export, modify, withdraw ──→ rules ──→ Keeper (store) ──→ Catalogue (memory)
#pragma once
#include <services/common/operation_time.h>
#include <services/trading/answers.h>
#include <services/trading/links.h>
#include <services/trading/rules.h>
#include <services/trading/settings.h>
#include <services/trading/type_offers.h>
#include <array>
#include <chrono>

namespace callis::trading {

class Market final {
 public:
  struct Options {
    std::size_t offers = 10'000'000;
    std::chrono::milliseconds deadline{1'000};  // of asking an exported object for its interface
    std::chrono::milliseconds operation{10'000};  // of one operation in all, with what it waits for
    std::size_t answers = 8u << 20;  // bytes of others' answers, and of calls for them, that one query keeps
    Settings::Values settings = Settings::defaults();
    services::MemoryBound* memory = nullptr;  // outlives it; nullptr: one of its own
  };
  // Work that the evaluations of one operation may take.
  static constexpr std::uint64_t kMostWork = 400'000'000;

  // Reads the store. Throws services::StoreFailed.
  Market(CORBA::ORB_ptr orb, services::Store& store, const Options& options);

  Keeper& keeper() { return keeper_; }
  Settings& settings() { return settings_; }
  Types& types() { return types_; }
  Links& links() { return links_; }
  Catalogue& catalogue() { return catalogue_; }
  services::MemoryBound& memory() { return *memory_; }
  const Options& options() const { return options_; }

  // How calls on others' objects are made: call(object, f, limit) runs f within the limit, or not at all; f owns what
  // it uses. At once, unless it is set before requests come.
  using Call = std::function<void(CORBA::Object_ptr, std::function<void()>, std::chrono::nanoseconds)>;
  void set_call(Call call) { call_ = std::move(call); }

  // Register. Each throws the user exceptions of the IDL.
  std::string add(CORBA::Object_ptr reference, const char* type, const CosTrading::PropertySeq& properties);
  void withdraw(const char* id);
  CosTrading::Register::OfferInfo describe(const char* id) const;
  void modify(const char* id, const CosTrading::PropertyNameSeq& to_delete, const CosTrading::PropertySeq& to_put);
  // Of that type exactly, and no proxies. Returns how many. Some may be gone when it throws: COMPLETED_MAYBE.
  std::size_t withdraw(const char* type, const char* constraint);

  // Proxy.
  std::string add_proxy(const CosTrading::Proxy::ProxyInfo& info);
  void withdraw_proxy(const char* id);
  CosTrading::Proxy::ProxyInfo describe_proxy(const char* id) const;

  CORBA::Object_var reference_of(const Offer& offer) const { return keeper_.reference_of(offer.reference()); }
  // As they were exported: dynamic ones as such.
  CosTrading::PropertySeq properties_of(const Offer& offer) const;

  [[noreturn]] static void too_much_work();  // IMP_LIMIT
  // The types that the declared properties give to names in constraints.
  static constraints::TypeOf types_of(const ServiceTypePtr& type);
  // The text of IllegalConstraint and IllegalPreference: the constraint, and below it what is wrong, and where.
  static std::string explained(std::string_view text, const constraints::Refused& why);

 private:
  OfferPtr offer(const char* id) const;  // IllegalOfferId, UnknownOfferId
  std::string keep(OfferNumber number, const std::string& type, CORBA::Object_ptr reference,
                   const CosTrading::PropertySeq& properties, const Proxy* proxy);
  void put(OfferNumber number, const std::string& type, std::string_view reference,
           const CosTrading::PropertySeq& properties, const Proxy* proxy, services::MemoryBound::Hold held);
  std::size_t memory_of_offer(std::size_t stored_bytes, const CosTrading::PropertySeq& properties,
                              bool is_proxy) const;
  void erase(const OfferPtr& offer);
  void check_room() const;
  void check_interface(const ServiceType& type, CORBA::Object_ptr reference) const;
  ServiceTypePtr type_for_offers(const char* name) const;
  std::mutex& guard(OfferNumber number) { return guards_[number % guards_.size()]; }

  const Options options_;
  const std::unique_ptr<services::MemoryBound> own_memory_;
  services::MemoryBound* const memory_;
  Keeper keeper_;
  Settings settings_;
  Types types_;
  Links links_;
  Catalogue catalogue_;
  Call call_;
  std::array<std::mutex, 64> guards_;  // of changes of one offer
};

}  // namespace callis::trading
