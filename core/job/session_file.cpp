#include "core/job/session_file.hpp"

#include "core/base/checksum.hpp"
#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/job/experiment_file.hpp"

#include <array>
#include <fstream>
#include <limits>
#include <span>
#include <sstream>
#include <system_error>

namespace gantry {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;
const std::string kind = "gantry-session";
const std::string remedy = "open another copy of the session";
constexpr std::size_t longest_first_line = 128;
constexpr std::array<const char*, 4> roles = {"run", "iterate", "reference", "trial"};

// ---- Writing

Json to_json(const SessionHead& head) {
  Json parts = Json::array();
  for (const SessionPart& part : head.parts) {
    Json json = {{"role", roles.at(static_cast<std::size_t>(part.role))}, {"place", part.place}};
    if (!part.file.empty()) json["file"] = part.file;
    parts.push_back(std::move(json));
  }
  return {{"saved", head.saved},
          {"path", head.path},
          {"is_modified", head.is_modified},
          {"is_closed", head.is_closed},
          {"reference", head.reference_label},
          {"experiment", Json::parse(head.experiment)},
          {"window", head.window.empty() ? Json::object() : Json::parse(head.window)},
          {"checkpoints", parts}};
}

std::string dump(const SessionHead& head, const std::string& where) {
  try {
    return to_json(head).dump();
  } catch (const nlohmann::json::exception&) {  // the text is UTF-8; a file name may be any bytes
    throw OutputError("a text of the session is not valid UTF-8", where,
                      "rename the files of the experiment");
  }
}

// ---- Reading

/// The header of an open file, and the number of bytes that follow it.
struct Start {
  std::string header;
  std::uintmax_t bytes_left = 0;
};

Start read_start(std::ifstream& file, const std::filesystem::path& path) {
  const std::string where = path.string();
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  file.open(path, std::ios::binary);
  if (error || !file) throw InputError("the session cannot be read", where, "check the file");
  std::string line(longest_first_line, '\0');
  file.getline(line.data(), static_cast<std::streamsize>(line.size()));
  const auto line_bytes = static_cast<std::uintmax_t>(file.gcount());
  std::istringstream words(line);
  std::string word;
  int found = 0;
  std::size_t header_bytes = 0;
  std::uint64_t sum = 0;
  if (!file || !(words >> word) || word != kind)
    throw InputError("is not a session of Gantry", where, "open a file that Save session wrote");
  if (!(words >> found) || found != version)
    throw InputError("is a session of version " + std::to_string(found) +
                         "; this program reads version " + std::to_string(version),
                     where, "open it with a newer version of Gantry");
  if (!(words >> header_bytes >> std::hex >> sum))
    throw InputError("the first line of the session is damaged", where, remedy);
  if (line_bytes > bytes || header_bytes > bytes - line_bytes)
    throw InputError("the session is cut short", where, remedy);
  Start start{std::string(header_bytes, '\0'), bytes - line_bytes - header_bytes};
  file.read(start.header.data(), static_cast<std::streamsize>(header_bytes));
  if (!file || checksum(std::as_bytes(std::span(start.header))) != sum)
    throw InputError("the session is damaged: its checksum differs", where, remedy);
  return start;
}

/// The name of a file beside the session: never a path that leads elsewhere.
std::string read_file_name(const JsonFields& fields) {
  const std::string name = fields.text_or("file", {});
  if (name.find_first_of("/\\") != std::string::npos || name == "." || name == "..")
    fields.fail("file", "is not a plain file name", remedy);
  return name;
}

std::vector<SessionPart> read_parts(const JsonFields& fields) {
  const nlohmann::json& list = fields.at("checkpoints", remedy);
  if (!list.is_array()) fields.fail("checkpoints", "is not a list", remedy);
  std::vector<SessionPart> parts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonFields one(list[i], fields.where(), "checkpoints[" + std::to_string(i) + "]");
    parts.push_back({static_cast<SessionRole>(one.choice("role", roles)),
                     one.integer("place", -1, std::numeric_limits<int>::max()),
                     read_file_name(one)});
  }
  return parts;
}

SessionHead read_head(const std::string& header, const std::string& where) {
  const nlohmann::json json = parse_json(header, where);
  const JsonFields fields(json, where);
  SessionHead head;
  head.saved = fields.text("saved", remedy);
  head.path = fields.text_or("path", {});
  head.is_modified = fields.flag("is_modified", false);
  head.is_closed = fields.flag("is_closed", false);
  head.reference_label = fields.text_or("reference", {});
  head.experiment = fields.at("experiment", remedy).dump();
  head.window = fields.at("window", remedy).dump();
  head.parts = read_parts(fields);
  return head;
}

}  // namespace

void write_session(const std::filesystem::path& path, const SessionHead& head,
                   const std::function<Checkpoint(std::size_t)>& make, FileAccess access) {
  const std::string header = dump(head, path.string());
  TextStream first;
  first << kind << ' ' << version << ' ' << header.size() << ' ' << std::hex
        << checksum(std::as_bytes(std::span(header))) << '\n';
  AtomicFile file(path, access);
  file.write(first.str());
  file.write(header);
  for (std::size_t i = 0; i < head.parts.size(); ++i)
    if (head.parts[i].file.empty()) append_checkpoint(file, make(i));
  file.commit();
}

bool is_session(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string start(kind.size() + 1, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return file && start == kind + ' ';
}

SessionHead read_session_head(const std::filesystem::path& path) {
  std::ifstream file;
  return read_head(read_start(file, path).header, path.string());
}

Session read_session(const std::filesystem::path& path, const Catalog& catalog) {
  const std::string where = path.string();
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::ifstream file;
  Start start = read_start(file, path);
  Session session;
  session.head = read_head(start.header, where);
  session.experiment = parse_experiment(session.head.experiment, where, folder.string(), catalog);
  for (const SessionPart& part : session.head.parts) {
    if (part.file.empty()) {
      session.checkpoints.push_back(read_next_checkpoint(file, start.bytes_left, where, catalog));
    } else {
      try {
        session.checkpoints.push_back(read_checkpoint(folder / part.file, catalog));
      } catch (const InputError& error) {
        session.problems.emplace_back(error.what());
        continue;
      }
    }
    session.parts.push_back(part);
  }
  if (start.bytes_left != 0) throw InputError("the session is too long", where, remedy);
  return session;
}

}  // namespace gantry
