#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/io/dicom/writer/dicom_encode.hpp"

#include <span>

namespace gantry {

/// What de-identification does with an attribute, by the codes of DICOM PS3.15, table E.1-1.
enum class ConfidentialityAction : char { remove = 'X', empty = 'Z', new_uid = 'U', keep = 'K' };

struct ConfidentialityRule {
  DicomTag tag;
  ConfidentialityAction action;
};

/// Returns a rule for each attribute that this program writes, after the basic application level
/// confidentiality profile (PS3.15, annex E, 2024b). The profile lets a program replace some values
/// by others (actions D, X/D, Z/D); these attributes are removed or emptied here. So are free texts
/// that the profile keeps, but that a source may have filled with a name: body part, kernel,
/// position reference and compression method. An attribute without a rule is removed.
std::span<const ConfidentialityRule> confidentiality_rules();

/// Returns an image without what identifies the patient, by confidentiality_rules(), and with the
/// attributes that say so (PatientIdentityRemoved, method and code 113100,
/// LongitudinalTemporalInformationModified REMOVED). `study` is the source's, null where there is
/// none.
/// UIDs are replaced by replaced_dicom_uid(), where the secret is what the source says of study and
/// patient (StudyInstanceUID, PatientID, PatientBirthDate): series of one study stay in one study
/// and one frame of reference, however often and in which order they are written, and no file has
/// to hold a table. A UID alone is not enough to find its replacement; whoever has these three
/// values of a patient can confirm that an image is his, as he can by comparing pixels.
/// Source images of other classes than CT are not referred to, since any number could be such a
/// class. The pixels stay as they are: a face in them can be recognised. Throws OutputError where
/// the source says that text in its pixels identifies the patient (BurnedInAnnotation YES).
DicomImageFile deidentified(DicomImageFile image, const DicomStudy* study);

}  // namespace gantry
