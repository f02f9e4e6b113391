#pragma once

#include "core/io/imports/import_scan.hpp"

#include <string>

namespace gantry {

/// Projections of clinical scanners in DICOM-CT-PD: circles, helices, arc and flat detectors, table
/// positions and flying focal spots. A folder of files with a projection each, or with one file of
/// all. In a build without DICOM the format is recognised, but not read.
ImportFormat ct_pd_scan_format();

/// Opens such a scan. Throws InputError; UsageError in a build without DICOM.
RawScan read_ct_pd_scan(const ImportRequest& request);

}  // namespace gantry
