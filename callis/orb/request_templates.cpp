// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/request_templates.h>

namespace callis::orb {

const giop::Started* RequestTemplates::put_other(const Kind& kind, Buffer& request) {
  for (std::size_t i = 0; i < kCount; ++i) {
    Template& t = all_[i];
    if (!(t.kind == kind)) continue;
    request.clear();
    front_ = kNone;
    if (!request.append(t.bytes.view())) return nullptr;
    front_ = i;
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
  front_ = oldest_;
  oldest_ = (oldest_ + 1) % kCount;
}

}  // namespace callis::orb
