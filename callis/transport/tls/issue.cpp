// SPDX-License-Identifier: Apache-2.0
// Certificates made by OpenSSL: keys, requests, extensions, signatures, lists of what is revoked.
#include <callis/base/text.h>
#include <callis/transport/tls/issue.h>
#include <callis/transport/tls/openssl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <utility>

namespace callis::transport {

using namespace tls;

namespace {

constexpr long kHour = 3600, kDay = 24 * kHour;

Error failed(std::string_view what) {
  return {Fault::Unsupported, 0, concat({"OpenSSL cannot ", what, ": ", last_reason()})};
}

std::string contents(BIO* bio) {
  char* data = nullptr;
  const long n = BIO_get_mem_data(bio, &data);
  return n > 0 ? std::string(data, static_cast<std::size_t>(n)) : std::string();
}

std::string pem_of(X509* certificate) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  return out && PEM_write_bio_X509(out.get(), certificate) == 1 ? contents(out.get()) : std::string();
}

// PKCS#8.
std::string pem_of(EVP_PKEY* key) {
  const BioPtr out(BIO_new(BIO_s_mem()));
  const bool written =
      out && PEM_write_bio_PKCS8PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1;
  return written ? contents(out.get()) : std::string();
}

BioPtr in(const std::string& pem) { return BioPtr(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

X509Ptr read_x509(const std::string& pem) {
  const BioPtr bio = in(pem);
  return X509Ptr(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr) : nullptr);
}

KeyPtr make_key(unsigned rsa_bits) {
  return KeyPtr(rsa_bits != 0 ? EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", static_cast<std::size_t>(rsa_bits))
                              : EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
}

bool add_extension(X509* to, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, to, nullptr, nullptr, 0);
  X509_EXTENSION* const e = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  const bool added = e && X509_add_ext(to, e, -1) == 1;
  X509_EXTENSION_free(e);
  return added;
}

bool set_serial(X509* to) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return false;
  bytes[0] &= 0x7f;
  bytes[0] |= 0x40;
  BIGNUM* const number = BN_bin2bn(bytes, sizeof bytes, nullptr);
  const bool set = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(to));
  BN_free(number);
  return set;
}

bool set_name(X509* to, const std::string& common_name) {
  return X509_NAME_add_entry_by_txt(X509_get_subject_name(to), "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(common_name.data()),
                                    static_cast<int>(common_name.size()), -1, 0) == 1;
}

// The beginning of all certificates.
X509Ptr begin(EVP_PKEY* key, const std::string& common_name, int days) {
  X509Ptr made(X509_new());
  const long from = days < 0 ? days * kDay - kDay : -kHour;
  const bool good = made && X509_set_version(made.get(), X509_VERSION_3) == 1 && set_serial(made.get()) &&
                    X509_gmtime_adj(X509_getm_notBefore(made.get()), from) &&
                    X509_gmtime_adj(X509_getm_notAfter(made.get()), days * kDay) &&
                    X509_set_pubkey(made.get(), key) == 1 && set_name(made.get(), common_name);
  if (!good) made.reset();
  return made;
}

// "DNS:a.example,IP:10.1.2.3"; empty if one cannot be read.
std::string alternative_names(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) {
    const bool address = n.starts_with("ip:");
    if (!address && !n.starts_with("dns:")) return {};
    const std::string_view value = std::string_view(n).substr(address ? 3 : 4);
    if (value.empty() || value.find_first_of(",;\n\"\\ ") != value.npos) return {};
    out += concat({out.empty() ? "" : ",", address ? "IP:" : "DNS:", value});
  }
  return out;
}

}  // namespace

struct Authority::Parts {
  X509Ptr certificate;
  KeyPtr key;
};

Authority::Authority(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {
  own_ = {pem_of(parts_->certificate.get()), pem_of(parts_->key.get())};
}
Authority::Authority(Authority&&) noexcept = default;
Authority& Authority::operator=(Authority&&) noexcept = default;
Authority::~Authority() = default;

Result<Authority> Authority::make(const std::string& common_name, int days) {
  prepare_openssl();
  auto parts = std::make_unique<Parts>();
  parts->key = make_key(0);
  if (!parts->key) return failed("make a key");
  parts->certificate = begin(parts->key.get(), common_name, days);
  X509* const made = parts->certificate.get();
  const bool good = made && X509_set_issuer_name(made, X509_get_subject_name(made)) == 1 &&
                    add_extension(made, made, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                    add_extension(made, made, NID_key_usage, "critical,keyCertSign,cRLSign") &&
                    add_extension(made, made, NID_subject_key_identifier, "hash") &&
                    X509_sign(made, parts->key.get(), EVP_sha256()) != 0;
  if (!good) return failed("make the authority's certificate");
  return Authority(std::move(parts));
}

Result<Authority> Authority::read(const std::string& certificate, const std::string& key) {
  prepare_openssl();
  auto parts = std::make_unique<Parts>();
  parts->certificate = read_x509(certificate);
  const BioPtr bio = in(key);
  parts->key.reset(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!parts->certificate || !parts->key ||
      X509_check_private_key(parts->certificate.get(), parts->key.get()) != 1)
    return Error{Fault::BadText, 0, concat({"no certificate of an authority with its key: ", last_reason()})};
  return Authority(std::move(parts));
}

Result<IssuedCertificate> Authority::issue(const CertificateRequest& request) const {
  X509* const issuer = parts_->certificate.get();
  const std::string names = alternative_names(request.names);
  if (names.empty() && !request.names.empty())
    return Error{Fault::BadText, 0, "names are written dns:HOST and ip:ADDRESS"};
  const KeyPtr key = make_key(request.rsa_bits);
  const X509Ptr made = key ? begin(key.get(), request.common_name, request.days) : nullptr;
  const std::string usage = concat({request.for_servers ? "serverAuth" : "",
                                    request.for_servers && request.for_clients ? "," : "",
                                    request.for_clients ? "clientAuth" : ""});
  X509* const c = made.get();
  const bool good = c && X509_set_issuer_name(c, X509_get_subject_name(issuer)) == 1 &&
                    add_extension(c, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
                    add_extension(c, issuer, NID_key_usage, "critical,digitalSignature") &&
                    (usage.empty() || add_extension(c, issuer, NID_ext_key_usage, usage)) &&
                    add_extension(c, issuer, NID_subject_key_identifier, "hash") &&
                    add_extension(c, issuer, NID_authority_key_identifier, "keyid") &&
                    (names.empty() || add_extension(c, issuer, NID_subject_alt_name, names)) &&
                    X509_sign(c, parts_->key.get(), EVP_sha256()) != 0;
  if (!good) return failed(concat({"issue a certificate for ", request.common_name}));
  return IssuedCertificate{pem_of(c), pem_of(key.get())};
}

Result<std::string> Authority::revoke(const std::vector<std::string>& certificates, int days) const {
  const CrlPtr list(X509_CRL_new());
  ASN1_TIME* const now = X509_gmtime_adj(nullptr, -kHour);
  ASN1_TIME* const next = X509_gmtime_adj(nullptr, days * kDay);
  bool good = list && now && next && X509_CRL_set_version(list.get(), X509_CRL_VERSION_2) == 1 &&
              X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(parts_->certificate.get())) == 1 &&
              X509_CRL_set1_lastUpdate(list.get(), now) == 1 && X509_CRL_set1_nextUpdate(list.get(), next) == 1;
  for (const std::string& pem : certificates) {
    const X509Ptr one = read_x509(pem);
    X509_REVOKED* const entry = X509_REVOKED_new();
    good = good && one && entry && X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber(one.get())) == 1 &&
           X509_REVOKED_set_revocationDate(entry, now) == 1;
    if (!good || X509_CRL_add0_revoked(list.get(), entry) != 1) X509_REVOKED_free(entry);
  }
  ASN1_TIME_free(now);
  ASN1_TIME_free(next);
  const BioPtr out(BIO_new(BIO_s_mem()));
  good = good && out && X509_CRL_sort(list.get()) == 1 &&
         X509_CRL_sign(list.get(), parts_->key.get(), EVP_sha256()) != 0 &&
         PEM_write_bio_X509_CRL(out.get(), list.get()) == 1;
  if (!good) return failed("make a revocation list");
  return contents(out.get());
}

Result<std::string> describe_certificate(const std::string& pem) {
  prepare_openssl();
  const X509Ptr c = read_x509(pem);
  if (!c) return Error{Fault::BadText, 0, concat({"no certificate in PEM form: ", last_reason()})};
  const Certificate read = read_certificate(c.get());
  std::string names;
  for (const std::string& n : read.names) names += concat({names.empty() ? "" : ", ", n});
  return concat({"subject      ", read.subject, "\nissuer       ", text_of(X509_get_issuer_name(c.get())),
                 "\nnames        ", names.empty() ? "none" : names, "\nvalid from   ",
                 text_of(X509_get0_notBefore(c.get())), "\nvalid until  ", text_of(X509_get0_notAfter(c.get())),
                 "\nfingerprint  ", read.fingerprint, "\nkey          ", read.key, "\n"});
}

}  // namespace callis::transport
