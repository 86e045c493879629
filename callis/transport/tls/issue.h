// SPDX-License-Identifier: Apache-2.0
// Authority: issues certificates for a small site and for tests (`callis tls init`). Keys are of P-256, certificates
// are signed with SHA-256. One thread at a time uses an Authority.
#pragma once
#include <callis/base/result.h>
#include <memory>
#include <string>
#include <vector>

namespace callis::transport {

struct IssuedCertificate {
  std::string certificate, key;  // PEM
};

struct CertificateRequest {
  std::string common_name;
  std::vector<std::string> names;  // "dns:a.example", "ip:10.1.2.3"
  bool for_servers = false, for_clients = false;
  int days = 365;        // of validity, from an hour before now on; less than 0: it has expired
  unsigned rsa_bits = 0; // a key of RSA in place of P-256
};

class Authority final {
 public:
  // Makes one with a new key. Fault::Unsupported, with OpenSSL's words, as in the functions below.
  static Result<Authority> make(const std::string& common_name, int days);
  // The same from PEM texts. Fault::BadText.
  static Result<Authority> read(const std::string& certificate, const std::string& key);

  const IssuedCertificate& own() const { return own_; }
  Result<IssuedCertificate> issue(const CertificateRequest& request) const;
  // A list, PEM, that revokes these certificates of its own, which are PEM texts.
  Result<std::string> revoke(const std::vector<std::string>& certificates, int days) const;

  Authority(Authority&&) noexcept;
  Authority& operator=(Authority&&) noexcept;
  ~Authority();

 private:
  struct Parts;
  explicit Authority(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
  IssuedCertificate own_;
};

// The contents of the first certificate in a PEM text, for people: subject, names, dates, digests. Fault::BadText.
Result<std::string> describe_certificate(const std::string& pem);

}  // namespace callis::transport
