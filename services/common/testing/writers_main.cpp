// SPDX-License-Identifier: Apache-2.0
// callis_store_writers WHERE: four threads that change a store until the process is killed (testing/writers.h).
#include <services/common/store.h>
#include <services/common/testing/places.h>
#include <services/common/testing/writers.h>
#include <unistd.h>
#include <cstdio>
#include <thread>

namespace callis::services::testing {
namespace {

std::uint64_t number_of(Store& store, const std::string& writer) {
  const All all = all_of(store, writer + "/a");
  return all.empty() ? 0 : std::stoull(all.begin()->second);
}

void write(Store& store, const std::string& writer) {
  std::uint64_t n = number_of(store, writer);
  for (bool sure = true;;) {
    try {
      if (!sure) n = number_of(store, writer);
      sure = true;
      const std::string next = std::to_string(n + 1);
      Transaction t{{}, {{writer + "/a", next}, {writer + "/b", next}, {writer + "/log/" + next, "x"}}, {}};
      if (n + 1 > kLogged) t.erased.push_back(writer + "/log/" + std::to_string(n + 1 - kLogged));
      store.commit(t);
      ++n;
      const std::string said = writer + " " + next + "\n";
      if (::write(STDOUT_FILENO, said.data(), said.size()) < 0) return;
    } catch (const StoreFailed& failed) {
      if (failed.kind() != StoreFailed::Unreachable) throw;
      sure = false;
    }
  }
}

}  // namespace
}  // namespace callis::services::testing

int main(int, char** argv) {
  namespace services = callis::services;
  namespace own = callis::services::testing;
  try {
    const std::unique_ptr<services::Store> store = services::open_store(argv[1], own::test_kind());
    std::vector<std::thread> threads;
    for (int t = 0; t < own::kWriters; ++t) threads.emplace_back([&, t] { own::write(*store, std::to_string(t)); });
    for (std::thread& each : threads) each.join();
  } catch (const services::StoreFailed& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
}
