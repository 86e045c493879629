// SPDX-License-Identifier: Apache-2.0
// omniORB's names of minor codes are omniORB's alone: callis's minor codes, and the OMG's, stand in
// docs/guide/minor-codes.md, and each exception says in what() what has gone wrong.
#pragma once
#include <omniORB4/CORBA.h>
