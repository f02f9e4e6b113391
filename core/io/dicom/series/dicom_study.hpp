#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/io/dicom/file/dicom_file.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>

namespace gantry {

/// The attributes of patient, study, frame of reference and acquisition that a series derived from
/// this image should repeat. Instance UIDs are left to the caller.
DicomStudy read_study(const DicomHeader& header);

/// How this image was taken: those of slice_tags() that it has.
std::map<std::string, std::string> read_slice(const DicomHeader& header);

/// What modulated scans vary from slice to slice.
std::span<const DicomTag> slice_tags();

/// The attributes that a DicomStudy carries, in the order of their numbers.
std::span<const DicomTag> study_tags();

}  // namespace gantry
