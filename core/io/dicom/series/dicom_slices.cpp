#include "core/io/dicom/series/dicom_slices.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/physics/units.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace gantry {

void convert_to_mu(std::span<const std::int32_t> stored, const DicomFrame& image, double mu_water,
                   std::span<float> mu, ValueStatistics& statistics) {
  const double slope = image.slope.value_or(1), intercept = image.intercept.value_or(0);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    double hu = slope * stored[i] + intercept;
    if (image.padding && stored[i] >= (*image.padding)[0] && stored[i] <= (*image.padding)[1]) {
      hu = air_hu;
      ++statistics.padded;
    }
    statistics.lowest_hu = std::min(statistics.lowest_hu, hu);
    mu[i] = static_cast<float>(mu_from_hu(hu, mu_water));
    if (!std::isfinite(mu[i]))
      throw InputError("its values are not finite after rescaling, slope " + format_param(slope) +
                           " and intercept " + format_param(intercept),
                       image.path,
                       "RescaleSlope or RescaleIntercept is wrong: export the image again");
  }
}

void SliceSource::open(const std::string& path) {
  keep_notes();
  pixels_.emplace(path);
  path_ = path;
}

void SliceSource::read(const DicomFrame& image, std::vector<std::int32_t>& stored,
                       const DicomFrame* next) {
  if (!pixels_ || path_ != image.path) open(image.path);
  try {
    const DicomPixelFormat& format = pixels_->format();
    if (format.rows != image.rows || format.columns != image.columns ||
        format.frames != image.count)
      throw InputError("its pixel data do not have the size that its header says", image.path,
                       "copy it again from where it came");
    stored.resize(format.frame_size());  // after the file was checked to hold that much
    pixels_->read(image.index, stored);
    if (next != nullptr && next->path != path_) open(next->path);
  } catch (...) {
    pixels_.reset();  // a crashed decoder has no notes
    throw;
  }
}

const std::vector<std::string>& SliceSource::notes() {
  keep_notes();
  return notes_;
}

void SliceSource::keep_notes() {
  constexpr std::size_t most = 5;
  if (!pixels_) return;
  for (const std::string& note : pixels_->notes())
    if (notes_.size() < most)
      notes_.push_back(std::filesystem::path(path_).filename().string() + ": " + note);
  pixels_.reset();
}

void require_usable_pixels(const DicomFrame& image) {
  SliceSource source;
  std::vector<std::int32_t> stored;
  source.read(image, stored);
  std::vector<float> mu(stored.size());
  ValueStatistics unused;
  convert_to_mu(stored, image, default_mu_water, mu, unused);
}

}  // namespace gantry
