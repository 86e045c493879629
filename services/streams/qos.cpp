// SPDX-License-Identifier: Apache-2.0
#include <services/streams/qos.h>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace callis::streams {

std::optional<double> number_in(const CORBA::Any& value) {
  CORBA::Short s;
  CORBA::UShort us;
  CORBA::Long l;
  CORBA::ULong ul;
  CORBA::LongLong ll;
  CORBA::ULongLong ull;
  CORBA::Float f;
  CORBA::Double d;
  if (value >>= s) return s;
  if (value >>= us) return us;
  if (value >>= l) return l;
  if (value >>= ul) return ul;
  if (value >>= ll) return static_cast<double>(ll);
  if (value >>= ull) return static_cast<double>(ull);
  if (value >>= f) return static_cast<double>(f);
  if (value >>= d) return d;
  return std::nullopt;
}

QosValues agree(const FlowOffer& offer, const CosPropertyService::Properties& asked, bool& met) {
  QosValues out;
  for (CORBA::ULong i = 0; i < asked.length(); ++i) {
    const std::string name = asked[i].property_name.in();
    const auto range =
        std::find_if(offer.qos.begin(), offer.qos.end(), [&](const auto& q) { return q.name == name; });
    if (range == offer.qos.end()) {
      throw AVStreams::QoSRequestFailed(
          ("the flow " + offer.name + " has no QoS parameter " + name.substr(0, 64)).c_str());
    }
    const std::optional<double> value = number_in(asked[i].property_value);
    if (!value || !std::isfinite(*value)) {
      throw AVStreams::QoSRequestFailed(("the QoS parameter " + name + " is no number").c_str());
    }
    const double agreed = std::clamp(*value, range->least, range->most);
    if (agreed != *value) met = false;
    out[name] = agreed;
  }
  return out;
}

void put_values(const QosValues& values, CosPropertyService::Properties& into) {
  for (CORBA::ULong i = 0; i < into.length(); ++i) {
    const auto found = values.find(into[i].property_name.in());
    if (found == values.end()) continue;
    CORBA::Any& any = into[i].property_value;
    const double value = found->second;
    const CORBA::TypeCode_var type = any.type();
    switch (type->kind()) {
      case CORBA::tk_short: any <<= static_cast<CORBA::Short>(value); break;
      case CORBA::tk_ushort: any <<= static_cast<CORBA::UShort>(value); break;
      case CORBA::tk_long: any <<= static_cast<CORBA::Long>(value); break;
      case CORBA::tk_ulong: any <<= static_cast<CORBA::ULong>(value); break;
      case CORBA::tk_longlong: any <<= static_cast<CORBA::LongLong>(value); break;
      case CORBA::tk_ulonglong: any <<= static_cast<CORBA::ULongLong>(value); break;
      case CORBA::tk_float: any <<= static_cast<CORBA::Float>(value); break;
      default: any <<= value;
    }
  }
}

AVStreams::QoS* find_qos(AVStreams::streamQoS& qos, const std::string& flow) {
  for (CORBA::ULong i = 0; i < qos.length(); ++i) {
    const std::string type = qos[i].QoSType.in();
    if (type == flow || type == flow + "_QoS") return &qos[i];
  }
  return nullptr;
}

}  // namespace callis::streams
