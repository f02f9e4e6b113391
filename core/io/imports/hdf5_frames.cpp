#include "core/io/imports/hdf5_frames.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/params.hpp"
#include "core/io/files/hdf5_file.hpp"
#include "core/io/imports/angle_list.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

namespace gantry {

namespace {

using File = std::shared_ptr<const Hdf5File>;

/// Some frames of a data set of three dimensions.
class Hdf5Frames final : public FrameSource {
 public:
  Hdf5Frames(File file, const Hdf5Dataset& dataset, std::vector<std::uint64_t> indices)
      : file_(std::move(file)), dataset_(dataset), indices_(std::move(indices)) {
    if (dataset.size.size() != 3 || !dataset.is_number || dataset.size[1] > 65535 ||
        dataset.size[2] > 65535 || dataset.size[1] * dataset.size[2] == 0)
      throw InputError(dataset.path + " holds no frames", file_->path(),
                       "frames are numbers in three dimensions");
  }
  int frames() const override { return static_cast<int>(indices_.size()); }
  int rows() const override { return static_cast<int>(dataset_.size[1]); }
  int columns() const override { return static_cast<int>(dataset_.size[2]); }
  std::string name(int frame) const override {
    return file_->path() + ":" + dataset_.path + ", frame " +
           std::to_string(indices_[static_cast<std::size_t>(frame)]);
  }
  void read(int frame, std::span<float> values) const override {
    file_->read_frame(dataset_, indices_[static_cast<std::size_t>(frame)], values);
  }

 private:
  File file_;
  Hdf5Dataset dataset_;
  std::vector<std::uint64_t> indices_;
};

std::vector<std::uint64_t> all_of(const Hdf5Dataset& dataset) {
  std::vector<std::uint64_t> indices(dataset.size.empty() ? 0 : dataset.size[0]);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  return indices;
}

/// Returns the data set of this name with as many elements as there are frames; of several, the
/// one whose path has most in common with that of the frames. Null if there is none.
const Hdf5Dataset* list_for(const Hdf5File& file, const std::string& name,
                            const Hdf5Dataset& frames) {
  const Hdf5Dataset* best = nullptr;
  std::ptrdiff_t most = -1;
  for (const Hdf5Dataset& one : file.datasets()) {
    if (one.name() != name || one.size.size() != 1 || one.size[0] != frames.size[0]) continue;
    const auto in_common = std::ranges::mismatch(one.path, frames.path).in1 - one.path.begin();
    if (in_common > most) {
      most = in_common;
      best = &one;
    }
  }
  return best;
}

/// Returns angles in degrees, by the attribute "units" where there is one.
std::vector<double> angles_in(const Hdf5File& file, const Hdf5Dataset& list,
                              std::vector<Assumption>& assumptions) {
  std::vector<double> angles = file.numbers(list);
  const std::string units = file.text_attribute(list, "units").value_or("");
  if (units.starts_with("rad"))
    for (double& angle : angles) angle *= 180 / std::numbers::pi;
  else if (!units.starts_with("deg"))
    assumptions.push_back({"unit of the angles", "degrees", list.path + " states none"});
  return angles;
}

/// Returns the size of a detector cell, mm, if the file states it with a unit.
double pixel_mm_in(const Hdf5File& file) {
  for (const Hdf5Dataset& one : file.datasets()) {
    if (one.name() != "x_pixel_size" || !one.is_number) continue;
    const std::vector<double> values = file.numbers(one);
    const std::string units = file.text_attribute(one, "units").value_or("");
    const double scale =
        units == "m"                                                                     ? 1e3
        : units == "mm"                                                                  ? 1
        : units == "um" || units == "micron" || units == "microns" || units == "\u00b5m" ? 1e-3
                                                                                         : 0;
    if (!values.empty() && scale > 0 && values[0] > 0) return values[0] * scale;
  }
  return 0;
}

[[noreturn]] void refuse(const Hdf5File& file) {
  if (!file.dangling().empty())
    throw InputError("its frames are missing, since links lead nowhere: " + joined(file.dangling()),
                     file.path(), "put the files that the links name beside it");
  throw InputError(
      "holds neither NXtomo (frames with an image_key) nor DataExchange "
      "(/exchange/data)",
      file.path(), "export it in one of these forms");
}

RawScan data_exchange(const File& file, const Hdf5Dataset& data) {
  RawScan scan;
  scan.projections = std::make_shared<const Hdf5Frames>(file, data, all_of(data));
  scan.assumptions.push_back({"projections", data.path, "the file is DataExchange"});
  if (const auto* white = file->find("/exchange/data_white"))
    scan.flats = std::make_shared<const Hdf5Frames>(file, *white, all_of(*white));
  if (const auto* dark = file->find("/exchange/data_dark"))
    scan.darks = std::make_shared<const Hdf5Frames>(file, *dark, all_of(*dark));
  if (const auto* theta = file->find("/exchange/theta"))
    scan.angles_deg =
        angles_of_frames(angles_in(*file, *theta, scan.assumptions), scan.projections->frames(), {},
                         file->path() + ":" + theta->path, scan.assumptions);
  return scan;
}

RawScan nxtomo(const File& file, const Hdf5Dataset& data, const Hdf5Dataset& keys) {
  RawScan scan;
  const std::vector<double> key_of = file->numbers(keys);
  std::vector<std::uint64_t> indices[3];
  std::size_t others = 0;
  for (std::size_t i = 0; i < key_of.size(); ++i)
    if (key_of[i] == 0 || key_of[i] == 1 || key_of[i] == 2)
      indices[static_cast<std::size_t>(key_of[i])].push_back(i);
    else
      ++others;
  if (indices[0].empty())
    throw InputError(keys.path + " marks no projections", file->path(), "0 marks a projection");
  if (others > 0)
    scan.notes.push_back(std::to_string(others) + " frames are marked invalid and were left out");
  const auto frames = [&](std::size_t key) {
    return indices[key].empty() ? nullptr
                                : std::make_shared<const Hdf5Frames>(file, data, indices[key]);
  };
  scan.projections = frames(0);
  scan.flats = frames(1);
  scan.darks = frames(2);
  scan.assumptions.push_back({"projections", data.path, "the file is NXtomo"});
  if (const auto* list = list_for(*file, "rotation_angle", data)) {
    const std::vector<double> angles = angles_in(*file, *list, scan.assumptions);
    for (const std::uint64_t index : indices[0]) scan.angles_deg.push_back(angles[index]);
  }
  return scan;
}

RawScan read_hdf5(const ImportRequest& request) {
  const auto file = std::make_shared<const Hdf5File>(request.path);
  RawScan scan;
  const auto* exchange = file->find("/exchange/data");
  const Hdf5Dataset *frames = nullptr, *keys = nullptr;
  for (const Hdf5Dataset& one : file->datasets()) {
    if (one.size.size() != 3 || !one.is_number) continue;
    if (const auto* list = list_for(*file, "image_key", one); list != nullptr && keys == nullptr) {
      frames = &one;
      keys = list;
    }
  }
  if (exchange != nullptr && exchange->size.size() == 3)
    scan = data_exchange(file, *exchange);
  else if (keys != nullptr)
    scan = nxtomo(file, *frames, *keys);
  else
    refuse(*file);
  scan.pixel_mm = pixel_mm_in(*file);
  if (!request.angles.empty())
    scan.angles_deg = angles_of_frames(read_angle_lines(request.angles), scan.projections->frames(),
                                       {}, request.angles, scan.assumptions);
  else if (request.arc_deg)
    scan.angles_deg =
        angles_over_arc(*request.arc_deg, !request.arc_is_open, scan.projections->frames(), {});
  for (const std::string& link : file->dangling())
    scan.notes.push_back("a link leads nowhere: " + link);
  return scan;
}

}  // namespace

ImportFormat hdf5_frames_format() {
  ImportFormat format;
  format.key = "hdf5_frames";
  format.label = "HDF5 (NXtomo, DataExchange)";
  format.extensions = {".nxs", ".h5", ".hdf5", ".hdf"};
  format.magic = [](std::string_view start) {
    constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
    return start.starts_with(signature) ? Certainty::certain : Certainty::none;
  };
  format.read = read_hdf5;
  return format;
}

}  // namespace gantry
