// SPDX-License-Identifier: Apache-2.0
// omniORB's sslContext over callis's TLS (callis/tls.h). Programs that include this header link callis::tls, too, as
// programs for omniORB link omnisslTP4.
//
//   sslContext::certificate_authority_file = "root.pem";   // before ORB_init()
//   sslContext::key_file = "server.pem";                   // the key and the certificate
//   sslContext::key_file_password = "...";
//
// Each ORB takes the members when it is made; omniORB's options -ORBsslKeyFile ... count more than the members, and
// callis's options -ORBTls... count more than omniORB's. ORB_init() raises INITIALIZE, with words, if a file is
// missing or wrong. Unlike omniORB, a client compares the name in the server's certificate with the host in the
// reference; -ORBTlsExpect gives another name.
#pragma once
#include <callis/base/log.h>
#include <callis/orb/options/added_options.h>
#include <callis/tls.h>
#include <callis/tls/option_list.h>
#if __has_include(<openssl/ssl.h>)
#define crypt callis_openssl_crypt
#include <openssl/ssl.h>
#undef crypt
#else
using SSL = struct ssl_st;
using X509_STORE_CTX = struct x509_store_ctx_st;
#endif

#include <omniORB4/CORBA.h>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

inline namespace callis_compat {

class sslContext {
 public:
  static inline const char* certificate_authority_file = nullptr;  // PEM
  static inline const char* certificate_authority_path = nullptr;  // a folder; used if there is no file
  static inline const char* key_file = nullptr;                    // PEM: the key and the certificate
  static inline const char* key_file_password = nullptr;
  // OpenSSL's numbers: with 0 clients are asked for no certificate, with 1 they may show none, with 3 they must show
  // one. A client verifies its server in any case.
  static inline int verify_mode = 3;
  // callis has checks of its own and calls neither; the log says so.
  static inline int (*verify_callback)(int, X509_STORE_CTX*) = nullptr;
  static inline void (*info_callback)(const SSL* ssl, int where, int result) = nullptr;
  // Means nothing here: callis::Caller tells a servant its client's certificate.
  static inline CORBA::Boolean full_peerdetails = false;

  sslContext() = delete;
};

}  // namespace callis_compat

namespace callis::compat {

// omniORB's options of TLS, as they were given; an empty text was not given.
struct SslOptions {
  std::string authority_file, authority_path, key_file, key_password, verify_mode, accept_timeout;

  static SslOptions& of_this_thread() {
    thread_local SslOptions options;
    return options;
  }
};

inline std::string or_member(const std::string& option, const char* member) {
  return !option.empty() ? option : std::string(member ? member : "");
}

// The passphrase of the ORB that was made last.
class KeptPassphrase {
 public:
  static void set(std::string text) {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
  }
  static std::string get() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  static inline std::mutex mutex_;
  static inline std::string text_;
};

// The words of -ORBsslVerifyMode, "none" or "peer[,fail][,once]", as a verify_mode.
inline int verify_mode_of(std::string_view words) {
  if (words.empty()) return sslContext::verify_mode;
  if (words == "none") return 0;
  return words.find("fail") == words.npos ? 1 : 3;
}

// All options have been read: fills in what callis's options leave open.
inline void take_ssl_context(bool) {
  const SslOptions& given = SslOptions::of_this_thread();
  tls::TlsOptions& to = tls::TlsOptions::of_this_thread();
  if (to.terms.authorities.empty()) {
    to.terms.authorities = or_member(given.authority_file, sslContext::certificate_authority_file);
    if (to.terms.authorities.empty())
      to.terms.authorities = or_member(given.authority_path, sslContext::certificate_authority_path);
  }
  if (to.terms.certificate.empty() && to.terms.key.empty())
    to.terms.certificate = or_member(given.key_file, sslContext::key_file);
  using Clients = transport::TlsTerms::Clients;
  if (to.terms.clients == Clients::Usual && to.terms.verifies()) {
    const int mode = verify_mode_of(given.verify_mode);
    to.terms.clients = (mode & 1) == 0 ? Clients::None : (mode & 2) == 0 ? Clients::Wanted : Clients::Required;
    if ((mode & 1) == 0)
      log(LogLevel::Warning, "sslContext::verify_mode 0: servers ask clients for no certificate, so anybody may "
                             "connect; clients still verify servers");
  }
  if (const long ms = std::atol(given.accept_timeout.c_str()); ms > 0) to.terms.handshake_timeout = Duration(ms);
  KeptPassphrase::set(or_member(given.key_password, sslContext::key_file_password));
  if (!given.key_password.empty())
    log(LogLevel::Warning, "-ORBsslKeyPassword shows the passphrase to everybody who lists processes; "
                           "-ORBTlsKeyPassword names a file with it");
  if (sslContext::verify_callback || sslContext::info_callback)
    log(LogLevel::Error, "sslContext::verify_callback and info_callback are not called: use -ORBTlsExpect and "
                         "-ORBTlsPin for servers, and callis::Caller in a servant for clients");
}

// Called for an encrypted key whose ORB has no -ORBTlsKeyPassword; by any thread if the file has changed.
inline std::string ssl_passphrase(const std::string&) { return KeptPassphrase::get(); }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#define CALLIS_SSL_OPTION(name, member, wants, help)                                                          \
  {                                                                                                           \
    name, orb::OptionKind::Text, offsetof(SslOptions, member), sizeof(SslOptions::member), 0, 0, "", wants, help \
  }
inline constexpr orb::OptionSpec kSslOptions[] = {
    CALLIS_SSL_OPTION("sslCAFile", authority_file, "a file", "omniORB's name of -ORBTlsCA"),
    CALLIS_SSL_OPTION("sslCAPath", authority_path, "a folder", "omniORB's name of -ORBTlsCA"),
    CALLIS_SSL_OPTION("sslKeyFile", key_file, "a file", "omniORB's name of -ORBTlsCertificate"),
    CALLIS_SSL_OPTION("sslKeyPassword", key_password, "a passphrase",
                      "the passphrase itself, where -ORBTlsKeyPassword names a file"),
    CALLIS_SSL_OPTION("sslVerifyMode", verify_mode, "none|peer[,fail][,once]", "omniORB's -ORBTlsClients"),
    CALLIS_SSL_OPTION("sslAcceptTimeOut", accept_timeout, "milliseconds", "omniORB's -ORBTlsHandshakeTimeout"),
};
#undef CALLIS_SSL_OPTION
#pragma GCC diagnostic pop

inline void* ssl_values(bool anew) {
  if (anew) SslOptions::of_this_thread() = {};
  return &SslOptions::of_this_thread();
}

// Lets ORBs know the members and the options; done by including this file.
inline bool use_ssl_context() {
  static const bool used_before = [] {
    static orb::AddedOptions added{kSslOptions, &ssl_values, &take_ssl_context};
    orb::AddedOptions::add(added);
    tls::set_passphrase(&ssl_passphrase);
    return true;
  }();
  return used_before;
}
[[maybe_unused]] static const bool ssl_context_used = use_ssl_context();

}  // namespace callis::compat
