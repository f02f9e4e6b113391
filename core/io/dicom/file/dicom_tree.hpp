#pragma once

#include <string>

class DcmFileFormat;
class OFCondition;

namespace gantry {

/// How far a DICOM file is read.
enum class DicomExtent { header, whole };

/// Reads a DICOM file into the tree of the DICOM library. The library descends by recursion and
/// keeps an object for each element, however small: here it is given a stack of known size and a
/// stream that ends when the file turns out too deep, too large unpacked or too slow to parse.
/// Returns the library's own verdict. Throws InputError when sequences lie more than 64 deep, or
/// the contents exceed allowed_memory() of the file or the time allowed; std::system_error when
/// there is no memory for the stack.
OFCondition load_dicom_tree(DcmFileFormat& file, const std::string& path, DicomExtent extent);

}  // namespace gantry
