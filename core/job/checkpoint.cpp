#include "core/job/checkpoint.hpp"

#include "core/base/checksum.hpp"
#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/job/checkpoint_json.hpp"

#include <bit>
#include <charconv>
#include <fstream>
#include <sstream>
#include <system_error>

namespace gantry {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int version = 2;
const std::string kind = "gantry-checkpoint";
constexpr std::size_t longest_first_line = 128;

std::uint64_t checksum_of(const std::string& header, const RunProgress& progress) {
  std::uint64_t sum = checksum(std::as_bytes(std::span(header)));
  for_each_array(progress, [&](const std::vector<float>& array) {
    sum = checksum(std::as_bytes(std::span(array)), sum);
  });
  return sum;
}

struct FirstLine {
  std::size_t line_bytes = 0, header_bytes = 0, data_bytes = 0;
  std::uint64_t checksum = 0;
};

FirstLine read_first_line(std::istream& file, const std::string& where) {
  std::string line(longest_first_line, '\0');
  file.getline(line.data(), static_cast<std::streamsize>(line.size()));
  FirstLine first;
  first.line_bytes = static_cast<std::size_t>(file.gcount());
  line.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount() - 1, 0)));
  std::istringstream words(line);
  std::string word;
  int found = 0;
  if (!file || !(words >> word) || word != kind)
    throw InputError("is not a checkpoint of Gantry", where, "name a checkpoint file");
  if (!(words >> found) || found != version)
    throw InputError(
        "is a checkpoint of version " + std::to_string(found) + ", not " + std::to_string(version),
        where, "use the version of Gantry that wrote it");
  if (!(words >> first.header_bytes >> first.data_bytes >> std::hex >> first.checksum))
    throw InputError("the checkpoint's first line is damaged", where, "take another checkpoint");
  return first;
}

/// Returns what differs, as "the solver is sart, not sirt"; empty if nothing does.
std::string difference(const RunSpec& saved, const RunSpec& now) {
  const auto says = [](const std::string& what, const std::string& is, const std::string& was) {
    return "the " + what + " is " + is + ", not " + was;
  };
  if (saved.solver != now.solver) return says("solver", now.solver, saved.solver);
  if (saved.prior != now.prior)
    return says("prior", now.prior.empty() ? "the usual one" : now.prior,
                saved.prior.empty() ? "the usual one" : saved.prior);
  if (saved.projector != now.projector) return says("projector", now.projector, saved.projector);
  if (saved.format != now.format)
    return says("format", now.format.empty() ? "none" : now.format,
                saved.format.empty() ? "none" : saved.format);
  if (saved.coarse_levels != now.coarse_levels ||
      (now.coarse_levels > 0 && saved.coarse_iterations != now.coarse_iterations))
    return "the coarser grids of the start differ";
  if (saved.weights != now.weights) return "the weights of the rays differ";
  if (saved.solver_params != now.solver_params)
    return "a parameter of the solver has another value";
  if (saved.prior_params != now.prior_params) return "a parameter of the prior has another value";
  if (saved.projector_params != now.projector_params)
    return "a parameter of the projector has another value";
  if (saved.format_params != now.format_params)
    return "a parameter of the format has another value";
  if (saved.stages != now.stages) return "the earlier stages of the run differ";
  return {};
}

}  // namespace

void append_checkpoint(AtomicFile& file, const Checkpoint& checkpoint) {
  const RunProgress& progress = checkpoint.progress;
  const std::string header = to_json(checkpoint).dump();
  std::size_t data_bytes = 0;
  for_each_array(progress, [&](const auto& array) { data_bytes += array.size() * sizeof(float); });
  TextStream first;
  first << kind << ' ' << version << ' ' << header.size() << ' ' << data_bytes << ' ' << std::hex
        << checksum_of(header, progress) << '\n';
  file.write(first.str());
  file.write(header);
  for_each_array(progress, [&](const std::vector<float>& array) {
    file.write(std::as_bytes(std::span(array)));
  });
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                      FileAccess access) {
  AtomicFile file(path, access);
  append_checkpoint(file, checkpoint);
  file.commit();
}

Checkpoint read_next_checkpoint(std::istream& file, std::uintmax_t& bytes, const std::string& where,
                                const Catalog& catalog) {
  const FirstLine first = read_first_line(file, where);
  if (first.line_bytes > bytes || first.header_bytes > bytes - first.line_bytes ||
      first.data_bytes > bytes - first.line_bytes - first.header_bytes)
    throw InputError("is cut short", where, "use another copy of it");
  bytes -= first.line_bytes + first.header_bytes + first.data_bytes;
  std::string header(first.header_bytes, '\0');
  file.read(header.data(), static_cast<std::streamsize>(header.size()));
  Checkpoint checkpoint =
      checkpoint_from_json(parse_json(header, where), where, catalog, first.data_bytes);
  for_each_array(checkpoint.progress, [&](std::vector<float>& array) {
    file.read(reinterpret_cast<char*>(array.data()),
              static_cast<std::streamsize>(array.size() * sizeof(float)));
  });
  if (!file || checksum_of(header, checkpoint.progress) != first.checksum)
    throw InputError("the checkpoint is damaged: its checksum differs", where,
                     "take another checkpoint");
  return checkpoint;
}

Checkpoint read_checkpoint(const std::filesystem::path& path, const Catalog& catalog) {
  const std::string where = path.string();
  std::error_code error;
  std::uintmax_t bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file)
    throw InputError("the checkpoint cannot be read", where, "name a checkpoint file");
  Checkpoint checkpoint = read_next_checkpoint(file, bytes, where, catalog);
  if (bytes != 0) throw InputError("the checkpoint is too long", where, "take another checkpoint");
  return checkpoint;
}

void require_same_run(const Checkpoint& checkpoint, const RunSpec& run, const std::string& where) {
  const std::string what = difference(checkpoint.run, run);
  if (!what.empty())
    throw InputError("the checkpoint is of another run: " + what, where,
                     "give the settings that it was made with, or start anew");
}

}  // namespace gantry
