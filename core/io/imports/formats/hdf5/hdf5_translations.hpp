#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gantry {

/// The axes along which a file gives the translations of the sample, and how that is known; without
/// axes, why it is not.
struct StatedAxes {
  std::optional<TranslationAxes> axes;  ///< nexus or esrf
  std::string why;
  bool are_left_out = false;  ///< by the request
};

/// Returns the axes of an NXtomo: those that the request says, those that an attribute
/// NeXus_Coordinate_System of a group around the frames names, those of ESRF in files that state
/// their version without it, which nxtomo wrote before it used the axes of NeXus, else these.
StatedAxes nxtomo_axes(const Hdf5File& file, const Hdf5Dataset& frames,
                       const ImportRequest& request);
/// Returns the axes of DataExchange, which does not define translations: those that the request
/// says, if it does.
StatedAxes exchange_axes(const ImportRequest& request);

/// Takes the translations of the sample, x_translation and so on with a number for each of `count`
/// frames or for each projection, that change over these frames, the projections, as moves of the
/// object against the mean, since the zero of a motor is arbitrary. Columns run to the right as
/// seen from the source, and the first row is the uppermost, unless the detector is turned over
/// (its transformations, or x_flipped and y_flipped). What cannot be taken is noted. Throws
/// InputError for lists of another length or type, unless translations are not taken anyhow.
void take_translations(const Hdf5File& file, const Hdf5Dataset& frames, std::uint64_t count,
                       std::span<const std::uint64_t> projections, const StatedAxes& stated,
                       RawScan& scan);

}  // namespace gantry
