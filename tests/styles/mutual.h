// SPDX-License-Identifier: Apache-2.0
// What is behind the headers of IDL files that include one another, in either order.
#include <type_traits>

static_assert(std::is_base_of_v<Styles::Place, Styles::House>);
static_assert(std::is_base_of_v<Styles::Person, Styles::Guest>);
static_assert(sizeof(Styles::Way) > sizeof(Styles::House_var));
static_assert(std::is_abstract_v<POA_Styles::Guest> && std::is_abstract_v<POA_Styles::House>);
#ifdef STYLES_ACROSS
static_assert(std::is_base_of_v<POA_Styles::Person, POA_Styles::Hotel>);
static_assert(std::is_base_of_v<POA_Styles::Place, POA_Styles::Resident>);
#endif
