#pragma once

#include "tests/fuzz/fuzzed_readers.hpp"

#include <vector>

namespace gantry::test {

/// Returns the readers of DICOM files and of what lies in them; none in a build without DICOM.
std::vector<FuzzedReader> fuzzed_dicom_readers();

/// Returns the readers of the program's own files, for which the catalogue is needed.
std::vector<FuzzedReader> fuzzed_job_readers();

}  // namespace gantry::test
