// SPDX-License-Identifier: Apache-2.0
// Calls of many objects with many operations, client and server in one process over the memory transport, for who
// counts misses of caches:
//
//   many --objects N --operations M --calls C
//
// Each object has a servant of its own. Objects and operations are drawn at random, of the first N and M; the
// operations have no arguments. All calls are checked. M is 500 at most.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include "../common/measure.h"
#include "../demux/servants.h"
#include "wide_skel.h"

namespace {

using Operation = void (Operations500::*)();

constexpr std::size_t kOperations = 500;
std::array<std::uint64_t, kOperations> called{};

class Servant final : public POA_Operations500 {
 public:
  std::uint64_t calls = 0;
  DEMUX_HUNDRED(0)
  DEMUX_HUNDRED(1)
  DEMUX_HUNDRED(2)
  DEMUX_HUNDRED(3)
  DEMUX_HUNDRED(4)

 private:
  void count(int number) {
    ++calls;
    ++called[static_cast<std::size_t>(number - bench::demux::kFirstNumber)];
  }
};

#define ONE(p, n) &Operations500::op_##p##n,
#define TENTH(p) ONE(p, 0) ONE(p, 1) ONE(p, 2) ONE(p, 3) ONE(p, 4) ONE(p, 5) ONE(p, 6) ONE(p, 7) ONE(p, 8) ONE(p, 9)
#define HUNDRED(p)                                                                                            \
  TENTH(p##0) TENTH(p##1) TENTH(p##2) TENTH(p##3) TENTH(p##4) TENTH(p##5) TENTH(p##6) TENTH(p##7) TENTH(p##8) \
      TENTH(p##9)
constexpr std::array<Operation, kOperations> kAll = {HUNDRED(0) HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4)};

struct Arguments {
  std::size_t objects = 1, operations = 1, calls = 1;
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto value = static_cast<std::size_t>(std::stoul(argv[i + 1]));
    if (name == "--objects") a.objects = value;
    else if (name == "--operations") a.operations = value;
    else if (name == "--calls") a.calls = value;
  }
  bench::expect(a.objects > 0 && a.operations > 0 && a.operations <= kOperations, "objects and operations");
  return a;
}

class Random {
 public:
  std::size_t below(std::size_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>(state_ >> 32) % n;
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15u;
};

CORBA::ORB_ptr server_orb() {
  char program[] = "many", option[] = "-ORBEndpoint", endpoint[] = "memory:many";
  char* argv[] = {program, option, endpoint, nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, "server");
}

int run(int argc, char** argv) {
  CORBA::ORB_var server = server_orb(), client = CORBA::ORB_init(argc, argv, "client");
  const Arguments a = parse(argc, argv);
  CORBA::Object_var object = server->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  std::vector<std::unique_ptr<Servant>> servants;
  std::vector<Operations500_var> references;
  for (std::size_t i = 0; i < a.objects; ++i) {
    servants.push_back(std::make_unique<Servant>());
    PortableServer::ObjectId_var id = poa->activate_object(servants.back().get());
    object = poa->id_to_reference(id);
    object = client->string_to_object(CORBA::String_var(server->object_to_string(object)).in());
    references.push_back(Operations500::_unchecked_narrow(object));
  }
  Random random;
  for (std::size_t i = 0; i < a.calls; ++i) {
    const std::size_t target = random.below(a.objects), operation = random.below(a.operations);
    const std::uint64_t before = servants[target]->calls + called[operation];
    (references[target].in()->*kAll[operation])();
    bench::expect(servants[target]->calls + called[operation] == before + 2, "a call's target");
  }
  std::cout << "called " << a.calls << '\n';
  client->destroy();
  server->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const CORBA::Exception& e) {
    std::cerr << "bench: " << e._name() << '\n';
  } catch (const std::exception& e) {
    std::cerr << "bench: " << e.what() << '\n';
  }
  return 1;
}
