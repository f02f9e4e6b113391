// A build without DICOM.
#include "tests/fuzz/fuzzed_parts.hpp"

namespace gantry::test {

std::vector<FuzzedReader> fuzzed_dicom_readers() { return {}; }

}  // namespace gantry::test
