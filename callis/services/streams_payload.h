// SPDX-License-Identifier: Apache-2.0
// Media in RTP: H.264 (RFC 6184) and Opus (RFC 7587), and the files Annex B and Ogg. Of the same library as
// <callis/services/streams.h>; it needs no ORB.
#pragma once
#include <services/streams/payload/h264.h>
#include <services/streams/payload/opus.h>
