#pragma once

#include "core/io/imports/import_scan.hpp"
#include "tests/support/data.hpp"

namespace gantry::test {

/// Returns the measured neutron sinogram with rings, scans-in/sino_neutron360_rings of the real
/// data: two of its columns see no beam in many views.
inline LoadedScan neutron_sinogram() {
  ImportRequest request;
  request.path = data_path("scans-in/sino_neutron360_rings/sinogram_360_neutron_image.tif");
  request.arc_deg = 360;
  request.centre = 244.75;
  request.normalise.air_columns = 30;
  return import_scan(request).scan;
}

}  // namespace gantry::test
