#include "core/io/imports/checks/unlike_frames.hpp"

#include "core/base/median.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

constexpr std::size_t least_cells = 8, most_blocks = 16;  // along a side
constexpr double most_apart = 0.1, most_brightness_apart = 0.2;

double mean_of(const std::vector<float>& picture) {
  return std::accumulate(picture.begin(), picture.end(), 0.0) / static_cast<double>(picture.size());
}

/// Returns the median of all pictures, block by block.
std::vector<float> middle_of(std::span<const std::vector<float>> pictures) {
  std::vector<float> middle, values(pictures.size());
  for (std::size_t block = 0; block < pictures.front().size(); ++block) {
    std::ranges::transform(pictures, values.begin(),
                           [=](const std::vector<float>& one) { return one[block]; });
    middle.push_back(upper_median(values));
  }
  return middle;
}

/// Returns the largest difference of a block, less an offset and scaled, from that of another
/// picture, less the offset.
double farthest(const std::vector<float>& picture, const std::vector<float>& other, double offset,
                double scale) {
  double most = 0;
  for (std::size_t block = 0; block < picture.size(); ++block)
    most = std::max(most, std::abs((picture[block] - offset) * scale - (other[block] - offset)));
  return most;
}

/// Returns the indices of pictures that are unlike their median.
template <class IsUnlike>
std::vector<int> unlike(std::span<const std::vector<float>> pictures, const IsUnlike& is_unlike) {
  std::vector<int> found;
  if (pictures.size() < 2 || pictures.front().empty()) return found;
  const std::vector<float> middle = middle_of(pictures);
  for (std::size_t i = 0; i < pictures.size(); ++i)
    if (is_unlike(pictures[i], middle)) found.push_back(static_cast<int>(i));
  return found;
}

}  // namespace

std::vector<float> coarse_picture(std::span<const float> values, std::size_t columns) {
  const std::size_t rows = values.size() / columns;
  const auto blocks_of = [](std::size_t cells) {
    return std::clamp<std::size_t>(cells / least_cells, 1, most_blocks);
  };
  const std::size_t across = blocks_of(columns), along = blocks_of(rows);
  std::vector<float> picture, block;
  for (std::size_t j = 0; j < along; ++j)
    for (std::size_t i = 0; i < across; ++i) {
      block.clear();
      for (std::size_t row = j * rows / along; row < (j + 1) * rows / along; ++row)
        for (std::size_t at = i * columns / across; at < (i + 1) * columns / across; ++at)
          if (const float value = values[row * columns + at]; std::isfinite(value))
            block.push_back(value);
      picture.push_back(block.empty() ? 0 : upper_median(block));
    }
  return picture;
}

std::vector<int> unlike_flats(std::span<const std::vector<float>> pictures, double dark) {
  return unlike(pictures, [=](const std::vector<float>& one, const std::vector<float>& middle) {
    const double beam = mean_of(middle) - dark, own = mean_of(one) - dark;
    return beam > 0 && (std::abs(own - beam) > most_brightness_apart * beam ||
                        farthest(one, middle, dark, beam / own) > most_apart * beam);
  });
}

std::vector<int> unlike_darks(std::span<const std::vector<float>> pictures, double beam) {
  return unlike(pictures, [=](const std::vector<float>& one, const std::vector<float>& middle) {
    return farthest(one, middle, 0, 1) > most_apart * beam;
  });
}

}  // namespace gantry
