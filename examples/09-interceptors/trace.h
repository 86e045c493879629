// SPDX-License-Identifier: Apache-2.0
// How the trace header lies in a request: a service context with this id, in which a codec puts a string.
#pragma once
#include <callis/corba.h>
#include <callis/interceptors.h>

constexpr IOP::ServiceId kTraceContext = 0x54524143;  // of one's own choice; the OMG gives out those below 1,000

inline IOP::Codec_ptr make_codec(PortableInterceptor::ORBInitInfo_ptr info) {
  IOP::CodecFactory_var factory = info->codec_factory();
  IOP::Encoding encoding;
  encoding.format = IOP::ENCODING_CDR_ENCAPS;
  encoding.major_version = 1;
  encoding.minor_version = 2;
  return factory->create_codec(encoding);
}
