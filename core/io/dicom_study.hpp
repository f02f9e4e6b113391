#pragma once

#include "core/io/dicom_file.hpp"
#include "core/io/loaded_volume.hpp"

#include <memory>

namespace gantry {

/// The attributes of patient, study, frame of reference and acquisition that a series derived from
/// this image should repeat. Instance UIDs are left to the caller.
DicomStudy read_study(const DicomHeader& header);

/// The attributes that a DicomStudy carries, in the order of their numbers.
std::span<const DicomTag> study_tags();

}  // namespace gantry
