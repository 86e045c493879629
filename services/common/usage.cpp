// SPDX-License-Identifier: Apache-2.0
#include <services/common/program.h>

namespace callis::services {

namespace {

constexpr std::size_t kColumn = 25;  // where explanations begin

// Further lines of the explanation begin in the column of the first.
void add_option(std::string& out, const std::string& name, const std::string& value, const std::string& says) {
  std::string left = "  " + name + (value.empty() ? "" : " " + value);
  left += left.size() + 2 > kColumn ? "\n" + std::string(kColumn, ' ') : std::string(kColumn - left.size(), ' ');
  out += left;
  for (const char c : says) {
    out += c;
    if (c == '\n') out += std::string(kColumn, ' ');
  }
  out += '\n';
}

}  // namespace

std::string command_of(const ServiceDescription& d) { return d.command.empty() ? "callis " + d.name : d.command; }

std::string usage(const ServiceDescription& d) {
  if (!d.usage.empty()) return d.usage;
  std::string out = "usage: " + command_of(d) + (d.words.empty() ? "" : " " + d.words) + " [options]\n";
  out += "       " + command_of(d) + " --stats HOST[:PORT]|REF [--json]\n\n" + d.says + "\n\n";
  for (const OwnOption& o : d.options) add_option(out, o.name, o.value, o.says);
  if (!d.options.empty()) out += '\n';
  if (d.store_kind) {
    add_option(out, "--store", "WHERE",
               "keeps all there: FILE (a database of SQLite), or etcd:HOST:PORT[,HOST:PORT...][/PREFIX];\n"
               "without it in memory alone");
    add_option(out, "--keep-damaged-aside", "",
               "renames a damaged FILE to FILE.damaged-TIME and begins a new one; without it\n"
               "the program ends and leaves the file as it is");
  }
  if (d.own_store)
    add_option(out, "--store", "FILE", "keeps all there, a database of SQLite; without it in memory alone");
  if (d.store_kind || d.own_store)
    add_option(out, "--max-disk", "SIZE",
               "FILE and its log take no more of the disk, as 512M or 20G; beyond it changes are refused:\n"
               "NO_RESOURCES (a quarter of the file system, at least 64M)");
  add_option(out, "--allow", "GROUP=WHO[,...]",
             "who may call the operations of read, write and admin: any, local (users of this machine over a\n"
             "Unix-domain socket), own (root and this program's user; always), unix:USER, cert:WHICH (the owner of\n"
             "a certificate, with --tls: cert:CN=ops, cert:*.plant.example, cert:*); without it\n" +
                 Rules(d.admin).sentence());
  add_option(out, "--allow-dry-run", "", "refuses nothing, and logs what --allow would refuse");
  add_option(out, "--tls", "DIR[/NAME]",
             "speaks TLS, with the certificates in DIR (callis tls init) as its identity, to clients and to other\n"
             "services; those of the name server, or NAME");
  add_option(out, "--max-memory", "SIZE",
             "what it keeps for all clients, as 512M; beyond it NO_RESOURCES; a quarter of the memory there is");
  add_option(out, "--max-memory-each", "SIZE", "the same for one client; 128M, and at most half of --max-memory");
  add_option(out, "--ior-file", "FILE",
             "writes the reference there; it is also the first line of the standard output");
  add_option(out, "--publish", "HOST[:PORT]", "what references carry in place of the endpoint's own address");
  add_option(out, "--log", "text|json", "the form of the lines on the standard error (text)");
  add_option(out, "--stats-every", "SECONDS", "writes the counters to the standard error so often");
  add_option(out, "--stats", "HOST[:PORT]|REF",
             "asks a service that runs there for its counters and prints them; REF: IOR:..., corbaloc:...,\n"
             "or a file with one");
  add_option(out, "--json", "", "prints them as JSON");
  add_option(out, "--version", "", "prints the version of callis");
  std::string orb = "an option of the ORB (callis config --help)";
  if (d.port != 0) orb += "; without -ORBEndpoint it listens at tcp::" + std::to_string(d.port) +
                          ", with --tls at tls::" + std::to_string(d.port) +
                          ",\nand for users of this machine at a socket in /run/callis or $XDG_RUNTIME_DIR/callis";
  if (!d.initial_reference.empty())
    orb += ";\nthe service is corbaloc::HOST" + (d.port != 0 ? "[:PORT]" : std::string(":PORT")) + "/" +
           d.initial_reference;
  add_option(out, "-ORBoption", "VALUE", orb);
  out += "\nExit status: 0; " + std::to_string(d.status_cannot) +
         ": something cannot be read, stored or reached; 2: wrong usage; 4: a system exception.\n";
  return out;
}

}  // namespace callis::services
