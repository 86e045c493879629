// SPDX-License-Identifier: Apache-2.0
// Keeper: a trader's store. One trader writes the store at a time: a trader takes the store over when it starts, and
// each change checks that the trader still has the store. So if two programs use one store of etcd, the later program
// has the store, and the other changes nothing any more. Any thread may call.
#pragma once
#include <callis/interceptors.h>
#include <callis/orb/options/message_source.h>
#include <services/common/store.h>
#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callis::trading {

class Keeper final {
 public:
  struct Changes {
    std::vector<std::pair<std::string, std::string>> puts;
    std::vector<std::string> erased;
  };

  // Of the store, which outlives this; take_over() before the first change. Throws services::StoreFailed.
  Keeper(CORBA::ORB_ptr orb, services::Store& store);

  // Once all has been read: a store that is refused is as it was. Throws services::StoreFailed.
  void take_over();
  // Whole or not at all, and on the disk when it returns. Throws what services::raise() does, and PERSIST_STORE where
  // another trader has taken the store over.
  void keep(const Changes& changes);
  // Throws services::StoreFailed.
  void read(std::string_view prefix, const std::function<void(services::Pair&&)>& take) { store_.read(prefix, take); }
  bool owns() const { return owns_; }
  // 16 hexadecimal digits, of the store: part of request ids.
  const std::string& identity() const { return identity_; }

  using From = orb::MessageSource::From;

  // A value of IDL as bytes (a CDR encapsulation), and back; false: the bytes are none. from: who has sent the
  // references in it; the bytes remember that, so that they lead nowhere nearer than to him afterwards either.
  template<class T>
  std::string to_bytes(const T& value, From from = From::Self) const {
    CORBA::Any any;
    any <<= value;
    return encode(any, from);
  }
  template<class T>
  bool from_bytes(std::string_view bytes, CORBA::TypeCode_ptr type, T& out) const {
    CORBA::Any_var any;
    const T* value = nullptr;
    if (!decode(bytes, type, any.out()) || !(any.in() >>= value)) return false;
    out = *value;
    return true;
  }
  // Of its TypeCode and its value, in CDR. Throws where it cannot be sent.
  std::size_t size_of(const CORBA::Any& value) const;
  // Whether what is stored is in the process's memory, too.
  bool in_memory() const { return in_memory_; }
  std::string reference_to_bytes(CORBA::Object_ptr object) const;
  CORBA::Object_var reference_of(std::string_view bytes) const;

 private:
  std::string encode(const CORBA::Any& any, From from = From::Self) const;
  bool decode(std::string_view bytes, CORBA::TypeCode_ptr type, CORBA::Any*& out) const;

  orb::OrbContext& orb_;
  services::Store& store_;
  const bool in_memory_;
  IOP::Codec_var codec_;
  std::string identity_;
  bool new_identity_ = false;
  services::Revision owner_ = 0;
  std::atomic<bool> owns_{true};
};

// Bits that nobody can guess: 64, or 128 as 32 hexadecimal digits. NO_RESOURCES where the system has none.
std::uint64_t draw();
std::string draw_digits();
// 16 hexadecimal digits.
std::string to_digits(std::uint64_t number);
// False: it is none.
bool from_digits(std::string_view digits, std::uint64_t& out);

}  // namespace callis::trading
