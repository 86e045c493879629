// SPDX-License-Identifier: Apache-2.0
// A program of one ORB, or of none, that loads plugins with ORBs of their own:
//
// two_orbs_X serve FILE                          writes its reference to the file, and serves until its input ends
// two_orbs_X load local|global PLUGIN... [-- IOR...]
//     loads the plugins by dlopen. Then each ORB calls the others', its own, and the servers of the IORs; and so in
//     rounds, in which the ORBs are made and destroyed in each order.
#include <dlfcn.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>
#include "side.h"

#ifdef TWO_ORBS_SIDE
extern "C" const Side* TWO_ORBS_SIDE();
#endif

namespace {

constexpr int kRounds = 3;

void check(const Side& side, const char* what, const char* wrong) {
  if (!wrong) return;
  std::printf("%s: %s: %s\n", side.orb, what, wrong);
  std::exit(1);
}

void begin(const Side& side) { check(side, "begin", side.begin()); }
void end(const Side& side) { check(side, "end", side.end()); }
void call(const Side& side, const std::string& ior, const char* of) {
  check(side, (std::string("call of ") + of).c_str(), side.call(ior.c_str()));
}

void round(const std::vector<const Side*>& begun, const std::vector<const Side*>& ended,
           const std::vector<std::string>& iors) {
  for (const Side* side : begun) begin(*side);
  for (const Side* caller : begun) {
    for (const Side* called : begun) call(*caller, called->reference(), called->orb);
    for (const std::string& ior : iors) call(*caller, ior, "another process");
  }
  for (const Side* side : ended) {
    end(*side);
    for (const Side* left : begun)
      if (*left->reference()) call(*left, left->reference(), "itself, when another has ended");
  }
}

const Side* side_of(const char* plugin, int mode) {
  void* const library = ::dlopen(plugin, RTLD_NOW | mode);
  void* const function = library ? ::dlsym(library, kSideOfPlugin) : nullptr;
  if (!function) {
    std::printf("%s\n", ::dlerror());
    std::exit(1);
  }
  return reinterpret_cast<GetSide>(function)();
}

int load(int argc, char** argv) {
  const int mode = std::string(argv[2]) == "global" ? RTLD_GLOBAL : RTLD_LOCAL;
  std::vector<const Side*> sides;
#ifdef TWO_ORBS_SIDE
  sides.push_back(TWO_ORBS_SIDE());
  round(sides, sides, {});  // before the other one comes
#endif
  int i = 3;
  for (; i < argc && std::string(argv[i]) != "--"; ++i) sides.push_back(side_of(argv[i], mode));
  const std::vector<std::string> iors(argv + std::min(i + 1, argc), argv + argc);
  const std::vector<const Side*> orders[] = {sides, {sides.rbegin(), sides.rend()}};
  for (int n = 0; n < kRounds; ++n)
    for (const auto& begun : orders)
      for (const auto& ended : orders) round(begun, ended, iors);
  std::printf("OK: %zu ORBs\n", sides.size());
  return 0;
}

int serve(const char* file) {
#ifdef TWO_ORBS_SIDE
  const Side& side = *TWO_ORBS_SIDE();
  begin(side);
  const std::string name = file;
  std::ofstream(name + ".new") << side.reference() << '\n';
  std::rename((name + ".new").c_str(), file);
  while (std::getchar() != EOF) {
  }
  end(side);
  return 0;
#else
  (void)file;
  return 2;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "serve") return serve(argv[2]);
  if (argc > 3 && std::string(argv[1]) == "load") return load(argc, argv);
  return 2;
}
