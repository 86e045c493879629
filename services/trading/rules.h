// SPDX-License-Identifier: Apache-2.0
// Rules: what a service type asks of the properties of an offer (Trading Object Service 1.0, Register).
#pragma once
#include <services/trading/types.h>
#include <optional>
#include "CosTradingDynamic.h"

namespace callis::trading {

inline constexpr std::size_t kMostPropertiesOfOffer = 500;

// Of an offer that is exported. Throws IllegalPropertyName, DuplicatePropertyName, PropertyTypeMismatch,
// ReadonlyDynamicProperty, MissingMandatoryProperty; IMP_LIMIT for too many. Properties that the type does not have
// may be there, with values of any type.
void check_export(const ServiceType& type, const CosTrading::PropertySeq& properties, bool dynamic_allowed);

// The properties of an offer after a modification: to_delete go, those of to_put come or change. Throws
// UnknownPropertyName, MandatoryProperty, ReadonlyProperty, and as check_export() does. type is nullptr if the
// repository has the type no more.
CosTrading::PropertySeq modified(const ServiceType* type, const std::string& type_name,
                                 const CosTrading::PropertySeq& has, const CosTrading::PropertyNameSeq& to_delete,
                                 const CosTrading::PropertySeq& to_put, bool dynamic_allowed);

// The value where it is dynamic, in `out`; false: it is none.
bool is_dynamic(const CORBA::Any& value, const CosTradingDynamic::DynamicProp*& out);

}  // namespace callis::trading
