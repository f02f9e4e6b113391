#pragma once

#include <cstddef>
#include <span>

namespace gantry {

/// Continues the middle of a detector row, `measured` values from index `first` on, by `added`
/// values at both ends. The value d columns beyond an end of the value e is 2 e - p(d), where p(d)
/// lies d columns inside, but between 0 and 2 e, times cos(pi d / (2 (added + 1))): smooth at the
/// end, 0 where nothing is truncated. After Ohnesorge, Flohr, Schwarz, Heiken and Bae, "Efficient
/// correction for CT image artifacts caused by objects extending outside the scan field of view",
/// Medical Physics 27 (2000) 39. The row has room for these values.
void extrapolate_row(std::span<float> row, std::size_t first, std::size_t measured,
                     std::size_t added);

}  // namespace gantry
