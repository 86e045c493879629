// SPDX-License-Identifier: Apache-2.0
// Probe: an interface with a skeleton written by hand, the way the IDL compiler would, and its servant.
//
//   exception Refused { string why; };
//   interface Base { void ping(); };
//   interface Probe : Base {
//     long add(in long a, in long b);                       // interpreted
//     string greet(in string name) raises (Refused);        // interpreted
//     oneway void tick(in long n);                          // interpreted
//     void act();                                           // interpreted; runs Probe::during
//     octet sum(in octet block[4096]);                      // interpreted; its frame is on the heap
//     long twice(in long n) raises (Refused);               // compiled
//     boolean check(in boolean b);                          // compiled
//   };
//
// and of the same IDL file, without a skeleton, with names that Probe has, too:
//
//   interface Other { void add(); void tick(in long n); };  // interpreted
#pragma once
#include <callis/classic/string.h>
#include <callis/poa/servant/servant.h>
#include <callis/poa/servant/skeleton.h>
#include <callis/poa/servant/user_exception.h>
#include <functional>

namespace callis::poa::testing {

class Refused final : public CORBA::UserException {
 public:
  CORBA::String_member why;
  Refused() = default;
  explicit Refused(const char* w) : why(w) {}
  CALLIS_USER_EXCEPTION(Refused, "IDL:test/Refused:1.0")
};

inline constexpr const char* kProbeId = "IDL:test/Probe:1.0";
inline constexpr const char* kBaseId = "IDL:test/Base:1.0";

class Probe : public virtual PortableServer::ServantBase {
 public:
  // How many are alive.
  static std::atomic<int> alive;

  Probe() { ++alive; }
  ~Probe() override { --alive; }

  virtual void ping() { ++pings; }
  virtual CORBA::Long add(CORBA::Long a, CORBA::Long b) { return a + b; }
  virtual char* greet(const char* name);
  virtual void tick(CORBA::Long n) { ticks += n; }
  virtual void act() { if (during) during(); }
  virtual CORBA::Octet sum(const CORBA::Octet* block);
  virtual CORBA::Long twice(CORBA::Long n);
  virtual bool check(bool b) { return b; }

  const Skeleton& _callis_skeleton() const override;
  void* _callis_self() override { return this; }

  std::atomic<int> pings{0}, ticks{0};
  std::function<void()> during;
};

// The unit and the operations' entries in it, for stubs.
extern const marshal::Unit probe_unit;
extern const marshal::Word kPing, kAdd, kGreet, kTick, kAct, kSum, kOtherAdd, kOtherTick;

}  // namespace callis::poa::testing
