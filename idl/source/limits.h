// SPDX-License-Identifier: Apache-2.0
// What the compiler refuses, with an error that names the place, so that it ends within seconds and a gigabyte of
// memory whatever its input is. docs/guide/idl.md has the table for users. No real file comes near.
#pragma once
#include <cstddef>
#include <cstdint>

namespace callis::idl {

// Files.
inline constexpr std::size_t kMaxFileBytes = 8u << 20;
inline constexpr std::size_t kMaxInputBytes = 32u << 20;  // all files, each time it is read
inline constexpr std::size_t kMaxIncludeDepth = 100;
inline constexpr std::size_t kMaxIncludes = 20'000;

// The preprocessor. A token takes 40 bytes of memory; what macros handle in all takes time in proportion to it.
inline constexpr std::size_t kMaxIdentifier = 255;             // also of a number
inline constexpr std::size_t kMaxDirectiveBytes = 256u << 10;  // with continuation lines
inline constexpr std::size_t kMaxDirectivesBytes = 4u << 20;   // of all, each time they are read
inline constexpr std::size_t kMaxDefinedTokens = 1'000'000;    // in the bodies of all macros
inline constexpr std::size_t kMaxConditionDepth = 100;         // nesting in one #if
inline constexpr std::size_t kMaxExpansions = 1'000'000;
inline constexpr std::size_t kMaxExpandedTokens = 4'000'000;  // in arguments and what macros yield, of all uses
inline constexpr std::size_t kMaxMadeBytes = 32u << 20;       // of words and literals by # and ##, of all uses
inline constexpr std::size_t kMaxExpansionDepth = 200;
inline constexpr std::size_t kMaxExpansionsOfUse = 250'000;  // in one use of a macro, as the next three
inline constexpr std::size_t kMaxExpansionTokens = 100'000;
inline constexpr std::size_t kMaxExpansionBytes = 256u << 10;
inline constexpr std::size_t kMaxMacroTokenBytes = 32u << 10;
inline constexpr std::size_t kMaxOutputBytes = 4u << 20;  // preprocessed text
inline constexpr std::size_t kMaxFaults = 20;

// The language.
inline constexpr int kMaxNesting = 200;              // modules, types, parentheses
inline constexpr std::size_t kMaxOperators = 1'000;  // in one expression
inline constexpr std::uint32_t kMaxTypeDepth =
    500;  // types one inside the other, interfaces one derived from the other
inline constexpr std::uint64_t kMaxArrayElements = UINT32_MAX;
inline constexpr std::uint64_t kMaxValueBytes = UINT32_MAX;         // that a value takes in a message at least
inline constexpr std::size_t kMaxInheritedMembers = 1'000'000;      // of all structs
inline constexpr std::size_t kMaxInheritedOperations = 1'000'000;   // of all interfaces; of all valuetypes, too
inline constexpr std::uint64_t kMaxLookupSteps = 50'000'000;        // of looking names up in bases (sema/scope.h)
inline constexpr std::size_t kMaxOperations = 65'534;  // of one interface with its bases; what PerfectHash can place

// What comes out.
inline constexpr std::size_t kMaxGeneratedBytes = 128u << 20;  // of one file

}  // namespace callis::idl
