#pragma once

#include "core/corrections/stripe_change.hpp"

#include <cstddef>
#include <span>

namespace gantry {

struct StripeSettings {
  double snr = 3;         ///< from which on a column stands out of the others
  int large_window = 61;  ///< columns of the median filter that bridges large stripes
  int small_window = 21;  ///< columns of the median filter against small and medium stripes
  double dropped = 0.1;   ///< part of each column's values, half at each end, that means leave out
};

/// Columns of a sinogram that were found to be stripes.
struct StripeCounts {
  std::size_t interpolated = 0;  ///< unresponsive or fluctuating
  std::size_t levelled = 0;      ///< offset alike in all views
  std::size_t smoothed = 0;      ///< large stripes
  StripeChange change;           ///< of the values, once those columns were interpolated

  StripeCounts& operator+=(const StripeCounts& other) {
    interpolated += other.interpolated;
    levelled += other.levelled;
    smoothed += other.smoothed;
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
///   is at least twice that median;
/// - 5: in large stripes, the values, sorted, become the medians of equally ranked ones of
///   large_window columns;
/// - 4: in both, a column is a stripe if its number lies outside a line, fitted to the middle half
///   of the sorted numbers of all columns, by snr / 2 times the line's rise, provided that the
///   outermost number does by snr times;
/// - 3: all columns, sorted, are smoothed so with small_window.
/// After algorithm 6, offsets that are the same in all views are taken off
/// (take_off_column_offsets()), of stripes up to a third of large_window wide: where an object
/// slopes, the medians of algorithms 5 and 3 keep of a stripe half its width times the slope.
/// Four things are not as in the paper. Its data are transmissions, and its algorithm 5
/// compares columns by quotients; of line integrals these are differences, which stay meaningful in
/// air. Its algorithm 6 takes a mean over 10 views, from which a moving edge differs as noise does,
/// and asks for no factor of 2. Large windows wider than a twelfth of the columns and small ones
/// wider than a 32nd, which would see the object's shape and edges, are narrowed to that. Algorithm
/// 5 leaves columns whose sorted values do not lie to one side of the medians in 9 of 10 ranks,
/// since there edges of the object pass. Needs 3 views and 8 columns at least; leaves smaller
/// sinograms as they are.
StripeCounts remove_stripes(std::span<float> sinogram, int views, int columns,
                            const StripeSettings& settings);

/// Returns the memory that remove_stripes() takes, bytes.
std::size_t stripe_workspace_bytes(int views, int columns);

}  // namespace gantry
