// SPDX-License-Identifier: Apache-2.0
// Types: the repository of service types (Trading Object Service 1.0, module CosTradingRepos): names, the properties
// of a type's offers, inheritance, masks, incarnation numbers. Any thread may call. Changes are in the store before
// they are seen.
#pragma once
#include <services/common/fair_shared_mutex.h>
#include <services/common/memory_bound.h>
#include <services/common/operation_time.h>
#include <services/trading/keeper.h>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>
#include "CosTradingRepos.h"

namespace callis::trading {

using Repository = CosTradingRepos::ServiceTypeRepository;

struct PropertyType {
  std::string name;
  CORBA::TypeCode_var type;
  bool mandatory = false, readonly = false;
};

// Constant once it is made.
struct ServiceType {
  std::string name, interface;
  std::vector<PropertyType> own;    // as it was declared
  std::vector<std::string> supers;  // direct ones
  bool masked = false;
  std::uint64_t incarnation = 0;
  // With what it inherits.
  std::map<std::string, PropertyType, std::less<>> all;
  std::vector<std::string> all_supers;

  const PropertyType* find(std::string_view property) const {
    const auto found = all.find(property);
    return found == all.end() ? nullptr : &found->second;
  }
};
using ServiceTypePtr = std::shared_ptr<const ServiceType>;

class Types final {
 public:
  static constexpr std::size_t kMost = 100'000;
  static constexpr std::size_t kMostProperties = 500, kMostSupers = 100;  // of one type, with inherited ones

  // Reads the store. Throws services::StoreFailed.
  Types(Keeper& keeper, services::MemoryBound& memory);

  // The rest throws the user exceptions of the IDL, and what Keeper::keep() throws.
  std::uint64_t add(const char* name, const char* interface, const Repository::PropStructSeq& props,
                    const Repository::ServiceTypeNameSeq& supers, services::OperationTime& time);
  void remove(const char* name);
  void mask(const char* name, bool masked);
  // IllegalServiceType, UnknownServiceType.
  ServiceTypePtr get(const char* name) const;
  // since: only those of that incarnation and later ones. Ordered by name.
  std::vector<std::string> list(std::uint64_t since) const;
  // The type and its subtypes.
  std::vector<std::string> with_subtypes(const std::string& name, services::OperationTime& time) const;
  // The incarnation number that the next type gets.
  std::uint64_t incarnation() const;
  std::size_t size() const;

 private:
  struct Entry {
    ServiceTypePtr type;
    services::MemoryBound::Hold held;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;
  using Supers = std::vector<ServiceTypePtr>;
  std::string bytes_of(const ServiceType& type) const;
  void keep(const ServiceType& type, std::string&& bytes, std::uint64_t next);
  std::size_t memory_of(const ServiceType& type, std::size_t stored_bytes) const;
  void put(ServiceTypePtr type, services::MemoryBound::Hold held);
  ServiceTypePtr find(std::string_view name) const;

  Keeper& keeper_;
  services::MemoryBound& memory_;
  std::mutex changing_;              // held by one change from its look at the types to their change
  mutable services::FairSharedMutex mutex_;  // guards what follows
  Entries types_;
  std::map<std::string, std::vector<std::string>, std::less<>> subtypes_;  // direct ones
  std::uint64_t next_ = 1;
};

Repository::PropertyMode mode_of(const PropertyType& property);
Repository::IncarnationNumber to_idl(std::uint64_t incarnation);
std::uint64_t from_idl(const Repository::IncarnationNumber& incarnation);

}  // namespace callis::trading
