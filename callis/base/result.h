// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error. Below callis/orb nothing throws; a function that can fail returns
// one of these. Result<void> carries only success or the error.
#pragma once
#include <callis/base/fault.h>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <variant>

namespace callis {

struct Error {
  Fault fault = Fault::None;
  int os_error = 0;    // errno where the operating system was asked, else 0
  std::string detail;  // for people: what was tried, with which values

  // "ConnectRefused: 127.0.0.1:2809 (errno 111)" without a trailing newline
  std::string text() const;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  Result(Fault fault) : state_(std::in_place_index<1>, Error{fault, 0, {}}) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  // Only after ok().
  T& value() & { return *std::get_if<0>(&state_); }
  const T& value() const& { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  // Only after !ok().
  const Error& error() const { return *std::get_if<1>(&state_); }
  Fault fault() const { return ok() ? Fault::None : error().fault; }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  Result(Fault fault) : error_{fault, 0, {}} {}
  bool ok() const { return error_.fault == Fault::None; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return error_; }
  Fault fault() const { return error_.fault; }

 private:
  Error error_;
};

}  // namespace callis
