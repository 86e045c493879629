// SPDX-License-Identifier: Apache-2.0
// Audio and video streams (OMG A/V Streams 1.0): a program's devices and stream controllers, and what it brings to
// them. The ORB sets flows up and controls them; frames go beside it. CMake: callis::streams; pkg-config:
// callis-streams. Threads and errors: streams/streams.h, streams/application.h.
#pragma once
#include <services/streams/application.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/streams.h>
#include "CallisStreams.h"
