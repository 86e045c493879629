// SPDX-License-Identifier: Apache-2.0
// What is known of operations while calls are served: found once in the declarations of IDL files, then kept.
#pragma once
#include <tools/call/signature.h>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace callis::tools {

// A Signature, and in which of its values references may be.
struct KnownOperation {
  Signature signature;
  std::vector<bool> translated;  // of each parameter
  bool translated_result = false;
};

// Any thread.
class Signatures {
 public:
  using Interface = idl::ast::Interface;
  explicit Signatures(Types& types) : types_(types) {}

  // By repository id; nullptr: the files do not have it.
  const Interface* find_interface(const std::string& id);
  // nullptr: the interface has no such operation. BAD_TYPECODE for one whose types cannot be sent.
  std::shared_ptr<const KnownOperation> find(const Interface& interface, const std::string& operation);
  // The most derived interface that has the operation, where it is not empty, and that `is_a` says yes to; nullptr:
  // there is none. `is_a` may throw, and is called without any lock.
  const Interface* search(const std::string& operation, const std::function<bool(const char* id)>& is_a);

 private:
  using Operations = std::map<std::string, idl::ast::WireOperation, std::less<>>;
  const Operations& operations(const Interface& interface);

  Types& types_;  // whose mutex guards the rest, too
  std::map<const Interface*, Operations> operations_;
  std::map<std::pair<const Interface*, std::string>, std::shared_ptr<const KnownOperation>> known_;
};

}  // namespace callis::tools
