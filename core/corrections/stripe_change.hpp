#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gantry {

/// How much the removal of stripes changed sinograms, and how much of the change looks like
/// stripes: its mean over all views, without parts wider than a 48th of the columns. The rest of a
/// change is structure of the object, or noise.
class StripeChange {
 public:
  StripeChange() = default;  ///< of no values
  /// `removed`: what was subtracted from a sinogram, [view][column]; `values`: what it was
  /// subtracted from, or what is left.
  StripeChange(std::span<const float> removed, std::span<const float> values, int columns);

  StripeChange& operator+=(const StripeChange& other);
  /// Return two root mean squares in units of that of the values: of the whole change, and of the
  /// part of the change that does not look like stripes.
  double whole() const;
  double beside_stripes() const;
  /// Returns both, as a part of a note.
  std::string text() const;
  /// Returns a warning where the part that does not look like stripes is more than 2 %, because
  /// structure of the object may have been taken for stripes; else nothing. `remedy`: "use fewer
  /// levels".
  std::string warning(const std::string& remedy) const;

 private:
  double all_ = 0, beside_ = 0, values_ = 0;  // sums of squares
};

}  // namespace gantry
