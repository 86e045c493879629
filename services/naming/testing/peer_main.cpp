// SPDX-License-Identifier: Apache-2.0
// callis_naming_peer: clients of name services for tests and measurements, of any ORB's.
//
//   fill STORE CONTEXTS EACH             writes a store with as many bindings: c0/o0, c0/o1 ..., without a service
//   bind REF THREADS CONTEXTS EACH       binds the same names in a living service
//   load REF THREADS SECONDS CONTEXTS EACH
//                                        resolves such names at random; prints calls a second, failures, and the
//                                        longest time without a reply: "calls_per_s 1 failed 0 longest_us 1". A call
//                                        that fails is made again
//   write REF THREADS PREFIX SECONDS     changes names; prints "T K" when change K of thread T has been acknowledged:
//                                        K modulo 4 is: a context PREFIX-T-G, G = K / 4; x bound in it; x bound anew;
//                                        x unbound where G is even. Until the time is over or a call fails
#include <callis/base/text.h>
#include <callis/corba.h>
#include <services/common/store.h>
#include <services/naming/federation.h>
#include <services/naming/references.h>
#include <services/naming/service.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

namespace {

using namespace callis;
using Clock = std::chrono::steady_clock;
using naming::Component;
using Context = CosNaming::NamingContext;

std::size_t number(const char* text) { return static_cast<std::size_t>(std::strtoull(text, nullptr, 10)); }

CosNaming::Name name_of(std::string_view text) {
  naming::OwnedName name;
  if (!naming::parse_name(text, name)) std::abort();
  return naming::to_name(name.components());
}
std::string object_text(std::size_t k) { return "corbaloc::127.0.0.1:2000/object-" + std::to_string(k); }

void fill(const char* where, std::size_t contexts, std::size_t each) {
  const auto store = services::open_store(where, naming::store_kind());
  { naming::Watching watching; naming::Directory(*store, watching); }  // the root
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  const CORBA::Object_var object = orb->string_to_object(object_text(0).c_str());
  const std::string value = naming::object_value(naming::References::to_bytes(object.in()));
  services::Transaction t;
  const auto put = [&](std::string key, std::string text) {
    t.puts.emplace_back(std::move(key), std::move(text));
    if (t.puts.size() < services::kMaxChanges) return;
    (void)store->commit(t);
    t = {};
  };
  for (std::size_t c = 0; c < contexts; ++c) {
    const std::string context = "c" + std::to_string(c);
    put(naming::context_key(c + 1), std::string(naming::kOpen));
    put(naming::binding_key(naming::kRoot, {context, ""}), naming::local_value(c + 1));
    for (std::size_t o = 0; o < each; ++o)
      put(naming::binding_key(c + 1, Component{"o" + std::to_string(o), ""}), value);
  }
  if (!t.puts.empty()) (void)store->commit(t);
  orb->destroy();
}

Context::_var_type root_of(CORBA::ORB_ptr orb, const char* reference) {
  const CORBA::Object_var object = orb->string_to_object(reference);
  return Context::_narrow(object.in());
}

void bind(CORBA::ORB_ptr orb, char** words) {
  const Context::_var_type root = root_of(orb, words[0]);
  const std::size_t threads = number(words[1]), contexts = number(words[2]), each = number(words[3]);
  const CORBA::Object_var object = orb->string_to_object(object_text(0).c_str());
  std::vector<Context::_var_type> made;
  for (std::size_t c = 0; c < contexts; ++c)
    made.emplace_back(root->bind_new_context(name_of("c" + std::to_string(c))));
  std::vector<std::thread> all;
  std::atomic<bool> failed{false};
  for (std::size_t t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      try {
        for (std::size_t n = t; n < contexts * each; n += threads)
          made[n / each]->bind(name_of("o" + std::to_string(n % each)), object.in());
      } catch (const CORBA::Exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        failed = true;
      }
    });
  for (std::thread& t : all) t.join();
  if (failed) throw std::runtime_error("not all names are bound");
}

void load(CORBA::ORB_ptr orb, char** words) {
  const Context::_var_type root = root_of(orb, words[0]);
  const std::size_t threads = number(words[1]), contexts = number(words[3]), each = number(words[4]);
  const std::chrono::duration<double> length(std::strtod(words[2], nullptr));
  std::atomic<std::uint64_t> calls{0}, failed{0};
  std::atomic<std::int64_t> longest{0};
  const auto begin = Clock::now(), end = begin + std::chrono::duration_cast<Clock::duration>(length);
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      std::uint64_t mine = 0;
      auto last = Clock::now();
      CosNaming::Name name = name_of("c/o");
      while (last < end) {
        name[0].id = ("c" + std::to_string(random() % contexts)).c_str();
        name[1].id = ("o" + std::to_string(random() % each)).c_str();
        try {
          CORBA::Object_var found = root->resolve(name);
          ++mine;
        } catch (const CORBA::SystemException& e) {
          if (failed++ == 0) std::fprintf(stderr, "%s\n", e.what());
          if (Clock::now() >= end) break;
          continue;  // the time goes on without a reply
        }
        const auto now = Clock::now();
        const std::int64_t us = std::chrono::duration_cast<std::chrono::microseconds>(now - last).count();
        for (std::int64_t was = longest; us > was && !longest.compare_exchange_weak(was, us);) {}
        last = now;
      }
      calls += mine;
    });
  for (std::thread& t : all) t.join();
  const std::chrono::duration<double> took = Clock::now() - begin;
  std::printf("calls_per_s %.0f failed %llu longest_us %lld\n", static_cast<double>(calls) / took.count(),
              static_cast<unsigned long long>(failed), static_cast<long long>(longest));
}

void write(CORBA::ORB_ptr orb, char** words) {
  const Context::_var_type root = root_of(orb, words[0]);
  const std::size_t threads = number(words[1]);
  const std::string prefix = words[2];
  const auto end = Clock::now() + std::chrono::seconds(number(words[3]));
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      try {
        for (std::size_t k = 0; Clock::now() < end; ++k) {
          const std::string context = prefix + "-" + std::to_string(t) + "-" + std::to_string(k / 4);
          const CosNaming::Name name = name_of(context), x = name_of(context + "/x");
          const CORBA::Object_var object = orb->string_to_object(object_text(k).c_str());
          switch (k % 4) {
            case 0: (void)Context::_var_type(root->bind_new_context(name)); break;
            case 1: root->bind(x, object.in()); break;
            case 2: root->rebind(x, object.in()); break;
            default:
              if (k / 4 % 2 == 0) root->unbind(x);
          }
          std::printf("%zu %zu\n", t, k);
          std::fflush(stdout);
        }
      } catch (const CORBA::Exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
      }
    });
  for (std::thread& t : all) t.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (what == "fill" && argc == 5) {
      fill(argv[2], number(argv[3]), number(argv[4]));
      return 0;
    }
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (what == "load" && argc == 7) {
      load(orb.in(), argv + 2);
    } else if (what == "bind" && argc == 6) {
      bind(orb.in(), argv + 2);
    } else if (what == "write" && argc == 6) {
      write(orb.in(), argv + 2);
    } else {
      std::fprintf(stderr, "what is to be done?\n");
      return 2;
    }
    orb->destroy();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis_naming_peer: %s\n", e.what());
    return 1;
  }
}
