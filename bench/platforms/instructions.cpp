// SPDX-License-Identifier: Apache-2.0
// A plugin of QEMU's user-mode emulation: counts the instructions that the emulated program runs, all threads
// together. The count is a number of 64 bits in a file that others read while the program runs.
//
//   qemu-aarch64 -plugin bench_instructions.so,count=FILE PROGRAM ...
//
// An instruction of ARM whose condition does not hold counts, as it takes its turn. The kernel's do not: the machine
// that emulates serves the program's system calls.
#include "qemu_plugin.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>

namespace {

std::uint64_t* g_count = nullptr;

void run(unsigned, void* instructions) {
  __atomic_fetch_add(g_count, reinterpret_cast<std::uintptr_t>(instructions), __ATOMIC_RELAXED);
}

void translated(QemuPluginId, qemu_plugin_tb* block) {
  qemu_plugin_register_vcpu_tb_exec_cb(block, run, kQemuPluginNoRegisters,
                                       reinterpret_cast<void*>(qemu_plugin_tb_n_insns(block)));
}

std::uint64_t* counter(const char* path) {
  const int fd = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0 || ::ftruncate(fd, sizeof(std::uint64_t)) != 0) return nullptr;
  void* memory = ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint64_t*>(memory);
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int qemu_plugin_version = 1;

// Not 0: QEMU ends.
[[gnu::visibility("default")]] int qemu_plugin_install(QemuPluginId id, const void*, int argc, char** argv) {
  for (int i = 0; i < argc; ++i)
    if (std::strncmp(argv[i], "count=", 6) == 0) g_count = counter(argv[i] + 6);
  if (!g_count) {
    std::fprintf(stderr, "instructions: no count=FILE, or it cannot be written\n");
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}

}  // extern "C"
