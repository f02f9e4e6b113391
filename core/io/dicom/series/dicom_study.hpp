#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/io/dicom/file/dicom_file.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>

namespace gantry {

/// Returns the attributes of patient, study, frame of reference and acquisition that a series
/// derived from this image should repeat. The caller adds the instance UIDs.
DicomStudy read_study(const DicomHeader& header);

/// Returns how this image was acquired: those of slice_tags() that it has, by keyword.
std::map<std::string, std::string> read_slice(const DicomHeader& header);

/// Returns the acquisition attributes that may differ from slice to slice, as with tube current
/// modulation.
std::span<const DicomTag> slice_tags();

/// Returns the attributes that a DicomStudy holds, ordered by group.
std::span<const DicomTag> study_tags();

}  // namespace gantry
