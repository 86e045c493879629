// SPDX-License-Identifier: Apache-2.0
// The functions of callis/tls.h, for sources that must not make their program one with TLS.
#pragma once
#include <string>

namespace callis::orb {
class Core;
}

namespace callis::tls {

struct TlsOptions;

// Gives an ORB these options, before it listens and before it calls. Raises INITIALIZE, and destroys the ORB, if they
// are wrong.
void configure(orb::Core& core, const TlsOptions& options);

bool use();
void reload_on_hangup() noexcept;
void set_passphrase(std::string (*function)(const std::string& file)) noexcept;

}  // namespace callis::tls
