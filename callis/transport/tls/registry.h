// SPDX-License-Identifier: Apache-2.0
// The certificates of the peers of open connections, by the number of the stream (Peer::stream), for
// certificate_of(). Private to the transport tls. Any thread may call.
#pragma once
#include <callis/transport/certificate.h>
#include <cstdint>

namespace callis::transport::tls {

// certificate: nullptr if the peer has shown none. Throws std::bad_alloc.
void enter_peer(std::uint64_t stream, std::shared_ptr<const Certificate> certificate);
void forget_peer(std::uint64_t stream) noexcept;

}  // namespace callis::transport::tls
