// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <callis/ior/ior.h>
#include <callis/orb/client/reference.h>
#include <services/naming/federation.h>

namespace callis::naming {

CosNaming::Name to_name(Path name, std::size_t at) {
  CosNaming::Name out;
  out.length(static_cast<CORBA::ULong>(name.size() - at));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].id = std::string(name[at + i].id).c_str();
    out[i].kind = std::string(name[at + i].kind).c_str();
  }
  return out;
}

// All servers of protocols that are not known here are one.
std::string Federation::server_of(CORBA::Object_ptr object) {
  if (!object || !object->_callis_reference()) return {};
  for (const ior::TaggedProfile& p : object->_callis_reference()->ior().profiles) {
    if (p.tag == ior::kInternetProfile) {
      if (const auto iiop = ior::parse_iiop(p.data))
        return concat({iiop.value().address.host, ":", Decimal(iiop.value().address.port)});
    } else if (p.tag == ior::kUiopProfile) {
      if (const auto uiop = ior::parse_uiop(p.data)) return uiop.value().address.host;
    }
  }
  return {};
}

CosNaming::NamingContext_var Federation::limited(CosNaming::NamingContext_ptr context,
                                                 const services::OperationTime& time) {
  return deadline(context, time.left());
}

Federation::Turn::Turn(Federation& federation, std::string server, const services::OperationTime& time,
                       services::MemoryBound::Hold client)
    : federation_(federation), server_(std::move(server)), client_(std::move(client)) {
  std::unique_lock lock(federation_.mutex_);
  const auto wait = std::min<services::OperationTime::Clock::duration>(kWait, time.left());
  mine_ = federation_.ended_.wait_for(lock, wait, [this] { return is_free(); });
  if (!mine_) return;
  ++federation_.all_;
  ++federation_.to_[server_];
  if (const void* const who = client_.client()) ++federation_.for_[who];
}

Federation::Turn::~Turn() {
  if (!mine_) return;
  const auto drop = [](auto& from, const auto& key) {
    const auto found = from.find(key);
    if (--found->second == 0) from.erase(found);
  };
  const std::lock_guard lock(federation_.mutex_);
  --federation_.all_;
  drop(federation_.to_, server_);
  if (const void* const who = client_.client()) drop(federation_.for_, who);
  federation_.ended_.notify_all();
}

bool Federation::Turn::is_free() const {
  const auto below = [](const auto& in, const auto& key, std::size_t most) {
    const auto found = in.find(key);
    return found == in.end() || found->second < most;
  };
  return federation_.all_ < kMostAtOnce && below(federation_.to_, server_, kMostToOne) &&
         below(federation_.for_, client_.client(), kMostForOne);
}

}  // namespace callis::naming
