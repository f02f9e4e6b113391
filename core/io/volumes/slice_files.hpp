#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

// Files over which the slices of a volume are spread, in the order of the slices. Names are taken
// from the folder of the header.

/// Returns the path of a file beside a header.
std::string beside(const std::string& header, const std::string& name);

/// Returns the files that a field of a header names: by "LIST", behind which they follow, a line
/// each, from byte `list_start` of the header on; or by a pattern and its numbers,
/// "slice%03d.raw 1 93 1" (first, last and step; a fourth number is passed over). A note says which
/// file a list names twice. Throws InputError, naming `where`: no such list or pattern, no file for
/// each slice, or a name of no file.
std::vector<std::string> slice_files(const std::string& field, const std::string& header,
                                     std::uintmax_t list_start, int slices,
                                     const std::string& where, std::vector<std::string>& notes);

/// Throws InputError, naming `where`, if a file that a header names is not there.
void require_named_file(const std::string& file, const std::string& where);

/// Returns whether a field names files in either way.
bool names_slice_files(const std::string& field);

}  // namespace gantry
