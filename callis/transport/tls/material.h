// SPDX-License-Identifier: Apache-2.0
// Material: certificates, keys, authorities and sessions as OpenSSL has them. Private to the transport tls.
#pragma once
#include <callis/base/result.h>
#include <callis/transport/tls/openssl.h>
#include <callis/transport/tls/terms.h>
#include <map>
#include <mutex>
#include <vector>

namespace callis::transport::tls {

// The outcome of a connection's verification, for its stream.
struct Verification {
  std::string expected;  // of a server; empty for clients
  bool of_server = true;
  std::string words;     // why it failed
};

struct Material {
  ContextPtr context;
  std::vector<std::string> pins;
  bool has_authorities = false;

  // Sessions that may be resumed with a server, by its name and address. A session is taken for one connection: a
  // ticket that is used once does not tell who else uses it.
  void keep_session(const std::string& server, SessionPtr session);
  SessionPtr take_session(const std::string& server);

  // BadText, with the option, the file and the reason.
  static Result<std::shared_ptr<Material>> load(const TlsTerms& terms);

 private:
  std::mutex mutex_;
  std::multimap<std::string, SessionPtr> sessions_;
};

// The places in an SSL of its Verification, and of whoever takes its sessions.
struct SessionKeeper {
  Material* material = nullptr;  // outlives the connection; of clients
  std::string server;
  bool asked = false;  // the server has asked for a client's certificate
  bool came = false;   // a session has come
};
void attach(SSL* ssl, Verification* verification, SessionKeeper* keeper) noexcept;

}  // namespace callis::transport::tls
