// SPDX-License-Identifier: Apache-2.0
// Accounts of clients, and what is refused.
#include <callis/base/usable_memory.h>
#include <callis/corba.h>
#include <callis/poa/servant/caller.h>
#include <services/common/memory_bound.h>
#include <algorithm>

namespace callis::services {

struct MemoryBound::Account {
  std::string client;  // "": nobody
  std::size_t bytes = 0;
  std::size_t holds = 0;
};

MemoryBound::MemoryBound() : MemoryBound(Limits()) {}

MemoryBound::MemoryBound(Limits limits) : limits_(limits) {
  if (limits_.all == 0) limits_.all = usable_memory() / 4;
  if (limits_.each == 0) limits_.each = std::min(kEach, limits_.all / 2);
}

MemoryBound::~MemoryBound() = default;

MemoryBound::Account& MemoryBound::account_of(std::string_view client) {
  Account& account = accounts_.try_emplace(std::string(client)).first->second;
  if (account.holds++ == 0) account.client = client;
  return account;
}

void MemoryBound::drop(Account& account) {
  if (--account.holds == 0) accounts_.erase(std::string(account.client));
}

bool MemoryBound::client_has(const Account& account, std::size_t more) const {
  return account.client.empty() || (account.bytes <= limits_.each && more <= limits_.each - account.bytes);
}

void MemoryBound::check(const Account& account, std::size_t more) const {
  if (more == 0) return;  // also if a store had more at the start
  const auto refuse = [&](std::string_view whose, std::size_t bound, const char* option) {
    std::string text = "this needs " + std::to_string(more) + " bytes more, and " + std::string(whose) + " has " +
                       std::to_string(bound >> 20) + " MiB in this service, nearly all in use (" + option + ")";
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, text);
  };
  if (!client_has(account, more)) refuse("a client", limits_.each, "--max-memory-each");
  if (!all_have(more)) refuse("all clients together", limits_.all, "--max-memory");
}

MemoryBound::Hold MemoryBound::take(std::size_t bytes) {
  return take_for(Caller::current().counted_as(), bytes);
}

MemoryBound::Hold MemoryBound::take_for(std::string_view client, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  Account& account = account_of(client);
  try {
    check(account, bytes);
  } catch (...) {
    drop(account);
    throw;
  }
  account.bytes += bytes;
  held_ += bytes;
  return Hold(*this, account, bytes);
}

MemoryBound::Hold MemoryBound::adopt(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  Account& account = account_of({});
  account.bytes += bytes;
  held_ += bytes;
  return Hold(*this, account, bytes);
}

// The text of an account is written once, when it is made.
const void* MemoryBound::Hold::client() const { return account_ && !account_->client.empty() ? account_ : nullptr; }

void MemoryBound::Hold::resize(std::size_t bytes) {
  const std::lock_guard lock(bound_->mutex_);
  if (bytes > bytes_) bound_->check(*account_, bytes - bytes_);
  set(bytes);
}

void MemoryBound::Hold::adopt(std::size_t bytes) {
  const std::lock_guard lock(bound_->mutex_);
  set(bytes);
}

void MemoryBound::Hold::set(std::size_t bytes) {
  account_->bytes += bytes - bytes_;  // modulo 2^64 when it becomes less
  bound_->held_ += bytes - bytes_;
  bytes_ = bytes;
}

bool MemoryBound::Hold::try_resize(std::size_t bytes) noexcept {
  const std::lock_guard lock(bound_->mutex_);
  if (bytes > bytes_ && !(bound_->client_has(*account_, bytes - bytes_) && bound_->all_have(bytes - bytes_)))
    return false;
  account_->bytes += bytes - bytes_;  // modulo 2^64 when it becomes less
  bound_->held_ += bytes - bytes_;
  bytes_ = bytes;
  return true;
}

void MemoryBound::Hold::give_back() noexcept {
  if (!bound_) return;
  const std::lock_guard lock(bound_->mutex_);
  account_->bytes -= bytes_;
  bound_->held_ -= bytes_;
  bound_->drop(*account_);
  bound_ = nullptr;
  account_ = nullptr;
  bytes_ = 0;
}

std::size_t MemoryBound::held() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

std::size_t MemoryBound::clients() const {
  const std::lock_guard lock(mutex_);
  return accounts_.size();
}

}  // namespace callis::services
