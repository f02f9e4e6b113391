#pragma once

#include <string>

class DcmFileFormat;
class OFCondition;

namespace gantry {

/// What is read of a DICOM file: all elements before the pixel data, or the whole file.
enum class DicomExtent { header, whole };

/// Reads a DICOM file into DCMTK's tree of elements. DCMTK descends into sequences by recursion and
/// allocates an object for every element, so that a damaged file could exhaust stack or memory.
/// Therefore the file is parsed on a thread with a stack of known size, from a stream that reports
/// the end of the file once nesting depth, unpacked size or parsing time exceed a limit.
/// Returns DCMTK's status. Throws InputError when sequences are nested more than 64 deep, when the
/// contents exceed allowed_memory() of the file or the allowed processor time, or when a deflated
/// data set is cut short or followed by other data; std::bad_alloc when the thread cannot be
/// started.
OFCondition load_dicom_tree(DcmFileFormat& file, const std::string& path, DicomExtent extent);

}  // namespace gantry
