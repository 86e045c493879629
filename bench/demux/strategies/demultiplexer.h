// SPDX-License-Identifier: Apache-2.0
// From the object key and the operation of a request to servant and method, by one strategy for all steps.
//
//   layered:  key = callis's persistent key {names of the adapters} {the object's key}; operation = its key
//             adapter by adapter, then the object in the last, then the operation
//   active:   key = {System key} {slot and generation of the operation}; the operation's name is not looked at
//             one step, whatever the depth
//
// One servant class: all objects have the same operations. find() takes any bytes; any thread.
#pragma once
#include <memory>
#include "names.h"
#include "strategies.h"

namespace bench::demux {

struct Shape {
  std::size_t operations = 1, objects = 1;
  std::vector<std::size_t> way;  // from the root adapter to that of the objects: a number below kSiblings a level
};

struct Method : Target {
  void (*call)(Target& servant) = nullptr;
};

struct Request {
  std::string key, operation;
};

struct Found {
  Target* servant = nullptr;  // nullptr: no such object
  Method* method = nullptr;   // nullptr: no such operation
};

// The servants and methods of a shape.
struct Population {
  std::vector<Target> servants;
  std::vector<Method> methods;
  explicit Population(const Shape& shape) : servants(shape.objects), methods(shape.operations) {
    for (std::size_t i = 0; i < servants.size(); ++i) servants[i].id = i;
    for (std::size_t i = 0; i < methods.size(); ++i) {
      methods[i].id = i;
      methods[i].call = [](Target& servant) { ++servant.calls; };
    }
  }
};

template<class S>
class Demultiplexer {
 public:
  explicit Demultiplexer(const Shape& shape)
      : population_(shape),
        operations_(idl_names(shape), population_.methods.data()),
        objects_(object_names(shape.objects), population_.servants.data()),
        last_(&root_.make(shape.way, adapter_names(kSiblings))),
        prefix_(callis::poa::persistent_key_prefix(bytes_of(root_.path(shape.way)))) {}

  Request request(std::size_t object, std::size_t operation) const {
    return {std::string(reinterpret_cast<const char*>(prefix_.data()), prefix_.size()) + objects_.key(object),
            operations_.key(operation)};
  }
  Found find(callis::ByteView key, std::string_view operation) {
    const callis::poa::ParsedKey parsed = callis::poa::parse_key(key, nonce_);
    if (parsed.kind != callis::poa::KeyKind::Persistent) return {};
    if (root_.find(text_of(parsed.path)) != last_) return {};
    Target* const servant = objects_.find(text_of(parsed.object_id));
    return {servant, servant ? operations_.find(operation) : nullptr};
  }
  Population& population() { return population_; }

 private:
  static std::string_view text_of(callis::ByteView b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }
  static Names idl_names(const Shape& shape) { return idl_operation_names(shape.operations); }

  Population population_;
  typename S::template Operations<Method> operations_;
  typename S::template Objects<Target> objects_;  // of the one adapter that has any
  Adapter<S> root_;
  Adapter<S>* last_;
  std::vector<callis::Byte> prefix_;
  const callis::poa::Nonce nonce_{};
};

template<>
class Demultiplexer<Active> {
 public:
  explicit Demultiplexer(const Shape& shape)
      : population_(shape),
        operations_(idl_operation_names(shape.operations), population_.methods.data()),
        objects_(object_names(shape.objects), population_.servants.data()) {}

  Request request(std::size_t object, std::size_t operation) const {
    return {objects_.key(object) + operations_.key(operation), "op"};
  }
  Found find(callis::ByteView key, std::string_view) {
    if (key.size() < callis::poa::kSystemKeyBytes) return {};
    const std::string_view all(reinterpret_cast<const char*>(key.data()), key.size());
    Target* const servant = objects_.find(all.substr(0, callis::poa::kSystemKeyBytes));
    return {servant, servant ? operations_.find(all.substr(callis::poa::kSystemKeyBytes)) : nullptr};
  }
  Population& population() { return population_; }
  SlotTable<Target>& objects() { return objects_; }

 private:
  Population population_;
  ActiveOperations<Method> operations_;
  SlotTable<Target> objects_;
};

}  // namespace bench::demux
