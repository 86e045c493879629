// SPDX-License-Identifier: Apache-2.0
// Objects that move between servers while they are called, are copied and removed (OMG Life Cycle Service 1.2):
// their interface inherits CosLifeCycle::LifeCycleObject, their servant
// callis::life_cycle::LifeCycleServant<POA_X>, and they live in a callis::life_cycle::Home. CMake: callis::lifecycle.
// Threads and errors: home.h, mobile.h.
#pragma once
#include <services/lifecycle/broker.h>
#include <services/lifecycle/criteria.h>
#include <services/lifecycle/finder.h>
#include <services/lifecycle/home.h>
#include <services/lifecycle/mobile.h>
#include <services/lifecycle/trust.h>
