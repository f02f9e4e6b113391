#include "core/job/fingerprint.hpp"

#include "core/base/checksum.hpp"
#include "core/io/scans/geometry_json_impl.hpp"
#include "core/io/scans/grid_json.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gantry {

std::uint64_t fingerprint(const ExperimentData& data) {
  const std::string words = to_json(data.geometry->spec()).dump() + to_json(data.grid).dump();
  const std::array counting = {data.counting.photons_per_ray, data.counting.electronic_sigma};
  const std::uint64_t sum = checksum(
      std::as_bytes(std::span(data.line_integrals)),
      checksum(std::as_bytes(std::span(counting)), checksum(std::as_bytes(std::span(words)))));
  return std::max<std::uint64_t>(sum, 1);
}

}  // namespace gantry
