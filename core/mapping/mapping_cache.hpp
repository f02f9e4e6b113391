#pragma once

#include "core/mapping/thread_mapping.hpp"
#include "core/operator/projector.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace gantry {

/// The mappings that are kept; the oldest make room for new ones. One of 11.8 million rays has 49
/// MB.
inline constexpr std::size_t most_kept_mappings = 8;

/// Returns the folder of the mappings that are kept for later runs: mappings/ in the folder that
/// the environment variable GANTRY_CACHE names, else in gantry/ in $XDG_CACHE_HOME or ~/.cache.
/// Empty if GANTRY_CACHE is set and empty, or if there is no home: then none are kept.
std::filesystem::path mapping_cache_folder();

/// Returns where the mapping of a key is kept, FOLDER/<16 hexadecimal digits>.gmap. Throws
/// UsageError if the projector has no key (mapping_key.hpp).
std::filesystem::path kept_mapping_path(const std::filesystem::path& folder,
                                        const Projector& projector, const MappingOptions& options);

struct KeptMapping {
  ThreadMapping mapping;
  bool was_read = false;
  std::string note;  ///< one line: whether it was computed or read, and what became of it
};

/// Returns the mapping that is kept in `folder`, or computes it and keeps it there. A file that
/// cannot be used is replaced; a folder that cannot be written is no error. Throws what
/// map_threads() throws.
KeptMapping kept_or_mapped(const Projector& projector, const MappingOptions& options,
                           const std::filesystem::path& folder,
                           const std::function<void(double)>& progress);

}  // namespace gantry
