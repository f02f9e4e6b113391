#include "core/io/imports/formats/esrf_info.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/ini_text.hpp"
#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/names/file_groups.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace gantry {

namespace {

namespace fs = std::filesystem;

fs::path info_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (lower_case(entry.path().extension().string()) == ".info" && entry.is_regular_file(error))
      found.push_back(entry.path());
  if (found.size() == 1) return found.front();
  const fs::path name = fs::weakly_canonical(folder, error).filename();
  for (const fs::path& path : found)
    if (path.stem() == name) return path;
  return {};
}

/// Frames that are sums of several.
class DividedFrames final : public FrameSource {
 public:
  DividedFrames(std::shared_ptr<const FrameSource> sums, int count)
      : sums_(std::move(sums)), scale_(1.0F / static_cast<float>(count)) {}
  int frames() const override { return sums_->frames(); }
  int rows() const override { return sums_->rows(); }
  int columns() const override { return sums_->columns(); }
  std::string name(int frame) const override { return sums_->name(frame); }
  void read(int frame, std::span<float> values) const override {
    sums_->read(frame, values);
    for (float& value : values) value *= scale_;
  }

 private:
  std::shared_ptr<const FrameSource> sums_;
  float scale_;
};

/// Whether a frame is called darkend0000.edf, as the acquisition calls the sum of its darks.
bool is_called_sum(const FrameSource& darks, int frame) {
  return lower_case(fs::path(darks.name(frame)).filename().string()).starts_with("darkend");
}

/// Divides darks that are sums of several. Where there are others, such as dark.edf, the mean that
/// is made for PyHST, these alone are taken: they need no division, whose divisor may be unknown.
void take_darks_that_are_sums(const EsrfInfo& info, RawScan& scan) {
  if (scan.darks == nullptr) return;
  std::vector<ChosenFrames::Choice> others;
  std::vector<std::string> sums, names;
  for (int frame = 0; frame < scan.darks->frames(); ++frame) {
    if (is_called_sum(*scan.darks, frame)) {
      sums.push_back(scan.darks->name(frame));
    } else {
      others.emplace_back(scan.darks, frame);
      names.push_back(scan.darks->name(frame));
    }
  }
  const bool are_single =
      info.summed_darks > 0 && sums.size() >= static_cast<std::size_t>(info.summed_darks);
  if (sums.empty() || are_single) return;
  if (!others.empty()) {
    scan.darks = std::make_shared<const ChosenFrames>(std::move(others));
    for (Assumption& said : scan.assumptions)
      if (said.what == "darks") said.value = names_of(names);
    scan.notes.push_back(
        names_of(sums) + (sums.size() == 1 ? ", was" : ", were") +
        " left out of the darks, since ESRF calls the sum of several darks so, unlike " +
        names_of(names));
  } else if (info.summed_darks > 0) {
    scan.darks = std::make_shared<const DividedFrames>(scan.darks, info.summed_darks);
    scan.notes.push_back("the darks were divided by " + std::to_string(info.summed_darks) +
                         ", as DARK_N in " + info.frames.file +
                         " says that each is the sum of so many");
  } else if (sums.size() == 1) {
    scan.notes.push_back(
        names_of(sums) +
        ", was taken as a single dark; ESRF calls the sum of several darks so, whose "
        "number (DARK_N) no .info file beside it states: name a dark that is a mean "
        "(--dark) if it is a sum");
  }
}

}  // namespace

EsrfInfo read_esrf_info(const std::string& folder) {
  const fs::path path = info_in(folder);
  if (path.empty()) return {};
  const IniText text = read_ini(path.string());
  EsrfInfo info;
  info.frames.file = path.filename().string();
  constexpr int most = 10'000'000;
  if (text.has("", "TOMO_N")) info.frames.projections = text.whole("", "TOMO_N", 1, most);
  if (text.has("", "DARK_N")) info.summed_darks = text.whole("", "DARK_N", 0, most);
  info.frames.arc_deg = text.number_if_stated("", "ScanRange").value_or(0);
  info.pixel_mm = 1e-3 * text.number_if_stated("", "PixelSize").value_or(0);
  info.energy_kev = text.number_if_stated("", "Energy").value_or(0);
  info.distance_mm = text.number_if_stated("", "Distance").value_or(0);
  return info;
}

void take_esrf_info(const EsrfInfo& info, RawScan& scan) {
  const std::string& file = info.frames.file;
  if (scan.pixel_mm <= 0 && info.pixel_mm > 0) {
    scan.pixel_mm = info.pixel_mm;
    scan.assumptions.push_back({"size of a cell", format_param(to_digits(info.pixel_mm, 6)) + " mm",
                                "PixelSize in " + file + ", which is in um"});
  }
  if (info.energy_kev > 0 && info.distance_mm > 0)
    scan.notes.push_back(file + " states " + format_param(info.energy_kev) + " keV and " +
                         format_param(info.distance_mm) +
                         " mm from the object to the detector, which phase retrieval does not take "
                         "by itself: --correct "
                         "phase_retrieval:energy_kev=" +
                         format_param(info.energy_kev) +
                         ",distance_mm=" + format_param(info.distance_mm));
  take_darks_that_are_sums(info, scan);
}

}  // namespace gantry
