#pragma once

#include "core/io/volumes/volume_file.hpp"

#include <initializer_list>
#include <string>

namespace gantry {

/// Returns the path of the file that is opened where a user names its folder: the only file
/// directly in it whose first bytes are certainly those of one of these kinds; volumes count where
/// there is no scan and no experiment. Empty for a file, for a folder without such a file, and for
/// one that is a series of images itself or has one in it, unless a header beside the images says
/// how they were taken (ImportFormat::is_header), which is then returned. Of several headers, those
/// that cannot be read and copies of others do not count. Throws InputError for several, and names
/// them.
std::string file_in_folder(const std::string& path, std::initializer_list<FileKind> kinds = {
                                                        FileKind::scan, FileKind::experiment,
                                                        FileKind::projections, FileKind::volume});

/// Returns "of the folder tetra, tetra.json is opened, the only scan or experiment in it"; "the
/// only volume in it" for a volume. Copies of a header are named: they may differ from it.
std::string opened_in_folder(const std::string& file);

}  // namespace gantry
