#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/imports/import_settings.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gantry {

struct LineIntegrals {
  std::vector<float> values;       ///< -ln T, no unit, [view][row][column], row 0 lowest
  std::vector<std::string> notes;  ///< left out views, replaced and clipped cells, saturation, ...
  std::string first_note;          ///< that comes before those of the files; empty: none
  bool lacks_flat = false;         ///< a beam was assumed that is the same in all cells
  std::vector<int> left_out;       ///< views that were not measured, rising; their values are void
  /// Those of them that may serve as darks, of a scan without any.
  std::vector<int> closed;
  std::string like_flats;  ///< projections that look like flats; empty: none
};

/// Computes the line integrals -ln T of the projections, with the transmission
///   T = (projection - dark) / (flat - dark)
/// (without darks: dark = 0; without flats: flat = RawScan::white_level, else the beam that
/// assumed_beam() finds in the projections, unless it finds line integrals, which a note says;
/// interpolated: flat = (1 - w) f + w g of
/// view i, the means f and g of the flats taken before and after it, at the times s and t of
/// RawScan::flat_views, w = (i - s) / (t - s)). Rows are turned over unless RawScan::begins_lowest,
/// since files begin with the uppermost and rows of a scan rise along z. Cells whose flat is not
/// above their dark are dead: they get the mean of their neighbours' line integrals, and do not
/// count as air. So do cells of single projections that are not finite (UnmeasuredValues). A
/// transmission below 1e-6 is taken as 1e-6. Not measured are views without a beam, by
/// closed_frames(), and views with more than a quarter of values that are not
/// finite. Throws InputError: frames of different sizes, no view that was measured, more than a
/// quarter of the cells dead, no air in the air columns, or no columns beside them, flats of
/// unknown or one time that are to be interpolated. `progress` gets the part that is read, 0 to 1,
/// from several threads; empty: nothing is told. May throw Interrupted.
LineIntegrals line_integrals_of(const RawScan& scan, const NormaliseOptions& options,
                                const std::function<void(double)>& progress = {},
                                const Interrupt* interrupt = nullptr);

}  // namespace gantry
