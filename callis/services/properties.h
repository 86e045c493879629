// SPDX-License-Identifier: Apache-2.0
// Properties for an application's own objects (OMG Property Service 1.0): their interface inherits
// CosPropertyService::PropertySet or PropertySetDef, their servant callis::properties::PropertySetServant<POA_X> or
// PropertySetDefServant<POA_X>, which has the operations. CMake: callis::properties; pkg-config: callis-properties.
// Threads and errors: servant.h, set.h.
#pragma once
#include <services/properties/iterators.h>
#include <services/properties/servant.h>
#include <services/properties/set.h>
