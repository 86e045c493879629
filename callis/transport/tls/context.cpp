// SPDX-License-Identifier: Apache-2.0
// Certificates, keys, authorities and revocation lists, from files. Verification of peers.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/transport/tls/context.h>
#include <callis/transport/tls/material.h>
#include <dirent.h>
#include <openssl/pkcs12.h>
#include <sys/stat.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace callis::transport {

namespace {

constinit std::atomic<PassphraseFunction> passphrase_function{nullptr};

}  // namespace

void set_passphrase_function(PassphraseFunction function) noexcept { passphrase_function.store(function); }

namespace tls {
namespace {

constexpr std::size_t kMostSessions = 256;
constexpr int kMostNamedAuthorities = 32;  // in requests for clients' certificates
constexpr int kMostDepth = 8;              // of a chain
constexpr char kCiphersOfTls12[] = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:!aNULL:!PSK:!SRP";
constexpr unsigned char kSessionContext[] = "callis";

int verification_place() {
  static const int place = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return place;
}
int keeper_place() {
  static const int place = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return place;
}
int material_place() {
  static const int place = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return place;
}

bool is_over(X509* certificate, int& error) {
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) error = X509_V_ERR_CERT_NOT_YET_VALID;
  else if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0) error = X509_V_ERR_CERT_HAS_EXPIRED;
  else return false;
  return true;
}

// Called by OpenSSL with the peer's chain. A key that is pinned needs no authority if none is given.
int verify(X509_STORE_CTX* store, void*) {
  auto* const ssl =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* const verification = static_cast<Verification*>(SSL_get_ex_data(ssl, verification_place()));
  const auto& material = *static_cast<Material*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), material_place()));
  X509* const leaf = X509_STORE_CTX_get0_cert(store);
  int error = X509_V_OK;
  X509* culprit = leaf;
  if (!leaf) {
    error = X509_V_ERR_UNSPECIFIED;
  } else if (!material.pins.empty() && std::ranges::find(material.pins, key_digest(leaf)) == material.pins.end()) {
    error = X509_V_ERR_APPLICATION_VERIFICATION;
  } else if (!material.has_authorities) {
    (void)is_over(leaf, error);
  } else if (X509_verify_cert(store) <= 0) {
    error = X509_STORE_CTX_get_error(store);
    if (error == X509_V_OK) error = X509_V_ERR_UNSPECIFIED;
    X509* const at = X509_STORE_CTX_get_current_cert(store);
    if (at && error != X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN) culprit = at;
  }
  X509_STORE_CTX_set_error(store, error);
  if (error == X509_V_OK) return 1;
  if (verification && verification->words.empty())
    verification->words = verification_words(error, culprit, verification->expected, verification->of_server);
  return 0;
}

int keep_session(SSL* ssl, SSL_SESSION* session) {
  auto* const keeper = static_cast<SessionKeeper*>(SSL_get_ex_data(ssl, keeper_place()));
  if (!keeper || !keeper->material) return 0;
  keeper->came = true;
  keeper->material->keep_session(keeper->server, SessionPtr(session));
  return 1;
}

// Called on a server for each handshake, and on a client when the server asks for its certificate.
int note_request(SSL* ssl, void*) {
  if (auto* const keeper = static_cast<SessionKeeper*>(SSL_get_ex_data(ssl, keeper_place()))) keeper->asked = true;
  return 1;
}

Error wrong(std::string_view option, std::string_view file, std::string_view why) {
  return {Fault::BadText, 0, concat({option, " ", file, ": ", why})};
}

// "no such file or directory", or OpenSSL's words.
std::string why_not(const std::string& file, std::string_view wanted) {
  if (std::FILE* const f = std::fopen(file.c_str(), "re")) {
    std::fclose(f);
    return concat({wanted, " (", last_reason(), ")"});
  }
  const int e = errno;
  ERR_clear_error();
  return std::strerror(e);
}

struct Passphrase {
  const TlsTerms& terms;
  const std::string& file;

  std::string get() const {
    if (!terms.key_password.empty()) {
      const BioPtr in(BIO_new_file(terms.key_password.c_str(), "r"));
      char line[1024];
      const int n = in ? BIO_gets(in.get(), line, sizeof line) : 0;
      std::string out(line, n > 0 ? static_cast<std::size_t>(n) : 0);
      OPENSSL_cleanse(line, sizeof line);
      while (!out.empty() && (out.back() == '\n' || out.back() == '\r')) out.pop_back();
      return out;
    }
    const PassphraseFunction function = passphrase_function.load();
    return function ? function(file) : std::string();
  }
};

int give_passphrase(char* into, int size, int, void* of) {
  std::string text = static_cast<const Passphrase*>(of)->get();
  const bool fits = !text.empty() && text.size() <= static_cast<std::size_t>(size);
  const int n = fits ? static_cast<int>(text.size()) : -1;
  if (fits) std::memcpy(into, text.data(), text.size());
  OPENSSL_cleanse(text.data(), text.size());
  return n;
}

void warn_of_readable_key(const std::string& file) {
  struct stat s;
  if (::stat(file.c_str(), &s) == 0 && (s.st_mode & 0007) != 0)
    log(LogLevel::Warning, {"TLS: everybody on this machine may read or change the key in ", file, "; chmod 600 it"});
}

bool is_pkcs12(const std::string& file) { return file.ends_with(".p12") || file.ends_with(".pfx"); }

Result<void> load_pkcs12(SSL_CTX* to, const TlsTerms& terms) {
  const std::string& file = terms.certificate;
  const BioPtr in(BIO_new_file(file.c_str(), "rb"));
  PKCS12* const bundle = in ? d2i_PKCS12_bio(in.get(), nullptr) : nullptr;
  if (!bundle) return wrong("-ORBTlsCertificate", file, why_not(file, "no PKCS#12 file"));
  std::string passphrase = Passphrase{terms, file}.get();
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;
  STACK_OF(X509)* chain = nullptr;
  const bool opened = PKCS12_parse(bundle, passphrase.c_str(), &key, &certificate, &chain) == 1;
  OPENSSL_cleanse(passphrase.data(), passphrase.size());
  PKCS12_free(bundle);
  const KeyPtr own_key(key);
  const X509Ptr own(certificate);
  const bool used = opened && key && certificate && SSL_CTX_use_cert_and_key(to, certificate, key, chain, 1) == 1;
  sk_X509_pop_free(chain, X509_free);
  if (!used)
    return wrong("-ORBTlsCertificate", file,
                 concat({"cannot be opened; -ORBTlsKeyPassword names the file with its passphrase (", last_reason(),
                         ")"}));
  warn_of_readable_key(file);
  return {};
}

Result<void> load_own(SSL_CTX* to, const TlsTerms& terms) {
  if (!terms.has_certificate()) {
    if (!terms.key.empty()) return wrong("-ORBTlsKey", terms.key, "-ORBTlsCertificate is missing");
    return {};
  }
  if (is_pkcs12(terms.certificate)) return load_pkcs12(to, terms);
  if (SSL_CTX_use_certificate_chain_file(to, terms.certificate.c_str()) != 1)
    return wrong("-ORBTlsCertificate", terms.certificate,
                 why_not(terms.certificate, "no certificate in PEM form that can be used"));
  const bool apart = !terms.key.empty();
  const std::string& file = apart ? terms.key : terms.certificate;
  const char* const option = apart ? "-ORBTlsKey" : "-ORBTlsCertificate";
  Passphrase passphrase{terms, file};
  SSL_CTX_set_default_passwd_cb(to, &give_passphrase);
  SSL_CTX_set_default_passwd_cb_userdata(to, &passphrase);
  const bool read = SSL_CTX_use_PrivateKey_file(to, file.c_str(), SSL_FILETYPE_PEM) == 1;
  SSL_CTX_set_default_passwd_cb(to, nullptr);
  SSL_CTX_set_default_passwd_cb_userdata(to, nullptr);
  if (!read) {
    const unsigned long e = ERR_peek_last_error();
    if (ERR_GET_LIB(e) == ERR_LIB_X509 && ERR_GET_REASON(e) == X509_R_KEY_VALUES_MISMATCH)
      return wrong(option, file, concat({"the key does not belong to the certificate ", terms.certificate}));
    return wrong(option, file,
                 why_not(file, "no private key in PEM form that can be read; -ORBTlsKeyPassword names the file with "
                               "the passphrase of an encrypted one"));
  }
  if (SSL_CTX_check_private_key(to) != 1)
    return wrong(option, file, concat({"the key does not belong to the certificate ", terms.certificate}));
  warn_of_readable_key(file);
  return {};
}

// Adds the certificates of a file; their number.
int add_authorities(SSL_CTX* to, const std::string& file) {
  const BioPtr in(BIO_new_file(file.c_str(), "r"));
  if (!in) return 0;
  X509_STORE* const store = SSL_CTX_get_cert_store(to);
  int n = 0;
  while (const X509Ptr one{PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr)}) {
    if (X509_STORE_add_cert(store, one.get()) != 1) continue;
    if (n++ < kMostNamedAuthorities) (void)SSL_CTX_add_client_CA(to, one.get());
  }
  ERR_clear_error();  // the end of the file
  return n;
}

Result<void> load_authorities(SSL_CTX* to, const TlsTerms& terms) {
  const std::string& path = terms.authorities;
  if (path.empty()) return {};
  if (path == "system") {
    if (SSL_CTX_set_default_verify_paths(to) == 1) return {};
    return wrong("-ORBTlsCA", path, last_reason());
  }
  struct stat s;
  if (::stat(path.c_str(), &s) != 0) return wrong("-ORBTlsCA", path, std::strerror(errno));
  int n = 0;
  if (!S_ISDIR(s.st_mode)) {
    n = add_authorities(to, path);
  } else if (DIR* const folder = ::opendir(path.c_str())) {
    while (const dirent* const entry = ::readdir(folder))
      if (entry->d_name[0] != '.') n += add_authorities(to, concat({path, "/", entry->d_name}));
    ::closedir(folder);
  }
  if (n != 0) return {};
  return wrong("-ORBTlsCA", path, S_ISDIR(s.st_mode) ? "no file in this folder has certificates in PEM form"
                                                     : "no certificate in PEM form");
}

Result<void> load_revoked(SSL_CTX* to, const TlsTerms& terms) {
  if (terms.revoked.empty()) return {};
  if (terms.authorities.empty())
    return wrong("-ORBTlsRevoked", terms.revoked, "-ORBTlsCA is missing, whose certificates are revoked");
  const BioPtr in(BIO_new_file(terms.revoked.c_str(), "r"));
  int n = 0;
  if (in)
    while (const CrlPtr one{PEM_read_bio_X509_CRL(in.get(), nullptr, nullptr, nullptr)})
      n += X509_STORE_add_crl(SSL_CTX_get_cert_store(to), one.get()) == 1;
  if (n == 0) return wrong("-ORBTlsRevoked", terms.revoked, why_not(terms.revoked, "no revocation list in PEM form"));
  ERR_clear_error();
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(to), X509_V_FLAG_CRL_CHECK);
  return {};
}

Result<std::vector<std::string>> read_pins(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::string pin;
    for (const char c : std::string_view(text).substr(at, comma - at))
      if (c != ':' && c != ' ') pin += static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    if (pin.size() != 64 || pin.find_first_not_of("0123456789abcdef") != pin.npos)
      return wrong("-ORBTlsPin", text.substr(at, comma - at),
                   "wants the SHA-256 of a public key, 64 hexadecimal digits; `callis tls show` prints it");
    out.push_back(std::move(pin));
    at = comma + 1;
  }
  return out;
}

Result<void> prepare(SSL_CTX* c, const TlsTerms& terms) {
  const bool versions =
      SSL_CTX_set_min_proto_version(c, terms.oldest == TlsTerms::Oldest::Tls13 ? TLS1_3_VERSION : TLS1_2_VERSION) ==
          1 &&
      SSL_CTX_set_max_proto_version(c, TLS1_3_VERSION) == 1 && SSL_CTX_set_cipher_list(c, kCiphersOfTls12) == 1;
  if (!versions) return Error{Fault::BadText, 0, "TLS 1.2 and 1.3: " + last_reason()};
  SSL_CTX_set_security_level(c, 2);
  (void)SSL_CTX_set_options(c, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                   SSL_OP_PRIORITIZE_CHACHA);
  (void)SSL_CTX_set_mode(c, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
  SSL_CTX_set_verify_depth(c, kMostDepth);
  // Authorities may be intermediate ones, and a server's own certificate that it has signed itself.
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(c), X509_V_FLAG_PARTIAL_CHAIN);
  SSL_CTX_set_cert_verify_callback(c, &verify, nullptr);
  // Servers keep their sessions in tickets; clients, here.
  (void)SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(c, &keep_session);
  SSL_CTX_set_cert_cb(c, &note_request, nullptr);
  (void)SSL_CTX_set_session_id_context(c, kSessionContext, sizeof kSessionContext - 1);
  return {};
}

}  // namespace

Result<std::shared_ptr<Material>> Material::load(const TlsTerms& terms) {
  prepare_openssl();
  ERR_clear_error();
  auto out = std::make_shared<Material>();
  out->context.reset(SSL_CTX_new(TLS_method()));
  SSL_CTX* const c = out->context.get();
  if (!c) return Error{Fault::BadText, 0, "TLS: " + last_reason()};
  if (auto r = prepare(c, terms); !r) return r.error();
  if (auto r = load_own(c, terms); !r) return r.error();
  if (auto r = load_authorities(c, terms); !r) return r.error();
  if (auto r = load_revoked(c, terms); !r) return r.error();
  auto pins = read_pins(terms.pins);
  if (!pins) return pins.error();
  out->pins = std::move(pins).value();
  out->has_authorities = !terms.authorities.empty();
  const TlsTerms::Clients asked = terms.asked_of_clients();
  if (asked != TlsTerms::Clients::None && !terms.verifies())
    return Error{Fault::BadText, 0,
                 "-ORBTlsClients wanted and required need -ORBTlsCA or -ORBTlsPin, by which clients are verified"};
  SSL_CTX_set_ex_data(c, material_place(), out.get());
  return out;
}

void Material::keep_session(const std::string& server, SessionPtr session) {
  const std::lock_guard lock(mutex_);
  if (sessions_.size() >= kMostSessions) sessions_.erase(sessions_.begin());
  sessions_.emplace(server, std::move(session));
}

SessionPtr Material::take_session(const std::string& server) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(server);
  if (found == sessions_.end()) return nullptr;
  SessionPtr out = std::move(found->second);
  sessions_.erase(found);
  return out;
}

void attach(SSL* ssl, Verification* verification, SessionKeeper* keeper) noexcept {
  SSL_set_ex_data(ssl, verification_place(), verification);
  SSL_set_ex_data(ssl, keeper_place(), keeper);
}

}  // namespace tls

namespace {

std::atomic<unsigned> g_asked{0};
static_assert(std::atomic<unsigned>::is_always_lock_free);  // for signal handlers

}  // namespace

void read_tls_files_again() noexcept { g_asked.fetch_add(1, std::memory_order_relaxed); }

TlsContext::TlsContext(const TlsTerms& terms) : terms_(terms), asked_(g_asked.load(std::memory_order_relaxed)) {}

std::vector<TlsContext::Stamp> TlsContext::stamps() const {
  std::vector<Stamp> out;
  const auto add = [&](const std::string& file) {
    struct stat s;
    if (file.empty() || ::stat(file.c_str(), &s) != 0) return false;
    out.push_back({file, s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_size, s.st_ino});
    return S_ISDIR(s.st_mode);
  };
  for (const std::string* const file : {&terms_.certificate, &terms_.key, &terms_.key_password, &terms_.revoked})
    (void)add(*file);
  if (!add(terms_.authorities)) return out;
  if (DIR* const folder = ::opendir(terms_.authorities.c_str())) {
    while (const dirent* const entry = ::readdir(folder))
      if (entry->d_name[0] != '.') (void)add(concat({terms_.authorities, "/", entry->d_name}));
    ::closedir(folder);
  }
  return out;
}

Result<std::shared_ptr<TlsContext>> TlsContext::make(const TlsTerms& terms) {
  std::shared_ptr<TlsContext> out(new TlsContext(terms));
  out->seen_ = out->stamps();
  out->looked_ = Clock::steady().now();
  auto material = tls::Material::load(terms);
  if (!material) return material.error();
  out->material_ = std::move(material).value();
  return out;
}

// One thread looks and reads, without the mutex; the others have the earlier contents meanwhile.
std::shared_ptr<tls::Material> TlsContext::current() {
  bool changed;
  {
    const std::lock_guard lock(mutex_);
    const TimePoint now = Clock::steady().now();
    const unsigned asked = g_asked.load(std::memory_order_relaxed);
    if (looks_ || (asked == asked_ && now - looked_ < kLookEvery)) return material_;
    changed = asked != asked_;
    asked_ = asked;
    looked_ = now;
    looks_ = true;
  }
  std::vector<Stamp> seen = stamps();
  changed |= seen != seen_;
  Result<std::shared_ptr<tls::Material>> read(std::shared_ptr<tls::Material>{});
  if (changed) {
    seen_ = std::move(seen);
    read = tls::Material::load(terms_);
    if (read) log(LogLevel::Info, "TLS: certificates and keys have been read again");
    else log(LogLevel::Warning, {"TLS: the earlier certificates and keys stay in force: ", read.error().detail});
  }
  const std::lock_guard lock(mutex_);
  looks_ = false;
  if (changed && read) material_ = std::move(read).value();
  return material_;
}

void TlsContext::look_soon() {
  const std::lock_guard lock(mutex_);
  looked_ = {};
}

}  // namespace callis::transport
