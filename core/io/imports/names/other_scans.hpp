#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The files of a scan that are of one kind, and what one of them is called: "flat".
struct FilesOfKind {
  const char* called;
  std::vector<std::string>* paths;
};

/// Files that were taken out of those of a scan: "2 flats, 1 dark in scan2".
struct FilesTakenOut {
  std::string what;
  std::size_t count = 0;
};

/// Takes the files of all kinds that lie in folders of other scans out of those of the scan in
/// `folder`, and returns them, by these folders. Each of these holds several `images` that are no
/// flats or darks, but no projection of this scan, nor a folder with some.
std::vector<FilesTakenOut> take_out_other_scans(const std::string& folder,
                                                const std::vector<std::string>& images,
                                                const std::vector<std::string>& projections,
                                                std::span<const FilesOfKind> kinds);

}  // namespace gantry
