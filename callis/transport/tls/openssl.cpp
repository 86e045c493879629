// SPDX-License-Identifier: Apache-2.0
// OpenSSL's objects read, and its errors as sentences that say what to do.
#include <callis/base/text.h>
#include <callis/transport/tls/openssl.h>
#include <arpa/inet.h>
#include <openssl/evp.h>
#include <algorithm>
#include <cctype>
#include <cstring>

namespace callis::transport {

namespace tls {
namespace {

std::string hex(const unsigned char* bytes, std::size_t n) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < n; ++i) {
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 15];
  }
  return out;
}

std::string text_in(BIO* bio) {
  char* data = nullptr;
  const long n = BIO_get_mem_data(bio, &data);
  return n > 0 ? std::string(data, static_cast<std::size_t>(n)) : std::string();
}

std::string string_of(const ASN1_STRING* s) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(s)), static_cast<std::size_t>(ASN1_STRING_length(s))};
}

std::string address_text(const ASN1_OCTET_STRING* a) {
  char text[INET6_ADDRSTRLEN] = "";
  const int n = ASN1_STRING_length(a);
  if (n == 4 || n == 16)
    (void)::inet_ntop(n == 4 ? AF_INET : AF_INET6, ASN1_STRING_get0_data(a), text, sizeof text);
  return text;
}

std::vector<std::string> alternative_names(X509* certificate) {
  std::vector<std::string> out;
  auto* const all =
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(all); ++i) {
    const GENERAL_NAME* const n = sk_GENERAL_NAME_value(all, i);
    switch (n->type) {
      case GEN_DNS: out.push_back("dns:" + string_of(n->d.dNSName)); break;
      case GEN_URI: out.push_back("uri:" + string_of(n->d.uniformResourceIdentifier)); break;
      case GEN_EMAIL: out.push_back("email:" + string_of(n->d.rfc822Name)); break;
      case GEN_IPADD: out.push_back("ip:" + address_text(n->d.iPAddress)); break;
      default: break;
    }
  }
  GENERAL_NAMES_free(all);
  return out;
}

std::string common_name(const X509_NAME* name) {
  const int at = X509_NAME_get_index_by_NID(name, NID_commonName, -1);
  if (at < 0) return {};
  unsigned char* text = nullptr;
  const int n = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));
  std::string out = n > 0 ? std::string(reinterpret_cast<char*>(text), static_cast<std::size_t>(n)) : std::string();
  OPENSSL_free(text);
  return out;
}

// "dns:a.example, ip:10.0.0.1", or the subject's common name; not too many.
std::string names_text(const Certificate& c) {
  constexpr std::size_t kMost = 6;
  std::string out;
  for (std::size_t i = 0; i < std::min(c.names.size(), kMost); ++i) out += concat({i == 0 ? "" : ", ", c.names[i]});
  if (c.names.size() > kMost) out += ", ...";
  return !out.empty() ? out : c.common_name.empty() ? "nobody" : "CN=" + c.common_name;
}

struct Alert {
  int reason;
  bool denied;
  const char* words;
};
// The peer's alerts, as the other side of the connection reads them.
constexpr Alert kAlerts[] = {
    {SSL_R_TLSV1_ALERT_UNKNOWN_CA, true,
     "the peer does not trust the authority of the certificate that was sent; the peer's authorities (-ORBTlsCA) "
     "must include the one that signed -ORBTlsCertificate"},
    {SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, true,
     "the peer refused the certificate that was sent; it must be signed by an authority that the peer trusts, and be "
     "for this name and purpose"},
    {SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE, true,
     "the peer refused the kind of certificate that was sent; its extended key usage may be for the other side only"},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, true,
     "the peer refused the certificate that was sent; its log says why"},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, true,
     "the peer says that the certificate that was sent has expired; renew the certificate, or compare the clocks"},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, true,
     "the peer says that the certificate that was sent has been revoked; a new one is needed"},
    {SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, true,
     "the server wants a client's certificate, and none was sent; give one by -ORBTlsCertificate and -ORBTlsKey"},
    {SSL_R_TLSV1_ALERT_ACCESS_DENIED, true, "the peer does not let the sender of this certificate in"},
    {SSL_R_TLSV1_ALERT_DECRYPT_ERROR, true,
     "the peer could not verify a signature; the key and the certificate may not belong together"},
    {SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, false,
     "the peer ended the handshake: it shares no cipher or version with this side, or it wants a client's "
     "certificate (-ORBTlsCertificate)"},
    {SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, false,
     "the peer speaks none of the versions offered; -ORBTlsVersion and the peer's settings must have one in common"},
    {SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY, false, "the peer wants stronger ciphers than this side has"},
    {SSL_R_TLSV1_UNRECOGNIZED_NAME, true, "the server does not know the name by which it was asked for"},
};
// Findings of this side.
constexpr Alert kFindings[] = {
    {SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE, true,
     "the client sent no certificate, and -ORBTlsClients wants one; give it one by -ORBTlsCertificate and "
     "-ORBTlsKey"},
    {SSL_R_UNSUPPORTED_PROTOCOL, false,
     "the peer offers no version of TLS that is spoken here; TLS 1.2 and 1.3 are, as -ORBTlsVersion says"},
    {SSL_R_NO_SHARED_CIPHER, false,
     "no cipher is shared with the peer; the certificate's kind of key may be one that the peer does not know"},
    {SSL_R_NO_PROTOCOLS_AVAILABLE, false, "the settings of OpenSSL forbid every version of TLS that is spoken here"},
    {SSL_R_NO_RENEGOTIATION, false, "the peer wants to renegotiate, which is off"},
    {SSL_R_UNEXPECTED_EOF_WHILE_READING, false, "the peer closed the connection without a farewell"},
    {SSL_R_BAD_SIGNATURE, true, "the peer's signature does not fit its certificate"},
    {SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC, false, "bytes were changed on their way, or are no TLS"},
};

}  // namespace

void prepare_openssl() noexcept {
  static const int prepared = OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_LOAD_CONFIG, nullptr);
  (void)prepared;
}

std::string last_reason() {
  const unsigned long error = ERR_peek_last_error();
  const char* const reason = error != 0 ? ERR_reason_error_string(error) : nullptr;
  std::string out = reason       ? reason
                    : error == 0 ? "no reason is given"
                    : ERR_SYSTEM_ERROR(error) ? std::strerror(ERR_GET_REASON(error))
                                              : concat({"error ", Decimal(error)});
  ERR_clear_error();
  return out;
}

std::string text_of(const X509_NAME* name) {
  const BioPtr bio(BIO_new(BIO_s_mem()));
  if (!bio || !name || X509_NAME_print_ex(bio.get(), name, 0, XN_FLAG_RFC2253) < 0) return "(unreadable)";
  std::string out = text_in(bio.get());
  return out.empty() ? "(nobody)" : out;
}

std::string text_of(const ASN1_TIME* time) {
  const BioPtr bio(BIO_new(BIO_s_mem()));
  if (!bio || !time || ASN1_TIME_print(bio.get(), time) != 1) return "(unreadable)";
  return text_in(bio.get());
}

std::string key_digest(X509* certificate) {
  unsigned char* der = nullptr;
  const int n = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
  if (n <= 0) return {};
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  const int done = EVP_Digest(der, static_cast<std::size_t>(n), digest, &size, EVP_sha256(), nullptr);
  OPENSSL_free(der);
  return done == 1 ? hex(digest, size) : std::string();
}

Certificate read_certificate(X509* certificate) {
  Certificate out;
  const X509_NAME* const subject = X509_get_subject_name(certificate);
  out.subject = text_of(subject);
  out.common_name = common_name(subject);
  out.names = alternative_names(certificate);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (X509_digest(certificate, EVP_sha256(), digest, &size) == 1) out.fingerprint = hex(digest, size);
  out.key = key_digest(certificate);
  return out;
}

std::string verification_words(int error, X509* certificate, const std::string& expected, bool of_server) {
  const char* const whose = of_server ? "the server's certificate" : "the client's certificate";
  if (!certificate) return concat({whose, " cannot be verified: ", X509_verify_cert_error_string(error)});
  const std::string name = text_of(X509_get_subject_name(certificate));
  const std::string of = concat({whose, " (", name, ")"});
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return concat({of, " expired on ", text_of(X509_get0_notAfter(certificate)),
                     "; its owner must renew it, unless this machine's clock is wrong"});
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return concat({of, " is valid from ", text_of(X509_get0_notBefore(certificate)),
                     " on; this machine's clock may be wrong"});
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return concat({of, " is for ", names_text(read_certificate(certificate)), ", and not for ", expected,
                     ", which the reference names; let the server -ORBPublish a name of its certificate, or let the "
                     "client say -ORBTlsExpect with one of these names"});
    case X509_V_ERR_CERT_REVOKED: return concat({of, " has been revoked; its owner needs a new one"});
    case X509_V_ERR_UNABLE_TO_GET_CRL:
      return concat({"no revocation list of ", text_of(X509_get_issuer_name(certificate)),
                     " is in -ORBTlsRevoked, so ", of, " cannot be verified"});
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return concat({"the revocation list of ", text_of(X509_get_issuer_name(certificate)),
                     " in -ORBTlsRevoked is out of date; fetch the newest one"});
    case X509_V_ERR_INVALID_PURPOSE:
      return concat({of, " is not for ", of_server ? "servers" : "clients", "; its extended key usage must have ",
                     of_server ? "serverAuth" : "clientAuth"});
    case X509_V_ERR_EE_KEY_TOO_SMALL:
    case X509_V_ERR_CA_KEY_TOO_SMALL: return concat({of, " has a key that is too short; RSA needs 2048 bits"});
    case X509_V_ERR_CA_MD_TOO_WEAK: return concat({of, " is signed with a digest that is too weak; SHA-256 is good"});
    case X509_V_ERR_APPLICATION_VERIFICATION:
      return concat({of, " has the key ", key_digest(certificate), ", which is none of -ORBTlsPin"});
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return concat({of, " is signed by ", text_of(X509_get_issuer_name(certificate)),
                     ", which is none of the authorities in -ORBTlsCA; add that authority's certificate if it is to "
                     "be trusted"});
    default: return concat({of, " cannot be verified: ", X509_verify_cert_error_string(error)});
  }
}

Failure failure_words(unsigned long error, bool is_server) {
  const int reason = ERR_GET_REASON(error);
  if (ERR_GET_LIB(error) == ERR_LIB_SSL) {
    for (const Alert& a : kAlerts)
      if (a.reason == reason) return {a.words, a.denied};
    for (const Alert& a : kFindings)
      if (a.reason == reason) return {a.words, a.denied};
  }
  const char* const words = ERR_reason_error_string(error);
  return {concat({"OpenSSL, ", is_server ? "serving" : "connecting", ", says: ", words ? words : "no reason"}),
          false};
}

}  // namespace tls

bool Certificate::is_for(const std::string& host) const {
  const auto same = [](std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
  };
  const std::size_t dot = host.find('.');
  for (const std::string& n : names) {
    if (n.starts_with("ip:") && std::string_view(n).substr(3) == host) return true;
    if (!n.starts_with("dns:")) continue;
    const std::string_view name = std::string_view(n).substr(4);
    if (same(name, host)) return true;
    if (name.starts_with("*.") && dot != host.npos && same(name.substr(1), std::string_view(host).substr(dot)))
      return true;
  }
  return false;
}

}  // namespace callis::transport
