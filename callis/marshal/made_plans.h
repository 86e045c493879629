// SPDX-License-Identifier: Apache-2.0
// MadePlans: the plans that the builder makes of operations. callis-idl prints them (tables.h). A program keeps them
// for an operation that has no printed ones.
#pragma once
#include <callis/marshal/tables.h>
#include <memory>
#include <span>

namespace callis::marshal {

enum class Side : std::uint8_t { Client = 1, Server = 2, Both = 3 };

struct MadePlans {
  Program program;
  std::span<const Word> tables;
  std::span<const Plan> plans;
  std::span<const ExceptionPlan> exceptions;
  std::span<const OperationPlans> operations;
  bool has_long_double = false;
};

// The plans of operations, which share their tables, for the machine of unit.abi. Links of exceptions are nullptr if
// the unit has no links. Throws std::bad_alloc.
std::unique_ptr<const MadePlans, void (*)(const MadePlans*)> make_operation_plans(
    const Unit& unit, std::span<const Word> operations, Side side);

// ABI classes, machines on which the same tables are right: those of CALLIS_PLANS 64 and 32.
extern const Abi kAbi64, kAbi32;

}  // namespace callis::marshal
