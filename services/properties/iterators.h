// SPDX-License-Identifier: Apache-2.0
// Iterators: the PropertyNamesIterators and PropertiesIterators that clients have (Property Service 1.0, 1.5), each a
// list of what there was when it was made, in a table that bounds them (services/common/iterator_table.h). Any
// thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/iterator_table.h>
#include <functional>
#include <string>
#include <vector>
#include "CosPropertyService.h"

namespace callis::properties {

class Iterators {
 public:
  static constexpr std::size_t kMost = services::IteratorTable::kMost;
  static constexpr std::size_t kMostElements = 1'000'000;  // over all of them; one alone may have more
  static constexpr std::size_t kMostBytes = 256u << 20;    // the same for the bytes of values
  static constexpr std::chrono::minutes kIdle = services::IteratorTable::kIdle;
  using Time = services::IteratorTable::Time;
  using Names = std::vector<std::string>;
  using Values = std::vector<std::pair<std::string, CORBA::Any>>;

  // Two child adapters of parent serve them. memory: what they take counts there; nullptr: nowhere.
  explicit Iterators(PortableServer::POA_ptr parent, services::MemoryBound* memory = nullptr);
  ~Iterators();
  Iterators(const Iterators&) = delete;
  Iterators& operator=(const Iterators&) = delete;

  // The first how_many to the answer, and an iterator for the others; nil where there are none. In order.
  void split(Names&& all, CORBA::ULong how_many, CosPropertyService::PropertyNames_out first,
             CosPropertyService::PropertyNamesIterator_out rest);
  void split(Values&& all, CORBA::ULong how_many, CosPropertyService::Properties_out first,
             CosPropertyService::PropertiesIterator_out rest);
  // Lets those go that nobody has used since now - kIdle. Made iterators do that, too.
  void reap(Time now) { table_.reap(now); }
  // Both are the table's.
  Time first_due() const { return table_.first_due(); }
  void when_first(std::function<void()> tell) { table_.when_first(std::move(tell)); }
  std::size_t size() const { return table_.size(); }

 private:
  class NamesServant;
  class ValuesServant;

  services::MemoryBound* const memory_;
  services::IteratorTable table_{{.elements = kMostElements, .bytes = kMostBytes}};
  PortableServer::POA_var names_poa_, values_poa_;
};

}  // namespace callis::properties
