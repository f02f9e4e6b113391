#include "core/io/imports/sinogram_frames.hpp"

#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/frame_part.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

class FramesOfSinograms final : public FrameSource {
 public:
  explicit FramesOfSinograms(std::shared_ptr<const FrameSource> images)
      : images_(std::move(images)) {}

  int frames() const override { return images_->rows(); }
  int rows() const override { return images_->frames(); }
  int columns() const override { return images_->columns(); }
  std::string name(int frame) const override {
    return images_->name(0) + ", row " + std::to_string(frame);
  }
  void read(int frame, std::span<float> values) const override {
    std::call_once(is_read_, [this] { read_all(); });
    const auto width = static_cast<std::size_t>(columns());
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows()); ++row)
      std::copy_n(
          values_.begin() + static_cast<std::ptrdiff_t>(row * image_values() +
                                                        static_cast<std::size_t>(frame) * width),
          width, values.begin() + static_cast<std::ptrdiff_t>(row * width));
  }

 private:
  std::size_t image_values() const {
    return static_cast<std::size_t>(frames()) * static_cast<std::size_t>(columns());
  }
  void read_all() const {
    values_.resize(static_cast<std::size_t>(rows()) * image_values());
    for (int image = 0; image < rows(); ++image)
      images_->read(image, std::span(values_).subspan(
                               static_cast<std::size_t>(image) * image_values(), image_values()));
  }

  std::shared_ptr<const FrameSource> images_;
  mutable std::once_flag is_read_;
  mutable std::vector<float> values_;
};

}  // namespace

std::shared_ptr<const FrameSource> frames_of_sinograms(std::shared_ptr<const FrameSource> images,
                                                       const FrameTurn& turn) {
  return std::make_shared<const FramesOfSinograms>(TurnedFrames::of(std::move(images), turn));
}

bool are_views_of_sinograms(const FrameSource& projections) {
  // Without those that are marked as flats and darks.
  if (const auto* chosen = dynamic_cast<const ChosenFrames*>(&projections))
    return are_views_of_sinograms(chosen->first_source());
  return dynamic_cast<const FramesOfSinograms*>(&projections) != nullptr;
}

std::shared_ptr<const FrameSource> beside_sinograms(std::shared_ptr<const FrameSource> images,
                                                    const FrameSource& projections,
                                                    const FrameTurn& turn) {
  const int rows = projections.rows();
  if (images == nullptr || images->rows() == rows || images->frames() != rows)
    return turn.clockwise_deg == 0 ? TurnedFrames::of(std::move(images), turn) : images;
  return frames_of_sinograms(std::move(images), turn);
}

}  // namespace gantry
