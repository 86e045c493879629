// SPDX-License-Identifier: Apache-2.0
// What the printed programs of random files (driver.py) build on, with callis and with omniORB.
//
// Every call has a seed that both sides know. From it the client draws the arguments, the servant draws them too and
// compares, then draws whether to raise an exception and what to answer, and the client draws that and compares.
#pragma once
#ifdef RANDOM_OMNIORB
#include <omniORB4/CORBA.h>
#define HOST_TEXT(x) #x
#define HOST_STUBS(stem) HOST_TEXT(stem.hh)
#define HOST_INTERFACE(X, SERVANT, name, operations, count) \
  { name, [] { return static_cast<PortableServer::ServantBase*>(new SERVANT); }, operations, count }
#else
#include <callis/corba.h>
#include <callis/portable_server.h>
#define HOST_TEXT(x) #x
#define HOST_STUBS(stem) HOST_TEXT(stem##_skel.h)
#define HOST_INTERFACE(X, SERVANT, name, operations, count)                                                    \
  {                                                                                                            \
    name, [] { return static_cast<PortableServer::ServantBase*>(new SERVANT); }, operations, count,            \
        &X::_callis_create, &X::_callis_object, X::_repository_id()                                            \
  }
#endif
#include <cmath>
#include <cstdint>
#include <cstring>
#include <cwchar>
#include <limits>
#include <random>
#include <string>

#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace host {

class Random;

// The first so many values of a call may be met again in it; outside of anys there are no more. Of the batch.
extern const std::size_t recurring_values;

// What the implementations of valuetypes in the printed programs have in common.
class Made {
 public:
  virtual bool same(const ::CORBA::ValueBase* other) const = 0;
  virtual void forget() = 0;  // the values that it holds directly: every ring of values has such a link

 protected:
  ~Made() = default;
};

// The values of one call, so that they can be met again: kept alive until the next call, since results are sent when
// the servant has returned. Those of the other side are kept when they are compared, with the value that each must
// be.
class Graph {
 public:
  Graph() { free_former(); }
  ~Graph() {
    const std::lock_guard<std::mutex> lock(former().mutex);
    former().values.insert(former().values.end(), held_.begin(), held_.end());
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Whether the next one is null.
  bool none(Random& r) const;
  // Until one is made or met again, none is.
  void want(bool on) { wanted_ = on; }
  // One that was made before; the caller's. nullptr: make a new one.
  template <class V>
  V* pick(Random& r);
  // One that is just being made, for a ring.
  template <class V>
  V* enclosing(Random& r);
  void keep(::CORBA::ValueBase* v) {
    hold(v);
    count(v);
    made_.push_back(v);
  }
  void begin(::CORBA::ValueBase* v) {
    want(false);
    hold(v);
    count(v);
    open_.push_back(v);
  }
  void end() {
    made_.push_back(open_.back());
    open_.pop_back();
  }
  // 1: these two have been found in each other's place before, -1: others have, 0: they are new.
  int known(const ::CORBA::ValueBase* a, const ::CORBA::ValueBase* b) {
    const auto [at, fresh] = pairs_.try_emplace(a, b);
    const auto [back, fresh_too] = others_.try_emplace(b, a);
    if (!fresh || !fresh_too) return at->second == b && back->second == a ? 1 : -1;
    hold(const_cast<::CORBA::ValueBase*>(a));
    hold(const_cast<::CORBA::ValueBase*>(b));
    return 0;
  }

 private:
  friend struct Apart;
  using Pairs = std::map<const ::CORBA::ValueBase*, const ::CORBA::ValueBase*>;
  template <class V>
  V* one_of(const std::vector<::CORBA::ValueBase*>& all, Random& r) const;
  struct Former {
    std::mutex mutex;
    std::vector<::CORBA::ValueBase*> values;
  };
  static Former& former() {
    static Former& f = *new Former;  // is there when the program ends
    return f;
  }
  static void free_former() {
    std::vector<::CORBA::ValueBase*> all;
    {
      const std::lock_guard<std::mutex> lock(former().mutex);
      all.swap(former().values);
    }
    for (::CORBA::ValueBase* v : all)
      if (auto* made = dynamic_cast<Made*>(v)) made->forget();
    for (::CORBA::ValueBase* v : all) ::CORBA::remove_ref(v);
  }
  void hold(::CORBA::ValueBase* v) {
    ::CORBA::add_ref(v);
    held_.push_back(v);
  }
  void count(const ::CORBA::ValueBase* v) {
    if (++count_ > recurring_values) late_.insert(v);
  }
  std::vector<::CORBA::ValueBase*> held_, made_, open_;
  std::size_t count_ = 0;  // those of anys, too, and of anys within them
  unsigned apart_ = 0;     // anys that are being filled
  bool wanted_ = false;
  std::set<const ::CORBA::ValueBase*> late_;  // are not met again
  Pairs pairs_, others_;
};

// What there may be in one argument or result: a message of several, with what is of fixed size in them, stays far
// below the 16 MiB that both ORBs take. So many numbers drawn (a long or a character are one or two) are enough; an
// any counts as more, for its TypeCode.
constexpr unsigned kEnough = 8192, kAny = 64;

class Random {
 public:
  explicit Random(unsigned long long seed) : engine_(seed) {}
  // Before each argument and result.
  void next_value() {
    cut_ += enough();
    ++values_;
    drawn_ = 0;
  }
  // From now on sequences are empty, values null, and anys of basic types.
  bool enough() const { return drawn_ >= kEnough; }
  // Whether an any is to be of a basic type; deep inside all are, so that they end.
  bool basic() {
    if (depth > 2 || enough()) return true;
    drawn_ += kAny;
    return false;
  }
  // All together: numbers drawn, arguments and results, and how many of these were cut short.
  unsigned long long drawn() const { return all_drawn_; }
  unsigned long long value_count() const { return values_; }
  unsigned long long cut() const { return cut_ + enough(); }
  unsigned below(unsigned n) { return static_cast<unsigned>(draw() % n); }
  ::CORBA::Boolean boolean() { return below(2) != 0; }
  ::CORBA::Octet octet() { return static_cast<::CORBA::Octet>(below(256)); }
  ::CORBA::Char character() { return static_cast<::CORBA::Char>(below(256)); }
  // Of the basic multilingual plane, without surrogates.
  ::CORBA::WChar wide() { return static_cast<::CORBA::WChar>(1 + below(below(2) ? 0x7e : 0xd7fe)); }
  template <class T>
  T integer() {
    using Limits = std::numeric_limits<T>;
    const T edges[] = {0, 1, Limits::max(), Limits::min()};
    return below(4) == 0 ? edges[below(4)] : static_cast<T>(draw());
  }
  // No NaN: it is not the same as itself.
  template <class T>
  T real() {
    const T edges[] = {T(0), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(),
                       std::numeric_limits<T>::infinity()};
    if (below(8) == 0) return edges[below(4)];
    return static_cast<T>(std::ldexp(static_cast<double>(static_cast<int>(below(1u << 24))) - (1 << 23),
                                     static_cast<int>(below(60)) - 40));
  }
  std::string text(unsigned bound) {
    std::string s(size(bound), ' ');
    for (char& c : s) c = static_cast<char>(1 + below(255));
    return s;
  }
  std::wstring wide_text(unsigned bound) {
    std::wstring s(size(bound), L' ');
    for (wchar_t& c : s) c = wide();
    return s;
  }
  // A number in digits, of which `scale` are behind the point.
  std::string fixed(unsigned digits, unsigned scale) {
    std::string s;
    for (unsigned n = 0; n < digits; ++n) {
      if (n == digits - scale) s += n ? "." : "0.";
      s += static_cast<char>('0' + below(10));
    }
    return below(2) ? "-" + s : s;
  }
  // Of a sequence; 0: no bound. Deep inside there are no more elements, so that recursive types end.
  unsigned length(unsigned bound) { return depth > 2 || enough() ? 0 : size(bound); }
  unsigned depth = 0;
  Graph values;

 private:
  unsigned size(unsigned bound) {
    const unsigned n = below(12) == 0 ? below(40) : below(5);
    return bound != 0 && n > bound ? bound : n;
  }
  std::uint64_t draw() {
    ++drawn_;
    ++all_drawn_;
    return engine_();
  }
  std::mt19937_64 engine_;
  unsigned drawn_ = 0;
  unsigned long long all_drawn_ = 0, values_ = 0, cut_ = 0;
};

struct Deeper {
  explicit Deeper(Random& random) : r(random) { ++r.depth; }
  ~Deeper() { --r.depth; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  Random& r;
};

inline bool Graph::none(Random& r) const {
  const bool null = r.below(5) == 0 || r.depth > 4 || r.enough();
  if (wanted_) return false;
  return null || (apart_ == 0 && count_ >= recurring_values);
}
template <class V>
V* Graph::one_of(const std::vector<::CORBA::ValueBase*>& all, Random& r) const {
  if (r.below(3) != 0) return nullptr;
  std::vector<V*> fitting;
  for (::CORBA::ValueBase* v : all)
    if (auto* fits = late_.contains(v) ? nullptr : dynamic_cast<V*>(v)) fitting.push_back(fits);
  if (fitting.empty()) return nullptr;
  V* v = fitting[r.below(static_cast<unsigned>(fitting.size()))];
  ::CORBA::add_ref(v);
  return v;
}
template <class V>
V* Graph::pick(Random& r) {
  return one_of<V>(made_, r);
}
template <class V>
V* Graph::enclosing(Random& r) {
  return one_of<V>(open_, r);
}

// The values of an any are shared among themselves only.
struct Apart {
  explicit Apart(Random& random) : r(random) {
    exchange();
    ++r.values.apart_;
  }
  ~Apart() {
    --r.values.apart_;
    exchange();
  }
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;
  void exchange() {
    r.values.made_.swap(made);
    r.values.open_.swap(open);
  }
  Random& r;
  std::vector<::CORBA::ValueBase*> made, open;
};

// While a value that came is compared: the graph of its call, for this thread.
class Comparing {
 public:
  explicit Comparing(Random& r) : before_(std::exchange(current_, &r.values)) {}
  ~Comparing() { current_ = before_; }
  Comparing(const Comparing&) = delete;
  Comparing& operator=(const Comparing&) = delete;
  static int known(const ::CORBA::ValueBase* a, const ::CORBA::ValueBase* b) { return current_->known(a, b); }

 private:
  Graph* before_;
  static inline thread_local Graph* current_ = nullptr;
};

#ifdef RANDOM_OMNIORB
inline ::CORBA::ORB_ptr orb;  // set before factories are added
inline void add_factory(const char* id, ::CORBA::ValueFactory factory) {
  if (::CORBA::ValueFactory before = orb->register_value_factory(id, factory)) before->_remove_ref();
}
#else
inline void add_factory(const char* id, ::CORBA::ValueFactory factory) {
  if (::CORBA::ValueFactory before = ::callis::value::register_value_factory(id, factory)) before->_remove_ref();
}
#endif
template <class Value>
class FactoryOf final : public ::CORBA::ValueFactoryBase {
  ::CORBA::ValueBase* create_for_unmarshal() override { return new Value; }
};
template <class Value>
void add_factory(const char* id) {
  auto* factory = new FactoryOf<Value>;
  add_factory(id, factory);
  factory->_remove_ref();
}

// ---- the tables that the printed programs fill ----

struct Operation {
  const char* name;
  void (*call)(::CORBA::Object_ptr target, Random& r);
};
struct Interface {
  const char* name;
  ::PortableServer::ServantBase* (*make)();
  const Operation* operations;
  unsigned count;
#ifndef RANDOM_OMNIORB
  void* (*create)(::callis::orb::Reference*);
  ::CORBA::Object* (*to_object)(void*);
  const char* id;
#endif
};
struct File {
  const char* name;
  const Interface* interfaces;
  unsigned count;
  void (*check_constants)();
  void (*add_factories)();
};
extern const File* const files[];
extern const unsigned file_count;

// ---- what each program provides (loop.cpp, remote.cpp) ----

// The random values of the call that is under way; counts the upcall.
Random upcall(const char* operation);
// One of the two objects of an interface; the caller's.
::CORBA::Object_ptr object(const char* interface, unsigned which);
void check(bool good, const char* what);
// An exception that nobody expects.
inline void unexpected(const ::CORBA::Exception& e) {
  const auto* system = dynamic_cast<const ::CORBA::SystemException*>(&e);
  const std::string minor = system ? " minor " + std::to_string(system->minor()) : "";
  check(false, (e._name() + minor).c_str());
}

// ---- for the printed programs ----

template <class X>
auto reference(Random& r, const char* name) {
  using Pointer = decltype(X::_nil());
  if (r.below(4) == 0) return static_cast<Pointer>(X::_nil());
  const unsigned which = r.below(2);
  if constexpr (std::is_same_v<X, ::CORBA::Object>) {
    return object(name, which);
  } else {
    const ::CORBA::Object_var o = object(name, which);
    return static_cast<Pointer>(X::_unchecked_narrow(o.in()));
  }
}

// Strings and references in any guise: pointer, _var, member, element.
template <class S>
bool same_text(const S& a, const auto& b) {
  const char* p = a;
  const char* q = b;
  return std::strcmp(p, q) == 0;
}
template <class S>
bool same_wide_text(const S& a, const auto& b) {
  const ::CORBA::WChar* p = a;
  const ::CORBA::WChar* q = b;
  return std::wcscmp(p, q) == 0;
}
template <class T>
::CORBA::Object_ptr object_of(const T& x) {
  if constexpr (std::is_pointer_v<T>) return x;
  else return x.in();
}
template <class S>
bool same_reference(const S& a, const auto& b) {
  const ::CORBA::Object_ptr p = object_of(a), q = object_of(b);
  if (::CORBA::is_nil(p) || ::CORBA::is_nil(q)) return ::CORBA::is_nil(p) && ::CORBA::is_nil(q);
  return p->_is_equivalent(q);
}
template <class T>
bool same_type_code(const T& a, const auto& b) {
  const auto get = []<class X>(const X& x) -> ::CORBA::TypeCode_ptr {
    if constexpr (std::is_pointer_v<X>) return x;
    else return x.in();
  };
  return get(a)->equal(get(b));
}
template <class V>
const V* value(const auto& x) {
  if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(x)>>) return x;
  else return x.in();
}

}  // namespace host
