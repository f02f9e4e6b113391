#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gantry {

/// How much the removal of stripes changed sinograms, and how much of that looks like stripes:
/// the mean over all views, without what is wider than a stripe of a 48th of the columns. The rest
/// of a change is structure of the object, or noise.
class StripeChange {
 public:
  StripeChange() = default;  ///< of no values
  /// `removed`: what was subtracted from a sinogram, [view][column]; `values`: what it was
  /// subtracted from, or what is left.
  StripeChange(std::span<const float> removed, std::span<const float> values, int columns);

  StripeChange& operator+=(const StripeChange& other);
  /// Return root mean squares: that of the whole change, and that of the change without what looks
  /// like stripes, as parts of that of the values.
  double whole() const;
  double beside_stripes() const;
  /// Returns both, as a part of a note.
  std::string text() const;
  /// Returns a warning where more than 2 % beside stripes changed, as structure of the object that
  /// was taken for stripes; else nothing. `remedy`: "use fewer levels".
  std::string warning(const std::string& remedy) const;

 private:
  double all_ = 0, beside_ = 0, values_ = 0;  // sums of squares
};

}  // namespace gantry
