// SPDX-License-Identifier: Apache-2.0
// Iterators: the PropertyNamesIterators and PropertiesIterators that clients have (Property Service 1.0, 1.5), each a
// list of what there was when it was made. Clients leave them behind; so they are bounded, the one that rested
// longest goes first, and who rests for kIdle is gone. A call to one that is gone is OBJECT_NOT_EXIST. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include "CosPropertyService.h"

namespace callis::properties {

class Iterators {
 public:
  static constexpr std::size_t kMost = 1'000;
  static constexpr std::size_t kMostElements = 1'000'000;     // over all of them; one alone may have more
  static constexpr std::size_t kMostBytes = 256u << 20;       // the same for the bytes of values
  static constexpr std::size_t kMostAnswerBytes = 1u << 20;   // of one answer, unless it is one element
  static constexpr std::chrono::minutes kIdle{10};
  using Time = std::chrono::steady_clock::time_point;
  using Names = std::vector<std::string>;
  using Values = std::vector<std::pair<std::string, CORBA::Any>>;

  // Two child adapters of parent serve them.
  explicit Iterators(PortableServer::POA_ptr parent);
  ~Iterators();
  Iterators(const Iterators&) = delete;
  Iterators& operator=(const Iterators&) = delete;

  // The first how_many to the answer, and an iterator for the others; nil where there are none. In order.
  void split(Names&& all, CORBA::ULong how_many, CosPropertyService::PropertyNames_out first,
             CosPropertyService::PropertyNamesIterator_out rest);
  void split(Values&& all, CORBA::ULong how_many, CosPropertyService::Properties_out first,
             CosPropertyService::PropertiesIterator_out rest);
  // Lets those go that nobody has used since now - kIdle. Made iterators do that, too.
  void reap(Time now);
  std::size_t size() const;

 private:
  template <class Elements>
  class Servant;
  class NamesServant;
  class ValuesServant;
  struct Cursor {
    std::mutex mutex;
    Names names;    // one of the two
    Values values;
    std::size_t first = 0, next = 0;
  };
  struct Entry {
    std::uint64_t number;
    Time used;
    std::size_t elements, bytes;
    std::shared_ptr<Cursor> cursor;
  };
  using Entries = std::list<Entry>;

  // The object id of a new entry.
  PortableServer::ObjectId_var add(std::shared_ptr<Cursor> cursor, std::size_t elements, std::size_t bytes);
  std::shared_ptr<Cursor> find(std::uint64_t number);
  bool drop(std::uint64_t number);
  void forget(Entries::iterator entry, std::vector<std::shared_ptr<Cursor>>& gone);

  PortableServer::POA_var names_poa_, values_poa_;
  mutable std::mutex mutex_;  // guards what follows
  Entries entries_;           // longest rested first
  std::unordered_map<std::uint64_t, Entries::iterator> by_number_;
  std::size_t elements_ = 0, bytes_ = 0;
};

// The object id of the request that the calling thread executes; from the peer. BAD_INV_ORDER outside of requests.
std::string_view request_id();
// Numbers in object ids: 16 digits of hexadecimal. Nothing where they are none.
std::string digits_of(std::uint64_t number);
std::optional<std::uint64_t> number_of(std::string_view digits);
// Random. NO_RESOURCES where the system has none.
std::uint64_t new_number();
// Serves all objects of an adapter below parent by one servant, which it takes over. Ids are the caller's.
PortableServer::POA_var make_adapter(PortableServer::POA_ptr parent, const char* name, bool persistent,
                                     PortableServer::ServantBase* servant);

}  // namespace callis::properties
