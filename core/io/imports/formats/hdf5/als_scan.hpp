#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// An image of a scan of beamline 8.3.2 of the Advanced Light Source before 2020, in which each is
/// a data set of its own, called as its group: of the group /NAME the projections
/// NAME_0000_0012.tif, the flats NAMEbak_0003_0000.tif and the darks NAMEdrk_0003_0000.tif.
struct AlsImage {
  const Hdf5Dataset* data = nullptr;
  int series = 0;           ///< of a projection, the first number, else 0; of a flat its own number
  std::optional<int> view;  ///< of a projection; of a flat that before which it was taken
};
struct AlsImages {
  std::string group;  ///< "/NAME"
  std::vector<AlsImage> projections, flats, darks;
};

/// Returns the images of such a file; without projections where it is none.
AlsImages als_images(const Hdf5File& file);

/// Returns the scan of such images, with what the attributes of their group state: nangles, the
/// number of projections, arange, the degrees from the first to the last, and pxsize, the size of a
/// cell at the object in mm. Throws InputError, and UsageError for a request of other axes.
RawScan als_scan(const std::shared_ptr<const Hdf5File>& file, const AlsImages& images,
                 const ImportRequest& request);

}  // namespace gantry
