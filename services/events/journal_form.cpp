// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/context/orb_context.h>
#include <callis/typecode/coder.h>
#include <services/events/journal_form.h>

namespace callis::events {

Buffer journal_form(const CORBA::Any& event) {
  Buffer out;
  cdr::Encoder encoder(out);
  encoder.put_octet(static_cast<Byte>(kNativeOrder));
  typecode::put_any(encoder, event);
  encoder.finish();
  if (encoder.fault() != Fault::None)
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "an event that cannot be kept: its value is bad");
  return out;
}

bool read_journal_form(orb::OrbContext& orb, ByteView bytes, CORBA::Any& event) {
  if (bytes.empty() || static_cast<unsigned>(bytes[0]) > 1) return false;
  cdr::Budget budget = cdr::Budget::of(orb.limits(), bytes.size());
  cdr::Decoder decoder(bytes, static_cast<ByteOrder>(bytes[0]), budget);
  decoder.set_context(orb.source(orb::MessageSource::From::Kept));
  (void)decoder.get_octet();
  typecode::get_any(decoder, event);
  return decoder.ok();
}

}  // namespace callis::events
