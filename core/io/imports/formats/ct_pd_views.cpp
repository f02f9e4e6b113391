#include "core/io/imports/formats/ct_pd_views.hpp"

#include "core/base/error.hpp"
#include "core/corrections/correction.hpp"
#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/file/dicom_start.hpp"
#include "core/io/dicom/file/projection_tags.hpp"
#include "core/io/dicom/series/dicom_images.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/file_format.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/leftovers.hpp"
#include "core/io/imports/damaged_files.hpp"
#include "core/io/imports/file_frames.hpp"
#include "core/io/imports/formats/ct_pd_statements.hpp"
#include "core/io/imports/names/natural_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr int most_cells = 65535;
constexpr double longest_mm = 1e5, largest_shift_rad = 0.05;

/// The attributes of one projection: those of its item, where a file holds several projections,
/// else those of the file.
class ViewHeader {
 public:
  ViewHeader(const DicomHeader& header, const DicomAttributes* item)
      : header_(header), item_(item) {}

  std::vector<double> numbers(DicomTag tag) const {
    if (item_ != nullptr && item_->has(tag)) return item_->numbers(tag, header_.path);
    return header_.data.numbers(tag, header_.path);
  }
  std::optional<double> number(DicomTag tag) const {
    const std::vector<double> all = numbers(tag);
    return all.empty() ? std::nullopt : std::optional(all.front());
  }
  /// Throws InputError where the attribute is missing or not within the limits.
  double required(DicomTag tag, double least, double most) const {
    const std::optional<double> value = number(tag);
    if (!value) fail(describe(tag) + " is missing", "choose a complete DICOM-CT-PD series");
    if (*value < least || *value > most)
      fail(describe(tag) + " is " + format_param(*value) + ", not " + format_param(least) + " to " +
               format_param(most),
           "choose an undamaged file");
    return *value;
  }
  int whole(DicomTag tag, int least, int most) const {
    const double value = required(tag, least, most);
    if (value != std::floor(value))
      fail(describe(tag) + " is " + format_param(value) + ", not a whole number",
           "choose an undamaged file");
    return static_cast<int>(value);
  }
  std::string text(DicomTag tag) const { return header_.data.text(tag); }
  const std::string& path() const { return header_.path; }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(what, header_.path, remedy);
  }

 private:
  const DicomHeader& header_;
  const DicomAttributes* item_;
};

/// Returns whether a header states the number of columns or rows of a detector; where only one of
/// them is missing, a message names it.
bool is_projection(const DicomHeader& header) {
  return header.data.has(ct_pd::detector_columns) || header.data.has(ct_pd::detector_rows);
}

/// Returns the files of a folder that may be DICOM, in the order of their names.
std::vector<std::string> dicom_files(const std::string& folder) {
  std::vector<std::string> files;
  try {
    for (const std::string& name : names_in(folder)) {
      const fs::path path = fs::path(folder) / name;
      std::error_code error;
      if (!is_unfinished_name(name) && fs::is_regular_file(path, error) &&
          dicom_certainty(file_start(path.string())) == Certainty::certain)
        files.push_back(path.string());
    }
  } catch (const fs::filesystem_error& error) {
    throw InputError("the folder cannot be read (" + error.code().message() + ")", folder,
                     "make it readable or choose another folder");
  }
  std::ranges::sort(files, natural_less);
  return files;
}

/// Projections of several spectra may stand in one series of DICOM: each spectrum is a scan.
struct SeriesKey {
  std::string uid, spectrum;

  friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};

SeriesKey key_of(const DicomHeader& header) {
  return {header.data.text(dicom::series_instance_uid), header.data.text(ct_pd::spectrum_index)};
}

/// Returns the series that a file belongs to. Throws InputError for a file that holds no
/// projections.
SeriesKey series_of(const std::string& file) {
  const std::optional<DicomHeader> header = read_dicom_header(file);
  if (!header || !is_projection(*header))
    throw InputError("holds no projections of DICOM-CT-PD", file, "choose another file");
  return key_of(*header);
}

/// Throws InputError unless the projections of a folder are those of one series.
void require_one(const std::map<SeriesKey, CtPdSeries>& all, const std::string& path) {
  if (all.empty())
    throw InputError("holds no projections of DICOM-CT-PD", path, "choose the folder of a series");
  if (all.size() == 1) return;
  std::set<std::string> uids;
  for (const auto& [key, series] : all) uids.insert(key.uid);
  const std::string what = uids.size() > 1
                               ? std::to_string(uids.size()) + " series"
                               : std::to_string(all.size()) + " spectra (" +
                                     describe(ct_pd::spectrum_index) + ") in one series";
  throw InputError("holds the projections of " + what, path,
                   "choose a file of the wanted one, or put each into a folder of its own");
}

/// Sets what all projections of a series have in common.
void take_detector(const ViewHeader& header, CtPdSeries& series) {
  series.columns = header.whole(ct_pd::detector_columns, 1, most_cells);
  series.rows = header.whole(ct_pd::detector_rows, 1, most_cells);
  const int down = header.whole(dicom::rows, 1, most_cells),
            across = header.whole(dicom::columns, 1, most_cells);
  series.is_transposed = down == series.columns && across == series.rows && down != across;
  if (!series.is_transposed && (down != series.rows || across != series.columns))
    header.fail("the images are of " + std::to_string(across) + " x " + std::to_string(down) +
                    " values, the detector is of " + std::to_string(series.columns) + " x " +
                    std::to_string(series.rows) + " cells",
                "choose an undamaged file");
  if (down == across)
    series.assumptions.push_back({"order of the values", "row by row",
                                  "a square image does not tell, and the format says so"});
  const std::string shape = header.text(ct_pd::detector_shape);
  if (shape != "CYLINDRICAL" && shape != "FLAT" && !shape.empty())
    header.fail("the detector is " + shape, "choose a scan of a cylindrical or flat detector");
  if (shape.empty())
    series.assumptions.push_back({"shape of the detector", "an arc about the focal centre",
                                  describe(ct_pd::detector_shape) + " is missing"});
  series.is_arc = shape != "FLAT";
  series.column_mm = header.required(ct_pd::column_spacing, 1e-6, longest_mm);
  series.row_mm = header.required(ct_pd::row_spacing, 1e-6, longest_mm);
  series.detector_mm = header.required(ct_pd::detector_distance, 1e-3, longest_mm);
  const std::vector<double> centre = header.numbers(ct_pd::central_element);
  if (centre.size() != 2)
    header.fail(describe(ct_pd::central_element) + " does not have two values",
                "choose a complete DICOM-CT-PD series");
  series.central_column = centre[0] - 1;  // stated from 1 on
  series.central_row = centre[1] - 1;
  series.log_flag = header.text(ct_pd::log_flag);
  series.are_line_integrals = series.log_flag != "NO";
  if (series.are_line_integrals && series.log_flag != "YES")
    series.assumptions.push_back(
        {"values", "line integrals",
         describe(ct_pd::log_flag) +
             (series.log_flag.empty() ? " is missing" : " is " + series.log_flag)});
}

/// Readers do not agree on the unit; the size tells.
void take_water(const ViewHeader& header, CtPdSeries& series) {
  for (const DicomTag tag : {ct_pd::water_attenuation, ct_pd::hu_calibration}) {
    const std::optional<double> stated = header.number(tag);
    if (!stated) continue;
    const bool per_mm = *stated >= 0.015 && *stated <= 0.03,
               per_cm = *stated >= 0.15 && *stated <= 0.3;
    if (per_mm || per_cm) {
      series.mu_water = per_mm ? *stated : *stated / 10;
      series.assumptions.push_back({"attenuation of water", format_param(series.mu_water) + " 1/mm",
                                    describe(tag) + (per_mm ? ", taken as 1/mm by its size"
                                                            : ", taken as 1/cm by its size")});
      return;
    }
    series.notes.push_back(describe(tag) + " is " + format_param(*stated) +
                           ", no attenuation of water in 1/mm or 1/cm, and was left out");
  }
}

/// Returns the number of an attribute that a projection may lack, and counts those that do.
double number_or(const ViewHeader& header, DicomTag tag, double fallback, CtPdSeries& series) {
  if (const std::optional<double> stated = header.number(tag)) return *stated;
  CtPdGap& gap = series.gaps[tag.number()];
  if (gap.views++ == 0) gap.first_path = header.path();
  return fallback;
}

CtPdStatements statements_in(const ViewHeader& header) {
  CtPdStatements stated;
  stated.orbit = header.text(ct_pd::orbit_type);
  stated.beam = header.text(ct_pd::beam_type);
  stated.focal_spot = header.text(ct_pd::focal_spot_mode);
  stated.steps_per_turn = header.number(ct_pd::angular_steps).value_or(0);
  stated.spectra = header.number(ct_pd::spectra).value_or(0);
  stated.pitch = header.number(dicom::spiral_pitch_factor).value_or(0);
  return stated;
}

CtPdView view_in(const ViewHeader& header, int frame, CtPdSeries& series) {
  CtPdView view;
  view.path = header.path();
  view.frame = frame;
  view.instance = header.whole(dicom::instance_number, 0, FrameSource::most_frames);
  view.angle_rad = header.required(ct_pd::focal_centre_angle, -1e4, 1e4);
  view.height_mm = header.required(ct_pd::focal_centre_height, -longest_mm, longest_mm);
  view.distance_mm = header.required(ct_pd::focal_centre_distance, 1e-3, longest_mm);
  view.angle_shift_rad = number_or(header, ct_pd::source_angle_shift, 0, series);
  view.height_shift_mm = number_or(header, ct_pd::source_height_shift, 0, series);
  view.distance_shift_mm = number_or(header, ct_pd::source_distance_shift, 0, series);
  view.slope = number_or(header, dicom::rescale_slope, 1, series);
  view.intercept = number_or(header, dicom::rescale_intercept, 0, series);
  if (view.slope == 0)
    header.fail(describe(dicom::rescale_slope) + " is 0", "choose an undamaged file");
  return view;
}

/// Throws InputError where some of the projections lack a factor or summand of their values, which
/// would then be of another scale; where all lack it, the values are taken without.
void check_scale(CtPdSeries& series) {
  for (const DicomTag tag : {dicom::rescale_slope, dicom::rescale_intercept}) {
    const auto gap = series.gaps.find(tag.number());
    if (gap == series.gaps.end()) continue;
    const auto& [views, first_path] = gap->second;
    const std::string what = describe(tag) + " is missing in ";
    if (views < series.views.size())
      throw InputError(
          what + std::to_string(views) + " of " + counted(series.views.size(), "projection"),
          first_path, "put such files elsewhere, or export the series again");
    series.assumptions.push_back(
        {"scale of the values",
         std::string("that of the stored numbers, ") +
             (tag.number() == dicom::rescale_slope.number() ? "times 1" : "plus 0"),
         what + "all projections"});
  }
}

/// Says which shifts of the focal spot are missing, unless all are and it does not fly.
void note_missing_shifts(CtPdSeries& series) {
  for (const DicomTag tag :
       {ct_pd::source_angle_shift, ct_pd::source_height_shift, ct_pd::source_distance_shift}) {
    const auto gap = series.gaps.find(tag.number());
    if (gap == series.gaps.end()) continue;
    const auto& [views, first_path] = gap->second;
    if (views < series.views.size() || series.stated.has_flying_spot())
      series.notes.push_back(describe(tag) + " is missing in " + std::to_string(views) + " of " +
                             counted(series.views.size(), "projection") + ", first in " +
                             first_path + ": a shift of 0 was taken there");
  }
}

/// Throws InputError unless another file states the same as the first one of what all projections
/// of a scan have in common.
void require_same(const ViewHeader& header, const CtPdSeries& series) {
  CtPdSeries other;
  take_detector(header, other);
  take_water(header, other);
  const auto require = [&](bool is_same, const std::string& what) {
    if (!is_same)
      header.fail("states another " + what + " than " + series.views.front().path,
                  "put the projections of one scan into a folder of their own");
  };
  require(other.columns == series.columns && other.rows == series.rows &&
              other.is_transposed == series.is_transposed && other.is_arc == series.is_arc &&
              other.column_mm == series.column_mm && other.row_mm == series.row_mm &&
              other.detector_mm == series.detector_mm &&
              other.central_column == series.central_column &&
              other.central_row == series.central_row,
          "detector");
  require(other.log_flag == series.log_flag, describe(ct_pd::log_flag));
  require(other.mu_water == series.mu_water, "attenuation of water");
}

/// Throws InputError for a file whose images cannot all be read.
void read_images(const std::string& file) {
  const DicomImages images(file);
  const DicomPixelFormat& format = images.format();
  std::vector<std::int32_t> values(format.frame_size());
  for (int frame = 0; frame < format.frames; ++frame) images.read(frame, values);
}

void add_views(const DicomHeader& header, CtPdSeries& series) {
  const int frames =
      header.data.integer(dicom::number_of_frames, header.path, 1, FrameSource::most_frames)
          .value_or(1);
  for (int frame = 0; frame < frames; ++frame) {
    const ViewHeader view(header, frames > 1 ? header.data.item(dicom::per_frame_groups,
                                                                static_cast<std::size_t>(frame))
                                             : nullptr);
    if (series.views.empty()) {
      take_detector(view, series);
      take_water(view, series);
      series.stated = statements_in(view);
    } else if (frame == 0) {
      require_same(view, series);
    }
    series.views.push_back(view_in(view, frame, series));
  }
}

/// The first dictionary of the format exchanged the angular and the axial shift of the focal spot;
/// a flying focal spot is deflected by some thousandths of a radian at most.
void mend_exchanged_shifts(CtPdSeries& series) {
  const auto largest = [&](double CtPdView::*shift) {
    double most = 0;
    for (const CtPdView& view : series.views) most = std::max(most, std::abs(view.*shift));
    return most;
  };
  if (largest(&CtPdView::angle_shift_rad) <= largest_shift_rad) return;
  if (largest(&CtPdView::height_shift_mm) > largest_shift_rad)
    throw InputError(describe(ct_pd::source_angle_shift) + " reaches " +
                         format_param(largest(&CtPdView::angle_shift_rad)) +
                         " rad, more than a focal spot is deflected",
                     series.views.front().path, "choose an undamaged series");
  for (CtPdView& view : series.views) std::swap(view.angle_shift_rad, view.height_shift_mm);
  series.assumptions.push_back({"shifts of the focal spot", "angular and axial ones exchanged",
                                "read in the stated order, the angles would be too large"});
}

/// Orders the projections and says which are missing or double; of double ones the first is kept.
void order(CtPdSeries& series) {
  std::ranges::stable_sort(series.views, {}, &CtPdView::instance);
  const auto doubles =
      std::unique(series.views.begin(), series.views.end(),
                  [](const CtPdView& a, const CtPdView& b) { return a.instance == b.instance; });
  if (doubles != series.views.end())
    series.notes.push_back(
        "left out: " +
        counted(static_cast<std::size_t>(series.views.end() - doubles), "projection") +
        " with the InstanceNumber of another one");
  series.views.erase(doubles, series.views.end());
  const auto expected =
      static_cast<std::size_t>(series.views.back().instance - series.views.front().instance) + 1;
  if (expected > series.views.size())
    series.notes.push_back("missing by InstanceNumber: " +
                           counted(expected - series.views.size(), "projection"));
}

}  // namespace

bool holds_ct_pd(const std::string& folder) {
  try {
    std::vector<std::string> names = names_in(folder);
    std::ranges::sort(names, natural_less);
    for (const std::string& name : names) {
      const std::string path = (fs::path(folder) / name).string();
      const std::string start = file_start(path);
      if (dicom_certainty(start) != Certainty::certain) continue;
      if (begins_ct_pd(start)) return true;
      try {  // a header whose private groups come later
        if (const auto header = read_dicom_header(path)) return is_projection(*header);
      } catch (const InputError&) {  // a damaged file; the next one tells
      }
    }
  } catch (const std::exception&) {  // reading the folder as a volume will say what is wrong
  }
  return false;
}

CtPdSeries read_ct_pd_series(const std::string& path, bool leaves_out_damaged) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const SeriesKey chosen = is_folder ? SeriesKey() : series_of(path);
  std::map<SeriesKey, CtPdSeries> all;
  std::size_t others = 0;
  std::vector<std::string> damaged;
  const std::vector<std::string> files = dicom_files(is_folder ? path : folder_of(path).string());
  for (const std::string& file : files) {
    std::optional<DicomHeader> header;
    try {
      header = read_dicom_header(file);
      if (leaves_out_damaged && header && is_projection(*header)) read_images(file);
    } catch (const InputError& unreadable) {
      if (files.size() == 1) throw;
      if (!leaves_out_damaged) throw DamagedFiles(unreadable);
      damaged.push_back(left_out_note(unreadable));
      continue;
    }
    const bool counts = header && is_projection(*header);
    const SeriesKey key = counts ? key_of(*header) : SeriesKey();
    if (counts && (is_folder || key == chosen))
      add_views(*header, all[key]);
    else
      ++others;
  }
  require_one(all, path);
  CtPdSeries series = std::move(all.begin()->second);
  std::ranges::copy(damaged, std::back_inserter(series.notes));
  if (others > 0)
    series.notes.push_back("left out: " + counted(others, "file") +
                           (is_folder ? " without projections" : " outside the series"));
  if (!is_folder) series.notes.push_back("the series of the chosen file was read from its folder");
  check_scale(series);
  note_missing_shifts(series);
  mend_exchanged_shifts(series);
  order(series);
  compare_statements(series);
  return series;
}

}  // namespace gantry
