// SPDX-License-Identifier: Apache-2.0
// Measures calls to an object of the caller's own ORB by each of the ways (docs/guide/demultiplexing.md,
// Collocation): nanoseconds from the application's call of the stub to its return, of an operation without arguments
// (void) and of Param_Test's test_short. Beside each the floor, system virtual: the same loop calls the same
// servant's function through a pointer to its class. Every result is checked. rounds.h has the options and what is
// printed.
#include <callis/corba.h>
#include <callis/poa/servant/demultiplexing.h>
#include <callis/portable_server.h>
#include "param_test_skel.h"
#include "program.h"
#include "wide_skel.h"

namespace {

using namespace bench::demux;
using callis::poa::Collocation;

struct Nothing final : POA_Operations1 {
  std::uint64_t calls = 0;
  void op_000() override { ++calls; }
};

// Of Param_Test only what is called.
struct Shorts final : POA_Param_Test {
  using P = Param_Test;
  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short_out s3) override {
    s2 = s1;
    s3 = s1;
    return s1;
  }
  char* test_unbounded_string(const char*, char*&, CORBA::String_out) override { no(); }
  P::Fixed_Struct test_fixed_struct(const P::Fixed_Struct&, P::Fixed_Struct&, P::Fixed_Struct&) override { no(); }
  P::StrSeq* test_strseq(const P::StrSeq&, P::StrSeq&, P::StrSeq_out) override { no(); }
  P::Var_Struct* test_var_struct(const P::Var_Struct&, P::Var_Struct&, P::Var_Struct_out) override { no(); }
  P::Nested_Struct* test_nested_struct(const P::Nested_Struct&, P::Nested_Struct&, P::Nested_Struct_out) override {
    no();
  }
  P::StructSeq* test_struct_sequence(const P::StructSeq&, P::StructSeq&, P::StructSeq_out) override { no(); }

 private:
  [[noreturn]] static void no() { throw CORBA::NO_IMPLEMENT(); }
};

// The compiler does not know what it points to.
template <class T>
T* unknown(T* p) {
  asm volatile("" : "+r"(p));
  return p;
}

template <class Target>
double void_calls(Target& target, const Nothing& servant, std::size_t n) {
  const std::uint64_t before = servant.calls, start = bench::thread_ns();
  for (std::size_t i = 0; i < n; ++i) target.op_000();
  const std::uint64_t end = bench::thread_ns();
  bench::expect(servant.calls - before == n, "a call's target");
  return static_cast<double>(end - start);
}

template <class Target>
double short_calls(Target& target, std::size_t n) {
  CORBA::Short s1 = 0, s2 = 0, s3 = 0, result = 0;
  std::uint64_t same = 0;
  const std::uint64_t start = bench::thread_ns();
  for (std::size_t i = 0; i < n; ++i) {
    ++s1;
    result = target.test_short(s1, s2, s3);
    same += result == s1 && s2 == s1 && s3 == s1;
  }
  const std::uint64_t end = bench::thread_ns();
  bench::expect(same == n, "results");
  return static_cast<double>(end - start);
}

void run(CORBA::ORB_ptr orb, const Sizes& sizes) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  const PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  struct Way {
    const char* name;
    Collocation way;
  };
  for (const Way& w : {Way{"direct", Collocation::Direct},
                       {"adapter", Collocation::ThroughAdapter},
                       {"marshaled", Collocation::Marshaled}}) {
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = callis::poa::create_collocation_policy(w.way);
    const PortableServer::POA_var poa = root->create_POA(w.name, manager.in(), policies);
    const PortableServer::Servant_var<Nothing> nothing(new Nothing);
    const PortableServer::Servant_var<Shorts> shorts(new Shorts);
    PortableServer::ObjectId_var id = poa->activate_object(nothing.in());
    object = poa->id_to_reference(id.in());
    const Operations1_var void_stub = Operations1::_narrow(object.in());
    id = poa->activate_object(shorts.in());
    object = poa->id_to_reference(id.in());
    const Param_Test_var short_stub = Param_Test::_narrow(object.in());

    POA_Operations1* const void_servant = unknown<POA_Operations1>(nothing.in());
    POA_Param_Test* const short_servant = unknown<POA_Param_Test>(shorts.in());
    const std::string name = std::string("collocated/") + w.name;
    std::vector<Contestant> void_calls_by{
        {"virtual", [&](std::size_t n) { return void_calls(*void_servant, *nothing, n); }},
        {"callis-interpreted", [&](std::size_t n) { return void_calls(*void_stub.in(), *nothing, n); }}};
    run_rounds(name + "/void", void_calls_by, sizes.rounds, sizes.batch_us);
    std::vector<Contestant> short_calls_by{
        {"virtual", [&](std::size_t n) { return short_calls(*short_servant, n); }},
        {"callis-interpreted", [&](std::size_t n) { return short_calls(*short_stub.in(), n); }}};
    run_rounds(name + "/test_short", short_calls_by, sizes.rounds, sizes.batch_us);
  }
}

}  // namespace

int main(int argc, char** argv) { return measure_with_orb(argc, argv, "collocated", run); }
