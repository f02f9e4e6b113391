#pragma once

#include "core/mapping/thread_mapping.hpp"
#include "core/operator/projector.hpp"

#include <filesystem>

namespace gantry {

// Files that hold a thread mapping, NAME.gmap. Little endian, without gaps:
//
//   8 bytes      "GANTRMAP"
//   10 x uint64  version; the MappingKey: geometry, grid, weights, options; views; cells of a view;
//                length of the list of rays; colours; checksum of everything but itself
//   uint64       ThreadMapping::first_of_view, views + 1 of them
//   uint32       ThreadMapping::rays
//   int32        ThreadMapping::colour, one for each 32 rays of the list

/// Writes a mapping, completely or not at all. Throws OutputError; UsageError if the projector has
/// no key (mapping_key.hpp).
void save_mapping(const std::filesystem::path& path, const ThreadMapping& mapping,
                  const Projector& projector, const MappingOptions& options);

/// Returns the mapping of a file. Throws InputError if there is none, if it is of another version,
/// cut short or damaged, or was made for another scan, grid, projector or other options; UsageError
/// like save_mapping.
ThreadMapping load_mapping(const std::filesystem::path& path, const Projector& projector,
                           const MappingOptions& options);

}  // namespace gantry
