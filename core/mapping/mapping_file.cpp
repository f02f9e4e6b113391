#include "core/mapping/mapping_file.hpp"

#include "core/base/checksum.hpp"
#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/mapping/mapping_key.hpp"
#include "core/mapping/warp_counters.hpp"
#include "core/operator/row_access.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <span>
#include <string>
#include <system_error>

namespace gantry {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> magic = {'G', 'A', 'N', 'T', 'R', 'M', 'A', 'P'};
constexpr std::uint64_t version = 2;
const std::string make_it_anew = "make it anew by gantry-cli mapping";

struct Header {
  std::array<char, 8> kind = magic;
  std::uint64_t format = version;
  MappingKey key;
  std::uint64_t views = 0, cells = 0, rays = 0, colours = 0;
  std::uint64_t sum = 0;  ///< 0 while it is computed
};
static_assert(sizeof(Header) == 88);

std::uint64_t sum_of(Header header, const ThreadMapping& mapping) {
  header.sum = 0;
  std::uint64_t sum = checksum(std::as_bytes(std::span(&header, 1)));
  sum = checksum(std::as_bytes(std::span(mapping.first_of_view)), sum);
  sum = checksum(std::as_bytes(std::span(mapping.rays)), sum);
  return checksum(std::as_bytes(std::span(mapping.colour)), sum);
}

/// Throws unless the counts of the header are those of a file of this size.
void require_size(const Header& header, std::uintmax_t bytes, const std::string& where) {
  const bool possible = header.views < bytes && header.rays < bytes;  // else sums could overflow
  if (!possible || header.rays % lanes_of_warp != 0 ||
      sizeof(Header) + sizeof(std::size_t) * (header.views + 1) +
              sizeof(std::uint32_t) * header.rays +
              sizeof(std::int32_t) * (header.rays / lanes_of_warp) !=
          bytes)
    throw InputError("the thread mapping is cut short or too long", where, make_it_anew);
}

void require_key(const MappingKey& found, const MappingKey& wanted, const std::string& where) {
  const std::string of = found.geometry != wanted.geometry ? "of another scan"
                         : found.grid != wanted.grid       ? "for another grid"
                         : found.weights != wanted.weights ? "for another projector"
                         : found.options != wanted.options ? "made with other options"
                                                           : "";
  if (!of.empty())
    throw InputError("the thread mapping is " + of, where,
                     "give what it was made with, or " + make_it_anew);
}

/// Whether the list holds every ray once, and those of each view together.
bool is_complete(const ThreadMapping& mapping, std::size_t views, std::size_t cells) {
  const auto& first = mapping.first_of_view;
  if (first.size() != views + 1 || first.front() != 0 || first.back() != mapping.rays.size() ||
      !std::ranges::is_sorted(first))
    return false;
  std::vector<bool> seen(cells);
  for (std::size_t view = 0; view < views; ++view) {
    std::size_t busy = 0;
    seen.assign(cells, false);
    for (std::size_t k = first[view]; k < first[view + 1]; ++k) {
      const std::uint32_t ray = mapping.rays[k];
      if (ray == no_ray) continue;
      if (ray / cells != view || seen[ray % cells]) return false;
      seen[ray % cells] = true;
      ++busy;
    }
    if (busy != cells || first[view] % lanes_of_warp != 0) return false;
  }
  return true;
}

template <class T>
void read_into(std::ifstream& file, std::vector<T>& values, std::size_t count) {
  values.resize(count);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(T)));
}

}  // namespace

void save_mapping(const std::filesystem::path& path, const ThreadMapping& mapping,
                  const Projector& projector, const MappingOptions& options) {
  Header header;
  header.key = mapping_key(projector, options);
  header.views = static_cast<std::uint64_t>(projector.views());
  header.cells = projector.cells_per_view();
  header.rays = mapping.rays.size();
  header.colours = static_cast<std::uint64_t>(mapping.colours);
  header.sum = sum_of(header, mapping);
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(std::as_bytes(std::span(mapping.first_of_view)));
  file.write(std::as_bytes(std::span(mapping.rays)));
  file.write(std::as_bytes(std::span(mapping.colour)));
  file.commit();
}

ThreadMapping load_mapping(const std::filesystem::path& path, const Projector& projector,
                           const MappingOptions& options) {
  const MappingKey wanted = mapping_key(projector, options);
  const std::string where = path.string();
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file)
    throw InputError("the thread mapping cannot be read", where,
                     "name a file that gantry-cli mapping wrote");
  Header header;
  header.kind = {};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (header.kind != magic)
    throw InputError("is not a thread mapping of Gantry", where,
                     "name a file that gantry-cli mapping wrote");
  if (!file) throw InputError("the thread mapping is cut short or too long", where, make_it_anew);
  if (header.format != version)
    throw InputError("is a thread mapping of version " + std::to_string(header.format) + ", not " +
                         std::to_string(version),
                     where, "use the version of Gantry that wrote it, or " + make_it_anew);
  require_size(header, bytes, where);
  ThreadMapping mapping;
  mapping.colours = static_cast<int>(header.colours);
  read_into(file, mapping.first_of_view, header.views + 1);
  read_into(file, mapping.rays, header.rays);
  read_into(file, mapping.colour, header.rays / lanes_of_warp);
  if (!file || sum_of(header, mapping) != header.sum)
    throw InputError("the thread mapping is damaged: its checksum differs", where, make_it_anew);
  require_key(header.key, wanted, where);
  if (!is_complete(mapping, static_cast<std::size_t>(projector.views()),
                   projector.cells_per_view()))
    throw InputError("the thread mapping does not hold every ray once", where, make_it_anew);
  return mapping;
}

}  // namespace gantry
