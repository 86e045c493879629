// SPDX-License-Identifier: Apache-2.0
// callis tls: certificates for tests and small sites.
#include <callis/base/text.h>
#include <callis/transport/tls/issue.h>
#include <services/programs/usage.h>
#include <tools/tls/site.h>
#include <cstdio>
#include <cstring>

namespace {

constexpr char kUsage[] =
    "usage: callis tls init DIR [--host HOST]... [--days N]       makes an authority, a server and a client\n"
    "       callis tls issue DIR NAME --server|--client [--host HOST]... [--days N]\n"
    "       callis tls revoke DIR NAME... [--days N]              adds to what DIR/crl.pem revokes\n"
    "       callis tls show FILE                                  what is in a certificate\n"
    "\n"
    "DIR gets ca.pem and ca.key (the authority), crl.pem (what is revoked: nothing yet), and for each certificate\n"
    "NAME.pem, NAME.key and NAME.conf: a file of options, which -ORBConfigFile or CALLIS_CONFIG names. Programs of\n"
    "callis take DIR by --tls DIR, or --tls DIR/NAME. Copy to another machine what its program needs: ca.pem,\n"
    "crl.pem and its own files. ca.key is for whoever issues certificates alone. Only crl.pem is written over.\n"
    "\n"
    "  --host HOST   a name or an address by which clients reach servers; without it those of this machine\n"
    "  --days N      how long certificates are valid (365); the authority and the list of what is revoked are for\n"
    "                ten years. revoke: the list\n"
    "  --server      for servers, which may also be clients\n"
    "  --client      for clients alone; NAME is what servers see of them (Caller)\n"
    "\n"
    "Exit status: 0; 1: something cannot be read, written or made; 2: wrong usage.\n";

int failed(const callis::Error& e) {
  std::fprintf(stderr, "callis tls: %s\n", e.detail.c_str());
  return 1;
}
int wrong(std::string_view problem) { return callis::programs::wrong_usage("callis tls", problem, kUsage); }

}  // namespace

int main(int argc, char** argv) {
  using namespace callis;
  using namespace callis::tools;
  if (programs::answers(argc, argv, kUsage)) return 0;
  SiteTerms terms;
  std::vector<std::string> words;
  bool server = false, client = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view w = argv[i];
    if (w == "--server") {
      server = true;
    } else if (w == "--client") {
      client = true;
    } else if (w == "--host" || w == "--days") {
      if (i + 1 == argc) return wrong(concat({w, " wants a value"}));
      const char* const value = argv[++i];
      std::uint64_t n = 0;
      if (w == "--host") terms.hosts.emplace_back(value);
      else if (parse_decimal(value, 36'500, n) && n != 0) terms.days = terms.list_days = static_cast<int>(n);
      else return wrong("--days wants a number from 1 to 36500");
    } else if (w.starts_with('-')) {
      return wrong(programs::unknown_word(w));
    } else {
      words.emplace_back(w);
    }
  }
  if (words.empty()) return wrong("a command is missing");
  const std::string& command = words[0];
  if (words.size() < 2) return wrong(concat({command, " wants more words"}));
  terms.folder = words[1];
  Result<void> done;
  if (command == "init" && words.size() == 2) {
    done = init_site(terms);
    if (done) std::printf("%s has an authority (ca), and files for a server and a client\n", terms.folder.c_str());
  } else if (command == "issue" && words.size() == 3) {
    if (server == client) return wrong("issue wants one of --server and --client");
    done = issue_in_site(terms, words[2], server ? Role::Server : Role::Client);
  } else if (command == "revoke" && words.size() > 2) {
    done = revoke_in_site(terms, {words.begin() + 2, words.end()});
  } else if (command == "show" && words.size() == 2) {
    auto pem = read_pem(words[1]);
    if (!pem) return failed(pem.error());
    auto text = transport::describe_certificate(pem.value());
    if (!text) return failed({Fault::BadText, 0, concat({words[1], ": ", text.error().detail})});
    std::fputs(text->c_str(), stdout);
  } else {
    return wrong(programs::unknown_word(command));
  }
  return done ? 0 : failed(done.error());
}
