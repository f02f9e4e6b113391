#pragma once

#include "core/mapping/thread_mapping.hpp"
#include "core/operator/projector.hpp"

#include <cstdint>

namespace gantry {

/// What a thread mapping is computed from, as checksums of 64 bits each: mappings of equal keys are
/// the same.
struct MappingKey {
  std::uint64_t geometry = 0;  ///< all of the ScanSpec, with its angles and poses
  std::uint64_t grid = 0;
  std::uint64_t weights = 0;  ///< RowSource::weights_name
  std::uint64_t options = 0;  ///< the MappingOptions, and whether METIS makes the parts

  /// Returns one checksum of all, for names of files.
  std::uint64_t all() const;
  friend bool operator==(const MappingKey&, const MappingKey&) = default;
};

/// Whether a mapping can be told from those of other projectors: whether the weights have a name.
bool has_mapping_key(const Projector& projector);
/// Throws UsageError if the projector has no key.
MappingKey mapping_key(const Projector& projector, const MappingOptions& options);

}  // namespace gantry
