// SPDX-License-Identifier: Apache-2.0
// The part of QEMU's interface for plugins that the counter needs. Debian packages no header of it, so it is declared
// here by QEMU's documentation, "QEMU TCG Plugins": version 1, which QEMU 4.2 to 8.2 have.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {

struct qemu_plugin_tb;  // a translation block: instructions that run one after the other
using QemuPluginId = std::uint64_t;
enum QemuPluginFlags : int { kQemuPluginNoRegisters = 0 };

// Called when a block has been translated.
void qemu_plugin_register_vcpu_tb_trans_cb(QemuPluginId id, void (*call)(QemuPluginId, qemu_plugin_tb*));
// Called each time when the block is run, with data.
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb* block, void (*call)(unsigned cpu, void* data),
                                          QemuPluginFlags flags, void* data);
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb* block);

}  // extern "C"
