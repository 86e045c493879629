// SPDX-License-Identifier: Apache-2.0
// The options of TLS, which programs that include callis/tls.h have.
#pragma once
#include <callis/orb/options/option_list.h>
#include <callis/transport/tls/terms.h>

namespace callis::tls {

// The calls of an ORB. Offered: calls use TLS if the reference offers it. Required: calls over TCP use nothing else.
// Never: they do not use TLS.
enum class Calls : std::uint8_t { Offered, Required, Never };

struct TlsOptions {
  transport::TlsTerms terms;
  Calls calls = Calls::Offered;

  friend bool operator==(const TlsOptions&, const TlsOptions&) = default;
  // Returns the options of the command line by which the calling thread makes an ORB.
  static TlsOptions& of_this_thread();
};

// The options of ORBs that are told nothing else: none, unless a program with a site's folder has set some before its
// first ORB.
const TlsOptions& defaults_of_orbs();
void set_defaults_of_orbs(const TlsOptions& options);

namespace option_list {

using orb::OptionKind;
using orb::OptionSpec;
// TlsOptions is no standard-layout type for some compilers' taste; its members' places are what they are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#define CALLIS_OPTION_FIELD(member) offsetof(TlsOptions, member), sizeof(static_cast<TlsOptions*>(nullptr)->member)

inline constexpr OptionSpec kOptionList[] = {
    {"TlsCertificate", OptionKind::Text, CALLIS_OPTION_FIELD(terms.certificate), 0, 0, "", "a file",
     "the certificate by which this ORB shows who it is, PEM with intermediate ones behind it, or PKCS#12 (.p12); it "
     "is read again when it changes, as all files of TLS are"},
    {"TlsKey", OptionKind::Text, CALLIS_OPTION_FIELD(terms.key), 0, 0, "", "a file",
     "the private key of the certificate, PEM; without it the certificate's own file has the key"},
    {"TlsKeyPassword", OptionKind::Text, CALLIS_OPTION_FIELD(terms.key_password), 0, 0, "", "a file",
     "a file whose first line is the passphrase of the key"},
    {"TlsCA", OptionKind::Text, CALLIS_OPTION_FIELD(terms.authorities), 0, 0, "", "a file, a folder, or system",
     "certificates of the authorities that are trusted, PEM: a file, all files of a folder, or those of the system"},
    {"TlsRevoked", OptionKind::Text, CALLIS_OPTION_FIELD(terms.revoked), 0, 0, "", "a file",
     "revocation lists, PEM: one of each authority that signs peers' certificates"},
    {"TlsPin", OptionKind::Text, CALLIS_OPTION_FIELD(terms.pins), 0, 0, "", "SHA-256 of keys, with commas between",
     "the only public keys that peers may have, in hexadecimal digits; without -ORBTlsCA they are enough, and no "
     "name is compared"},
    {"TlsExpect", OptionKind::Text, CALLIS_OPTION_FIELD(terms.expect), 0, 0, "", "a name",
     "the name that certificates of all servers must have, in place of the host that a reference names"},
    {"TlsClients", OptionKind::Choice, CALLIS_OPTION_FIELD(terms.clients), 0, 0, "", "usual|none|wanted|required",
     "whether clients must show a certificate: usual is required with -ORBTlsCA or -ORBTlsPin, otherwise none; a "
     "certificate that is shown must be good in any case"},
    {"TlsVersion", OptionKind::Choice, CALLIS_OPTION_FIELD(terms.oldest), 0, 0, "", "1.2|1.3",
     "the oldest version of TLS that is spoken; 1.3 is the newest"},
    {"TlsCalls", OptionKind::Choice, CALLIS_OPTION_FIELD(calls), 0, 0, "", "offered|required|never",
     "whether calls use TLS: where references offer it, and then never TCP alone; required: servers that do not "
     "offer it are not called over TCP; never"},
    {"TlsHandshakeTimeout", OptionKind::Number, CALLIS_OPTION_FIELD(terms.handshake_timeout), 1, 3'600'000,
     "milliseconds", "", "a client's handshake is over this long after its connection was accepted"},
    {"TlsMaxHandshakes", OptionKind::Number, CALLIS_OPTION_FIELD(terms.max_handshakes), 1, 65'536, "", "",
     "handshakes that are under way at one endpoint; beyond it, the peer with most of them loses its oldest"},
};
#undef CALLIS_OPTION_FIELD
#pragma GCC diagnostic pop

}  // namespace option_list

using option_list::kOptionList;

}  // namespace callis::tls
