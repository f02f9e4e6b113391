#pragma once

#include "core/geometry/suitable_scans.hpp"

#include <QString>

namespace gantry {

/// Returns why an algorithm cannot be used with a scan, and which scans it takes; empty if it can.
QString why_unsuitable(const SuitableScans& scans, const ScanGeometry& geometry);

}  // namespace gantry
