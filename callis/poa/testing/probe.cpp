// SPDX-License-Identifier: Apache-2.0
// The skeleton and the servant of the tests' interface.
#include <callis/base/perfect_hash_builder.h>
#include <callis/orb/base/stub.h>
#include <callis/poa/testing/probe.h>
#include <cstring>
#include <iterator>
#include <vector>

namespace callis::poa::testing {

using marshal::Direction;
using marshal::Kind;
using marshal::type_word;
using marshal::Word;

std::atomic<int> Probe::alive{0};

char* Probe::greet(const char* name) {
  if (std::strcmp(name, "stranger") == 0) throw Refused("go away");
  if (std::strcmp(name, "null") == 0) return nullptr;  // against the mapping
  return classic::duplicate(("hello " + std::string(name)).c_str());
}

CORBA::Octet Probe::sum(const CORBA::Octet* block) {
  unsigned n = 0;
  for (int i = 0; i < 4096; ++i) n += block[i];
  return static_cast<CORBA::Octet>(n);
}

CORBA::Long Probe::twice(CORBA::Long n) {
  if (n < 0) throw Refused("negative");
  return 2 * n;
}

namespace {

constexpr char kNames[] = "ping\0add\0greet\0tick\0act\0sum\0twice\0check";
constexpr Word kLong = type_word(Kind::Long), kString = type_word(Kind::String), kVoid = type_word(Kind::Void);

constexpr Word length_and_cell(Word length, Word cell) { return length | cell << 16; }
constexpr Word kWords[] = {
    /* 0 ping  */ marshal::op_word(0, 0), 0, length_and_cell(4, 0), kVoid,
    /* 4 add   */ marshal::op_word(0, 2), 5, length_and_cell(3, 1), kLong, kLong, kLong,
    /* 10 greet */ marshal::op_word(marshal::kRaises, 1), 9, length_and_cell(5, 2), kString, kString, 1,
    /*         */ type_word(Kind::Ref, 25),
    /* 17 tick */ marshal::op_word(marshal::kOneway, 1), 15, length_and_cell(4, 3), kVoid, kLong,
    /* 22 sum's array */ type_word(Kind::Array), 4096, type_word(Kind::Octet),
    /* 25 Refused */ type_word(Kind::Exception, 1), 0, kString,
    /* 28 act  */ marshal::op_word(0, 0), 20, length_and_cell(3, 4), kVoid,
    /* 32 sum  */ marshal::op_word(0, 1), 24, length_and_cell(3, 5), type_word(Kind::Octet), type_word(Kind::Ref, 22),
    /* 37 twice */ marshal::op_word(marshal::kCompiledOp | marshal::kRaises, 0), 28, length_and_cell(5, 6),
    /* 40 check */ marshal::op_word(marshal::kCompiledOp, 0), 34, length_and_cell(5, 7),
    /* 43 Other's add */ marshal::op_word(0, 0), 5, length_and_cell(3, 8), kVoid,
    /* 47 Other's tick */ marshal::op_word(0, 1), 15, length_and_cell(4, 9), kVoid, kLong,
};

const orb::ExceptionLink kRefusedLink{"IDL:test/Refused:1.0", &classic::create_exception<Refused>};
const void* const kLinks[] = {&kRefusedLink};
marshal::PlanCell cells[10];

Probe& probe(void* self) { return *static_cast<Probe*>(self); }

// Frames as callis/marshal/plan.h lays them out for a server.
struct AddFrame { CORBA::Long a, b, result; };
struct GreetFrame { char* name; char* result; };
struct SumFrame { CORBA::Octet block[4096], result; };

void ping_thunk(void* self, void*) { probe(self).ping(); }
void add_thunk(void* self, void* frame) {
  auto& f = *static_cast<AddFrame*>(frame);
  f.result = probe(self).add(f.a, f.b);
}
void greet_thunk(void* self, void* frame) {
  auto& f = *static_cast<GreetFrame*>(frame);
  f.result = probe(self).greet(f.name);
}
void tick_thunk(void* self, void* frame) { probe(self).tick(*static_cast<CORBA::Long*>(frame)); }
void act_thunk(void* self, void*) { probe(self).act(); }
void sum_thunk(void* self, void* frame) {
  auto& f = *static_cast<SumFrame*>(frame);
  f.result = probe(self).sum(f.block);
}
void twice_serve(void* self, orb::ServerRequest& request) {
  const auto n = request.arguments().get<CORBA::Long>();
  check_arguments(request.arguments());
  const CORBA::Long result = probe(self).twice(n);
  request.reply().put(result);
}
void check_serve(void* self, orb::ServerRequest& request) {
  const bool b = request.arguments().get_boolean();
  check_arguments(request.arguments());
  const bool result = probe(self).check(b);
  request.reply().put_boolean(result);
}

constexpr SkeletonOperation kDeclared[] = {{&ping_thunk, 0},   {&add_thunk, 4},   {&greet_thunk, 10},
                                           {&tick_thunk, 17},  {&act_thunk, 28},  {&sum_thunk, 32},
                                           {&twice_serve, 37}, {&check_serve, 40}};

void encode_refused(cdr::Encoder& to, const CORBA::UserException& e) {
  to.put_string(static_cast<const Refused&>(e).why.in());
}
void decode_refused(cdr::Decoder&, CORBA::UserException&) {}
const orb::CompiledException kRefused{"IDL:test/Refused:1.0", &classic::create_exception<Refused>, &encode_refused,
                                      &decode_refused};
const orb::CompiledException* const kTwiceRaises[] = {&kRefused, nullptr};
constexpr std::size_t kTwice = 6;
const char* const kIds[] = {kProbeId, kBaseId, nullptr};

struct Table {
  PerfectHashTables hash;
  std::vector<SkeletonOperation> operations;
  std::vector<const orb::CompiledException* const*> raises;
  Skeleton skeleton;
  Table() {
    if (!build_perfect_hash({"ping", "add", "greet", "tick", "act", "sum", "twice", "check"}, hash)) std::abort();
    for (const std::uint16_t n : hash.order) {
      operations.push_back(kDeclared[n]);
      raises.push_back(n == kTwice ? kTwiceRaises : nullptr);
    }
    skeleton = {kIds, &probe_unit, operations.data(), hash.view(), raises.data(), &run_either};
  }
};

}  // namespace

const marshal::Unit probe_unit{kWords, kNames, kLinks, cells};
const Word kPing = 0, kAdd = 4, kGreet = 10, kTick = 17, kAct = 28, kSum = 32, kOtherAdd = 43, kOtherTick = 47;

const Skeleton& Probe::_callis_skeleton() const {
  static const Table table;
  return table.skeleton;
}

}  // namespace callis::poa::testing
