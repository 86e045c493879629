// SPDX-License-Identifier: Apache-2.0
// A site's folder: an authority, certificates that it has issued, and files of options for its programs.
//
//   ca.pem, ca.key               the authority; ca.key stays where certificates are issued
//   crl.pem                      what is revoked: nothing at first
//   server.pem, server.key, server.conf      for servers: -ORBConfigFile DIR/server.conf
//   client.pem, client.key, client.conf      for clients
#pragma once
#include <callis/base/result.h>
#include <string>
#include <vector>

namespace callis::tools {

struct SiteTerms {
  std::string folder;
  std::vector<std::string> hosts;  // of servers: names and addresses; empty: those of this machine
  int days = 365;                  // of certificates
  int authority_days = 3650;
  int list_days = 3650;  // of the list of what is revoked: programs refuse everybody by a list that is out of date
};

enum class Role { Server, Client };

// Fault::BadText, with words: a file is there already, or cannot be written. Files that were written before stay.
Result<void> init_site(const SiteTerms& terms);
// Issues one more certificate of that name: NAME.pem, NAME.key, NAME.conf.
Result<void> issue_in_site(const SiteTerms& terms, const std::string& name, Role role);
// Writes crl.pem, which revokes the certificates of these names, and all that were revoked before.
Result<void> revoke_in_site(const SiteTerms& terms, const std::vector<std::string>& names);

// The contents of a PEM file. Fault::BadText.
Result<std::string> read_pem(const std::string& path);

}  // namespace callis::tools
