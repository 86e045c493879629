// SPDX-License-Identifier: Apache-2.0
// Calls within the process, over the ORB of one page of tests/mapping, in both byte orders.
//
//   loop SEED ROUNDS TRANSCRIPT
//
// The transcript has a line for each call with what was on the wire, for run.py to compare between the stub styles.
#include "host.h"
#include <tests/mapping/loopback.h>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace {

unsigned long long g_seed;
std::string g_call;
int g_failures = 0, g_upcalls = 0, g_checks = 0;
unsigned long long g_drawn = 0, g_values = 0, g_cut = 0;

const host::Interface& find(const char* name) {
  for (unsigned f = 0; f < host::file_count; ++f)
    for (unsigned i = 0; i < host::files[f]->count; ++i)
      if (std::strcmp(host::files[f]->interfaces[i].name, name) == 0) return host::files[f]->interfaces[i];
  std::printf("FAILED: there is no interface %s\n", name);
  std::exit(2);
}

// Made at first use, and kept.
PortableServer::ServantBase& servant(const host::Interface& interface, unsigned which) {
  static std::map<std::string, PortableServer::ServantBase*> all;
  PortableServer::ServantBase*& s = all[interface.name + std::to_string(which)];
  if (!s) s = interface.make();
  return *s;
}

// FNV-1a.
unsigned long long hash(const loopback::Bytes& bytes) {
  unsigned long long h = 0xcbf29ce484222325ULL;
  for (const std::uint8_t b : bytes) h = (h ^ b) * 0x100000001b3ULL;
  return h;
}

void call(const host::Interface& interface, const host::Operation& operation, std::FILE* transcript) {
  const int before = g_upcalls;
  loopback::last_call() = {};
  try {
    const CORBA::Object_var object = host::object(interface.name, 0);
    host::Random r(g_seed);
    operation.call(object.in(), r);
    g_drawn += r.drawn();
    g_values += r.value_count();
    g_cut += r.cut();
  } catch (const CORBA::Exception& e) {
    host::unexpected(e);
  }
  host::check(g_upcalls == before + 1, "one upcall");
  const loopback::Call& seen = loopback::last_call();
  std::fprintf(transcript, "%s: request %zu bytes %016llx, reply %zu bytes %016llx %s\n", g_call.c_str(),
               seen.request.size(), hash(seen.request), seen.reply.size(), hash(seen.reply), seen.exception.c_str());
}

void run(const host::File& file, unsigned long long seed, unsigned rounds, std::FILE* transcript) {
  g_call = file.name;
  file.check_constants();
  file.add_factories();
  for (unsigned i = 0; i < file.count; ++i) {
    const host::Interface& interface = file.interfaces[i];
    for (unsigned o = 0; o < interface.count; ++o) {
      for (unsigned round = 0; round < 2 * rounds; ++round) {
        const bool big = round % 2 != 0;
        g_seed = seed + round / 2;
        loopback::settings().order = big ? callis::ByteOrder::Big : callis::ByteOrder::Little;
        g_call = std::string(file.name) + " " + interface.name + "." + interface.operations[o].name + " value seed " +
                 std::to_string(g_seed) + (big ? " big" : " little") + "-endian";
        call(interface, interface.operations[o], transcript);
      }
    }
  }
}

}  // namespace

namespace host {

Random upcall(const char*) {
  ++g_upcalls;
  return Random(g_seed);
}
CORBA::Object_ptr object(const char* name, unsigned which) {
  const Interface& interface = find(name);
  return interface.to_object(loopback::reference(servant(interface, which), interface.create, interface.id));
}
void check(bool good, const char* what) {
  ++g_checks;
  if (good) return;
  ++g_failures;
  std::printf("FAILED: %s: %s\n", g_call.c_str(), what);
}

}  // namespace host

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::FILE* transcript = std::fopen(argv[3], "w");
  if (!transcript) return 2;
  loopback::select_style("random");
  for (unsigned f = 0; f < host::file_count; ++f)
    run(*host::files[f], std::strtoull(argv[1], nullptr, 10), static_cast<unsigned>(std::atoi(argv[2])), transcript);
  std::fclose(transcript);
  std::printf(
      "%d checks, %d upcalls, %d failures; %llu numbers drawn for %llu arguments and results, %llu of them cut "
      "short\n",
      g_checks, g_upcalls, g_failures, g_drawn, g_values, g_cut);
  return g_failures == 0 && g_upcalls > 0 ? 0 : 1;
}
