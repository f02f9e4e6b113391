#pragma once

#include "core/corrections/stripe_change.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace gantry {

struct StripeSettings {
  double snr = 3;         ///< difference from the others, or from none, that makes a stripe
  int large_window = 61;  ///< columns of the median filter that bridges large stripes
  int small_window = 21;  ///< columns of the median filter against small and medium stripes
  double dropped = 0.1;   ///< part of the sorted values, half at each end, that means leave out
};

/// Columns of a sinogram that were found to be stripes.
struct StripeCounts {
  std::size_t interpolated = 0;  ///< unresponsive or fluctuating
  std::size_t levelled = 0;      ///< with the same offset in all views
  std::size_t smoothed = 0;      ///< large stripes
  std::size_t small = 0;         ///< small and medium stripes
  std::size_t kept = 0;          ///< alike on both sides of the axis: left as the object
  StripeChange change;           ///< of the values, once those columns were interpolated

  StripeCounts& operator+=(const StripeCounts& other) {
    interpolated += other.interpolated;
    levelled += other.levelled;
    smoothed += other.smoothed;
    small += other.small;
    kept += other.kept;
    change += other.change;
    return *this;
  }
};

/// Removes stripes along the views from a sinogram, [view][column], in place, by algorithms 6, 5, 4
/// and 3 of Vo, Atwood and Drakopoulos, "Superior techniques for eliminating ring artifacts in
/// X-ray micro-tomography", Optics Express 26 (2018) 28396, in this order:
/// - 6: unresponsive and fluctuating columns are interpolated. The fluctuation of a column is how
///   much its values differ from the mean of the views before and after. A column is unresponsive
///   if its fluctuation is at most half the median of large_window columns, and fluctuating if it
///   is at least twice that median; a run of such columns begins and ends with a step to less than
///   half or more than twice the fluctuation of the column beside it;
/// - 5: the values of columns in large stripes are sorted and replaced by the medians of the values
///   of equal rank in large_window columns;
/// - 4 detects stripes for 6 and 5, from one number for each column: the sorted numbers of all
///   columns are compared with a line fitted to their middle half. A column is a stripe if its
///   number lies outside the line by snr / 2 times the rise of the line, provided that the
///   outermost number lies outside by snr times the rise;
/// - 3: the sorted values of columns with a small stripe are smoothed as in algorithm 5, with
///   small_window.
/// After algorithm 6, offsets that are the same in all views are subtracted from stripes up to a
/// third of large_window wide (take_off_column_offsets()): where the object slopes, the medians of
/// algorithms 5 and 3 would leave an error of half the width of a stripe times the slope.
///
/// Seven things differ from the paper:
/// - its data are transmissions, and its algorithm 5 compares columns by quotients; here line
///   integrals are compared by differences, which remain meaningful in air;
/// - its algorithm 6 uses a mean over 10 views, from which a moving edge differs as much as noise
///   does, and no factor of 2;
/// - large windows are limited to a twelfth of the columns, small windows to a 32nd, because wider
///   ones would flatten the object's shape and edges;
/// - algorithm 5 leaves columns whose sorted values do not lie on one side of the medians in 9 of
///   10 ranks, by 0.3 of their mean distance at least, because there edges of the object pass;
/// - algorithm 3 leaves columns whose sorted values do not do so in 3 of 4 ranks, or whose mean
///   distance is less than snr times its standard error by the noise of the views: medians of all
///   columns would add noise, and streaks beside small features, where there are no stripes;
/// - and columns that do not lie between two steps of the mean, at most half the window apart:
///   edges of an object that is symmetric about the axis are steep on one side alone;
/// - what columns have in common with their mirror images about the axis is no stripe and stays
///   (MirroredColumns), because medians would flatten the walls of a thin tube about the axis.
/// `axis`: its column, a fractional index; nothing where it is unknown, or where what is alike on
/// both sides is stripes.
/// Needs at least 3 views and 8 columns; smaller sinograms are left as they are.
StripeCounts remove_stripes(std::span<float> sinogram, int views, int columns,
                            const StripeSettings& settings, std::optional<double> axis = {});

/// Returns the memory that remove_stripes() takes, bytes.
std::size_t stripe_workspace_bytes(int views, int columns);

}  // namespace gantry
