// SPDX-License-Identifier: Apache-2.0
// Recipe: how a proxy offer makes the constraint for its target (Trading Object Service 1.0, annex C). Text that is
// taken as it stands, but for
//
//   $*         the whole constraint of the query
//   $(Name)    the value of the proxy offer's property, as a literal of the constraint language
#pragma once
#include <services/constraints/value.h>
#include <functional>
#include <string>
#include <string_view>

namespace callis::trading {

inline constexpr std::size_t kMostRecipeBytes = 4'096;
inline constexpr std::size_t kMostMadeBytes = 64u << 10;  // of the constraint that it makes

// Whether it is a recipe; `has` tells whether the offer has a property.
bool is_recipe(std::string_view recipe, const std::function<bool(std::string_view name)>& has);

// The constraint. FALSE where a property has no value that has a literal, and where it would be too long.
std::string follow_recipe(std::string_view recipe, std::string_view constraint,
                          const std::function<constraints::Value(std::string_view name)>& value_of);

}  // namespace callis::trading
