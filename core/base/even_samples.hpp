#pragma once

#include <algorithm>
#include <vector>

namespace gantry {

/// Returns `most` of the numbers 0 .. count - 1, ascending, in the middle of equal parts; all of
/// them where there are fewer.
inline std::vector<int> middle_samples(int count, int most) {
  const int samples = std::min(count, most);
  std::vector<int> numbers;
  for (int i = 0; i < samples; ++i)
    numbers.push_back(static_cast<int>((i + 0.5) * count / samples));
  return numbers;
}

/// Returns `most` of the numbers 0 .. count - 1, ascending, at equal steps, the first and the last
/// among them; all of them where there are fewer.
inline std::vector<int> samples_to_the_ends(int count, int most) {
  const int samples = std::min(count, most);
  std::vector<int> numbers;
  for (int i = 0; i < samples; ++i) numbers.push_back(i * (count - 1) / std::max(1, samples - 1));
  return numbers;
}

}  // namespace gantry
