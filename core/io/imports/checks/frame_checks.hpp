#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// What is kept of a frame of counts: of its finite values; zeros where it has none.
struct FrameSummary {
  float largest = 0;
  std::size_t at_largest = 0;  ///< cells with the largest value
  double mean = 0;
  /// What one of a hundred cells does not reach, and what one of a hundred is above, of cells
  /// spread over the frame: single cells that are dead or hot do not count.
  float low = 0, high = 0;
};
FrameSummary summary_of(std::span<const float> values);

/// Returns a note where more than 0.5 % of all cells of frames share the largest value, and that is
/// the largest number of 8, 10, 12, 14, 15 or 16 bits: the detector was saturated. `kind`: "flats".
std::optional<std::string> saturation_note(std::span<const FrameSummary> frames, std::size_t cells,
                                           const std::string& kind);

/// Returns the indices of frames whose mean less that of the dark is below 0.5 % of the largest
/// such one: they were not measured, or the shutter was closed. None where no frame is brighter
/// than the dark.
std::vector<int> unlit_frames(std::span<const FrameSummary> frames, double dark);

/// Frames that were taken with the shutter closed.
struct ClosedFrames {
  std::vector<int> indices;        ///< rising
  bool may_be_darks = false;       ///< of a scan without: several, even and alike, and not empty
  std::vector<int> doubtful = {};  ///< as dark, but among the others, or many
};

/// Returns the frames that stand out as without beam though no dark is known: those of
/// unlit_frames() with a dark of 0, and, at the beginning and at the end, those of which even the
/// bright cells are below a tenth of the median of all frames and below a third of every other
/// frame.
ClosedFrames closed_frames(std::span<const FrameSummary> frames);

/// Returns those of unlit_frames() that are surely without beam: those that are empty, at the
/// beginning and at the end up to a quarter of all, and among the others up to one of fifty (one at
/// least). An object may absorb nearly all in more views than these.
ClosedFrames closed_frames(std::span<const FrameSummary> frames, double dark);

/// Returns the first and the last of the frames that look like flats among projections: two or more
/// at the beginning, at the end or at both, but for those `without` beam, that are alike within a
/// hundredth and more than a twentieth brighter than all others. `dark`: its mean.
std::vector<std::pair<int, int>> flats_among(std::span<const FrameSummary> frames,
                                             std::span<const int> without, double dark);

/// Two groups of flats, by their indices, of which the beam of one is that `part` darker than the
/// beam of the other.
struct FlatsApart {
  std::vector<int> dimmer, brighter;
  double part = 0;
};

/// Returns the dimmest and the brightest of some groups of flats, by the median of each, where
/// these differ by more than 2 %. `beams`: the mean of each flat less that of the dark.
std::optional<FlatsApart> flats_apart(std::span<const double> beams,
                                      const std::vector<std::vector<int>>& groups);

/// Returns groups of flats that differ so where nothing but the order of the flats is known: those
/// before and behind the place where the beam changed most, if this change explains 0.7 of the
/// differences of all flats or is larger than 4 standard errors. Otherwise the dimmest and the
/// brightest flat, if all scatter so much that their mean has a standard error above 1 %.
std::optional<FlatsApart> flats_apart(std::span<const double> beams);

/// The sizes of values [view][row][column].
struct FrameSizes {
  int views = 0, rows = 0, columns = 0;
};

/// Returns the mean of all values of each column, without those of some views.
std::vector<double> column_means(std::span<const float> values, const FrameSizes& sizes,
                                 std::span<const int> without = {});

/// Returns a note where the line integrals are below -0.05 on average in one of twenty columns at
/// least, the beam of the projections having been that much stronger than `beam`: "the flats".
std::optional<std::string> weak_beam_note(std::vector<double> means_of_columns,
                                          const std::string& beam);

/// Returns a note where no projection comes near the beam that is stated for them: the largest
/// value less than a quarter of it. `beam`: "the beam that the files state".
std::optional<std::string> unseen_beam_note(std::span<const FrameSummary> projections,
                                            double stated_beam, const std::string& beam);

/// Whether a value has no digits behind the point; std::trunc would be a call for each value, since
/// the oldest processors of x86-64 have no instruction for it.
inline bool is_whole(float value) {
  constexpr float all_whole = 1 << 23;  // from here on floats have no digits behind the point
  // Without branches, so that the compiler makes vector instructions; NaN becomes -all_whole.
  const float within = std::min(std::max(-all_whole, value), all_whole);
  return (static_cast<float>(static_cast<int>(within)) == value) | (std::abs(value) >= all_whole);
}

/// Whether all values are whole numbers, as counts are.
bool are_whole(std::span<const float> values);

/// Returns why values without a flat are line integrals already, for a note; nothing where they may
/// be intensities. Whole numbers are counts. Others are line integrals if more than 2 % are not
/// above 0, as in air, unless they are about 1 at the sides and less in the middle; or if they are
/// below 20 and larger in the middle columns than in the outer ones, where an object is thinner and
/// intensities are larger. `without`: views that do not count, whose values are 0.
std::optional<std::string> why_line_integrals(std::span<const float> values,
                                              const FrameSizes& sizes,
                                              std::span<const int> without = {});

}  // namespace gantry
