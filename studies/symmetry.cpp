// How many views of a scan must be stored where rotations by 90 degrees and mirrors map the scan
// onto itself: the dihedral group of the square has 8 elements. Yu et al. 2019 store 90 of 720
// views, an eighth.
#include "core/geometry/symmetry.hpp"

#include "studies/study_list.hpp"

#include <map>

namespace gantry {

namespace {

struct Orbits {
  std::size_t elements = 0, views = 0, rays = 0, of_eight = 0, of_four = 0;
};

/// Analyses a full turn of a fan beam on an arc over a centred square; the first view is `start`
/// steps off the axis, the detector `offset` cells off the middle.
Orbits orbits(int views, int columns, double start, double offset) {
  ScanSpec spec;
  spec.beam = Beam::fan;
  spec.detector = DetectorShape::arc;
  spec.source_to_isocenter_mm = 541;
  spec.source_to_detector_mm = 949;
  spec.detector_columns = columns;
  spec.column_pitch_mm = spec.row_pitch_mm = 1;
  spec.central_column = 0.5 * (columns - 1) + offset;
  spec.view_angles_rad = angles_from_degrees(start * 360.0 / views, 360.0 / views, views);
  const ScanSymmetry symmetry(ScanGeometry(spec), VolumeGrid::centered(64, 64, 1, {1, 1, 1}));
  Orbits found{symmetry.elements().size(), symmetry.stored_views().size(), symmetry.stored_rays()};
  std::map<int, int> size;
  for (const ScanSymmetry::Image& image : symmetry.images()) ++size[image.stored_view];
  for (const auto& [view, images] : size) {
    found.of_eight += images == 8;
    found.of_four += images == 4;
  }
  return found;
}

}  // namespace

StudyResult study_symmetry(const StudyOptions&) {
  StudyTable table = StudyTable::comparing("symmetry", "Views to store of a full turn",
                                           {{"views", ""},
                                            {"first view", "steps"},
                                            {"detector offset", "cells"},
                                            {"elements", ""},
                                            {"orbits of 8", ""},
                                            {"orbits of 4", ""},
                                            {"rays to store", "%"}},
                                           "views");
  struct Case {
    int views, columns;
    double start, offset;
    StudyCell printed;
  };
  for (const Case& c :
       {Case{720, 1024, 0.5, 0, StudyCell::exact_count(90)}, Case{720, 1024, 0, 0, {}},
        Case{360, 1024, 0.5, 0, {}}, Case{360, 1024, 0, 0, {}}, Case{984, 888, 0.5, 0, {}},
        Case{984, 888, 0, 0, {}}, Case{984, 888, 0.5, 1.25, {}}, Case{12, 16, 0.5, 0, {}},
        Case{12, 16, 0, 0, {}}, Case{20, 16, 0.5, 0, {}}, Case{20, 16, 0, 0, {}}}) {
    const Orbits found = orbits(c.views, c.columns, c.start, c.offset);
    table.compare({1.0 * c.views, c.start, c.offset, static_cast<double>(found.elements),
                   static_cast<double>(found.of_eight), static_cast<double>(found.of_four),
                   100.0 * static_cast<double>(found.rays) / (1.0 * c.views * c.columns)},
                  c.printed, static_cast<double>(found.views), like_for_like);
  }
  StudyResult result;
  result.notes = {
      "Printed: 90 of 720 views are stored. That holds where the first view stands half a step off "
      "an axis. With a view on the axis those at 0 and 45 degrees are their own mirrors: 91 views "
      "are needed, of the two only half of the rays, so that rays still come to an eighth.",
      "A detector off the middle loses the mirrors and keeps the four rotations."};
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace gantry
