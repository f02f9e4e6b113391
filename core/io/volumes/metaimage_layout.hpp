#pragma once

#include "core/io/files/file_parts.hpp"
#include "core/io/volumes/metaimage_header.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

// Where the values of a MetaImage file lie.

/// Where the data lie, packed if so, and the size of their files.
struct MetaExtent {
  std::vector<FilePart> parts;  ///< in the order of the slices
  std::uintmax_t file_bytes = 0;

  std::uintmax_t bytes() const;
};

/// Throws InputError for more or fewer data than the header says.
[[noreturn]] void refuse_length(const MetaHeader& header, const std::string& holds,
                                const std::string& remedy);

/// Throws InputError for bytes besides the voxels: DimSize, ElementType or HeaderSize is wrong.
/// Even a single such byte, as a line end that an editor added, may have shifted or changed the
/// voxels.
void require_no_surplus(const MetaHeader& header, std::uintmax_t bytes, std::uintmax_t used);

/// Returns where the data are, in one file or in several. Compares the claims of the header, which
/// may be damaged, with the size of the file before memory is allocated. Throws InputError.
MetaExtent data_extent(const MetaHeader& header);

}  // namespace gantry
