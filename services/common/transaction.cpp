// SPDX-License-Identifier: Apache-2.0
#include <services/common/transaction.h>
#include <algorithm>
#include <stdexcept>

namespace callis::services {

namespace {

void check_key(std::string_view key) {
  if (key.empty()) throw std::invalid_argument("a transaction has an empty key");
  if (key.size() > kMaxKeyBytes)
    throw StoreFailed(StoreFailed::TooLarge, "a key has " + std::to_string(key.size()) +
                                                 " bytes; a store takes at most " + std::to_string(kMaxKeyBytes));
}

}  // namespace

std::size_t size_of(const Transaction& transaction) {
  std::size_t out = 0;
  for (const Condition& c : transaction.conditions) out += c.key.size();
  for (const auto& [key, value] : transaction.puts) out += key.size() + value.size();
  for (const std::string& key : transaction.erased) out += key.size();
  return out;
}

void check(const Transaction& transaction) {
  const std::size_t changes = transaction.puts.size() + transaction.erased.size();
  if (changes > kMaxChanges || transaction.conditions.size() > kMaxConditions)
    throw StoreFailed(StoreFailed::TooLarge, "a transaction has " + std::to_string(changes) + " changes and " +
                                                 std::to_string(transaction.conditions.size()) +
                                                 " conditions; a store takes at most " + std::to_string(kMaxChanges) +
                                                 " and " + std::to_string(kMaxConditions));
  std::vector<std::string_view> keys;
  keys.reserve(changes);
  for (const auto& [key, value] : transaction.puts) keys.push_back(key);
  for (const std::string& key : transaction.erased) keys.push_back(key);
  for (const std::string_view key : keys) check_key(key);
  for (const Condition& c : transaction.conditions) check_key(c.key);
  if (const std::size_t bytes = size_of(transaction); bytes > kMaxTransactionBytes)
    throw StoreFailed(StoreFailed::TooLarge, "a transaction has " + std::to_string(bytes) +
                                                 " bytes; a store takes at most " +
                                                 std::to_string(kMaxTransactionBytes));
  if (keys.size() < 2) return;
  std::sort(keys.begin(), keys.end());
  if (std::adjacent_find(keys.begin(), keys.end()) != keys.end())
    throw std::invalid_argument("a transaction changes a key twice");
}

}  // namespace callis::services
