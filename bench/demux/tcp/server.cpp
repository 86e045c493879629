// SPDX-License-Identifier: Apache-2.0
// server demux --reference FILE [--objects N]
//
// N objects with a hundred operations, each with a servant of its own in the root adapter. Beside them as many, at
// most kOneWays, with a hundred one-way operations. Leaves their references in FILE, prints "ready" and runs until it
// is killed.
#include "../servants.h"
#include "demux_orb.h"

namespace {

using namespace bench::demux;

// One client at a time.
struct Tally {
  std::vector<std::uint64_t> operations = std::vector<std::uint64_t>(kOperations), objects;
};

class Object final : public POA_Demux {
 public:
  Object(Tally& tally, std::size_t place) : tally_(tally), place_(place) {}
  DEMUX_HUNDRED(0)

 private:
  void count(int number) {
    ++tally_.objects[place_];
    ++tally_.operations[static_cast<std::size_t>(number - kFirstNumber)];
  }
  Tally& tally_;
  const std::size_t place_;
};

class OneWay final : public POA_OneWays {
 public:
  explicit OneWay(CORBA::ULongLong& arrived) : arrived_(arrived) {}
  DEMUX_HUNDRED(0)
  CORBA::ULongLong arrived() override { return arrived_; }

 private:
  void count(int) { ++arrived_; }
  CORBA::ULongLong& arrived_;
};

class Counted final : public POA_Counts {
 public:
  explicit Counted(const Tally& tally) : tally_(tally) {}
  Counts::Numbers* of_operations() override { return numbers(tally_.operations); }
  Counts::Numbers* of_objects() override { return numbers(tally_.objects); }

 private:
  static Counts::Numbers* numbers(const std::vector<std::uint64_t>& from) {
    auto* all = new Counts::Numbers;
    all->length(static_cast<CORBA::ULong>(from.size()));
    for (CORBA::ULong i = 0; i < all->length(); ++i) (*all)[i] = from[i];
    return all;
  }
  const Tally& tally_;
};

int serve(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::Options o = bench::parse(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  Tally tally;
  tally.objects.resize(static_cast<std::size_t>(o.objects));
  std::vector<std::string> lines;
  const auto publish = [&](PortableServer::Servant servant) {
    PortableServer::ServantBase_var owner = servant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id);
    lines.emplace_back(CORBA::String_var(orb->object_to_string(object)).in());
  };
  publish(new Counted(tally));
  for (std::size_t i = 0; i < tally.objects.size(); ++i) publish(new Object(tally, i));
  CORBA::ULongLong arrived = 0;
  for (std::size_t i = 0; i < std::min(kOneWays, tally.objects.size()); ++i) publish(new OneWay(arrived));
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  bench::publish(o, lines);
  orb->run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return serve(argc, argv); });
}
