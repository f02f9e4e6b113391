// One line per format of geometries.
#include "core/io/geometries/geometry_formats.hpp"

#include "core/base/error.hpp"
#include "core/io/geometries/astra_geometry.hpp"
#include "core/io/geometries/projection_matrices.hpp"
#include "core/io/geometries/rtk_geometry.hpp"

namespace gantry {

const FormatRegistry<GeometryFormat>& geometry_formats() {
  static const FormatRegistry<GeometryFormat> formats = [] {
    FormatRegistry<GeometryFormat> all{"geometry format"};
    all.add(rtk_geometry_format());
    all.add(astra_json_format());
    all.add(astra_cone_format());
    all.add(astra_fan_format());
    all.add(astra_parallel_format());
    all.add(projection_matrices_format());
    return all;
  }();
  return formats;
}

ScanSpec poses_on_detector(const KnownDetector& known, const std::string& where,
                           const std::string& remedy) {
  if (known.columns < 1 || known.rows < 1)
    throw InputError("does not state the size of the detector", where, remedy);
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.detector = DetectorShape::flat;
  spec.trajectory = Trajectory::poses;
  spec.detector_columns = known.columns;
  spec.detector_rows = known.rows;
  spec.central_column = 0.5 * (known.columns - 1);
  spec.central_row = 0.5 * (known.rows - 1);
  return spec;
}

}  // namespace gantry
