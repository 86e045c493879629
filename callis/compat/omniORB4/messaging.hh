// SPDX-License-Identifier: Apache-2.0
// For programs that include omniORB's header of Messaging.
#pragma once
#include <omniORB4/CORBA.h>
