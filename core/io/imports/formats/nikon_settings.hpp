#pragma once

#include "core/io/imports/formats/numbered_tiff.hpp"

#include <string>

namespace gantry {

/// What the settings of a Nikon scan say.
struct NikonSettings : TiffSettings {
  OffCircle leaning;  ///< how its axis leans
};

/// Reads the settings of a Nikon (X-Tek) scan, a file .xtekct, and the angles as measured in
/// _ctdata.txt or NAME.ang beside them.
///
/// Projections show the object as seen from behind the detector, so that columns run from right to
/// left as seen from the source; those of the geometry run to the right (MirroredFrames). With
/// that, source and detector turn counter-clockwise about the object by rising angles, as the
/// reader of the Core Imaging Library takes them too. Nikon's x runs along the columns of the
/// files, y upwards.
///
/// Fields that contradict each other are noted: the size of a voxel is that of a detector cell at
/// the axis; both statements of the place of the axis agree; projections times angular step are a
/// whole turn; measured angles are near the nominal
/// ones; no key occurs twice with different values. Throws InputError.
NikonSettings read_nikon_settings(const std::string& path);

}  // namespace gantry
