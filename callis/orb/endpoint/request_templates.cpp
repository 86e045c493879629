// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/endpoint/request_templates.h>

namespace callis::orb {

const giop::Started* RequestTemplates::put_other(const Kind& kind, Buffer& request) {
  if (!kind.operation) return nullptr;
  for (const Template& t : all_) {
    if (!(t.kind == kind)) continue;
    request.clear();
    front_changes();
    if (!request.append(t.bytes.view())) return nullptr;
    front_ = &t;
    target_ = t.kind.target;
    key_ = t.kind.key.data();
    set_key(kind, request);
    return &t.started;
  }
  return nullptr;
}

void RequestTemplates::keep(const Kind& kind, const giop::Started& started, const Buffer& request) {
  if (request.size() > kMaxBytes) return;
  Template& t = all_[oldest_];
  t.kind = {};
  t.bytes.clear();
  if (!t.bytes.append(request.view())) return;
  t.kind = kind;
  t.started = started;
  front_ = &t;
  target_ = kind.target;
  key_ = kind.key.data();
  oldest_ = (oldest_ + 1) % kCount;
}

}  // namespace callis::orb
