#include "core/job/fingerprint.hpp"

#include "core/io/scans/geometry_json_impl.hpp"
#include "core/io/scans/grid_json.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace gantry {

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t before) {
  constexpr std::uint64_t prime = 0x100000001b3ULL;
  std::uint64_t sum = before;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(8, bytes.size()))) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min<std::size_t>(8, bytes.size()));
    sum = (sum ^ word) * prime;
    sum ^= sum >> 32;  // else the upper half of a word would not affect the lower bits
  }
  return sum;
}

std::uint64_t fingerprint(const ExperimentData& data) {
  const std::string words = to_json(data.geometry->spec()).dump() + to_json(data.grid).dump();
  const std::array counting = {data.counting.photons_per_ray, data.counting.electronic_sigma};
  const std::uint64_t sum = checksum(
      std::as_bytes(std::span(data.line_integrals)),
      checksum(std::as_bytes(std::span(counting)), checksum(std::as_bytes(std::span(words)))));
  return std::max<std::uint64_t>(sum, 1);
}

}  // namespace gantry
