#include "studies/tensor_cores/pictures.hpp"

#include "core/data/resample.hpp"
#include "studies/matrix_study_context.hpp"

#include <cmath>
#include <map>

namespace gantry::tensor_cores {

namespace {

constexpr const char* phantoms[] = {
    "shepp_logan", "forbild_head",     "forbild_thorax", "forbild_abdomen", "forbild_hip",
    "forbild_jaw", "contrast_inserts", "bar_pattern",    "discs",           "orientation"};

/// Returns a picture resampled on a slice, with its longer side as long as the slice is wide.
std::vector<float> fitted(const StudyPicture& picture, const VolumeGrid& slice) {
  const double width = slice.nx * slice.spacing_mm.x,
               pixel = width / std::max(picture.nx, picture.ny);
  return resample_volume(VolumeGrid::centered(picture.nx, picture.ny, 1, {pixel, pixel, 1}),
                         picture.values, slice);
}

void append(Pictures& to, const std::string& name, std::vector<float> values) {
  float most = 0;
  for (float& value : values) most = std::max(most, value = std::max(value, 0.0F));
  if (!(most > 0)) return;  // the relative error of an empty slice is undefined
  for (float& value : values) value /= most;
  to.names.push_back(name);
  to.values.insert(to.values.end(), values.begin(), values.end());
}

}  // namespace

std::string Pictures::describe() const {
  std::vector<std::pair<std::string, int>> groups;
  for (const std::string& name : names) {
    if (groups.empty() || groups.back().first != name) groups.emplace_back(name, 0);
    ++groups.back().second;
  }
  std::string all;
  for (const auto& [name, count] : groups)
    all += (all.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " of " : "") + name;
  return all;
}

Pictures make_pictures(const StudyContext& context, const VolumeGrid& grid) {
  VolumeGrid slice = grid;
  slice.nz = 1;
  slice.origin_mm.z = 0;
  const auto count = static_cast<std::size_t>(grid.nz);
  Pictures made;
  const auto room = [&] { return made.names.size() < count; };
  for (const char* key : phantoms)
    if (room()) append(made, key, square_phantom(context, key, {}, slice));
  const std::vector<StudyPicture>& given = context.pictures();
  const std::size_t wanted = std::min(count - made.names.size(), given.size());
  for (std::size_t i = 0; i < wanted; ++i) {
    const StudyPicture& picture = given[(2 * i + 1) * given.size() / (2 * wanted)];
    append(made, picture.name, fitted(picture, slice));
  }
  for (std::int64_t seed = 1; room(); ++seed)
    append(made, "random_ellipses",
           square_phantom(context, "random_ellipses", {{"seed", seed}}, slice));
  return made;
}

double mean_relative_error(const std::vector<float>& found, const std::vector<float>& exact,
                           std::size_t pixels) {
  const auto images = static_cast<std::int64_t>(exact.size() / pixels);
  std::vector<double> each(static_cast<std::size_t>(images));
#pragma omp parallel for
  for (std::int64_t i = 0; i < images; ++i) {
    double difference = 0, square = 0;
    for (std::size_t j = static_cast<std::size_t>(i) * pixels;
         j < static_cast<std::size_t>(i + 1) * pixels; ++j) {
      difference += std::pow(1.0 * found[j] - exact[j], 2);
      square += std::pow(1.0 * exact[j], 2);
    }
    each[static_cast<std::size_t>(i)] = std::sqrt(difference / square);
  }
  double sum = 0;
  for (const double error : each) sum += error;
  return sum / static_cast<double>(images);
}

}  // namespace gantry::tensor_cores
