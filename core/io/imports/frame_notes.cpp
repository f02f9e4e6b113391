#include "core/io/imports/frame_notes.hpp"

#include "core/base/joined.hpp"
#include "core/base/median.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/checks/unlike_frames.hpp"
#include "core/io/imports/names/file_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace gantry {

namespace {

std::string name_in(const FrameSource& frames, int frame) {
  return std::filesystem::path(frames.name(frame)).filename().string();
}

/// Returns the file or the data set of a frame, and whether its name says which frame of that it
/// is: "flats.tif" and true of "flats.tif, page 2".
std::pair<std::string, bool> holder_of(const FrameSource& frames, int frame) {
  const std::string name = frames.name(frame);
  const std::size_t comma = name.rfind(", "), number = name.find_last_of(' ') + 1;
  const bool is_one_of_several =
      comma != std::string::npos && number > comma + 2 && number < name.size() &&
      std::all_of(name.begin() + std::ptrdiff_t(number), name.end(), is_digit);
  return {is_one_of_several ? name.substr(0, comma) : name, is_one_of_several};
}

/// Returns the series of each frame: its folder and its file or data set, where this holds several;
/// else those files whose names differ in their last number alone.
std::vector<std::string> series_of(const FrameSource& frames) {
  std::set<std::string> of_several;
  for (int i = 0; i < frames.frames(); ++i)
    if (auto [holder, is_one_of_several] = holder_of(frames, i); is_one_of_several)
      of_several.insert(std::move(holder));
  std::vector<std::string> series;
  for (int i = 0; i < frames.frames(); ++i) {
    const std::filesystem::path path = holder_of(frames, i).first;
    const NumberedName name = numbered(path);
    const std::string file =
        of_several.contains(path.string())
            ? path.filename().string()
            : name.before + (name.number || name.has_time ? "#" : "") + name.after;
    series.push_back((path.parent_path().filename() / file).string());
  }
  return series;
}

}  // namespace

void note_repeated(const FrameSource& source, std::span<const PictureKeys> keys,
                   std::vector<std::string>& notes) {
  if (const auto first = stored_twice(keys)) {
    notes.push_back("each frame is there twice, one behind the other, the first as " +
                    name_in(source, first->first) + " and " + name_in(source, first->second) +
                    ": import one of each pair alone, unless their angles are the same too");
    return;
  }
  const auto pairs = repeated_pictures(keys);
  if (pairs.empty()) return;
  const std::size_t others = pairs.size() - 1;
  notes.push_back(name_in(source, pairs[0].first) + " and " + name_in(source, pairs[0].second) +
                  " hold the same picture, with the same noise" +
                  (others == 0   ? ""
                   : others == 1 ? ", as does 1 more pair"
                                 : ", as do " + std::to_string(others) + " more pairs"));
}

void leave_out(std::vector<int> unlit, const std::vector<int>& lost, const FrameSource& frames,
               LineIntegrals& result) {
  const auto note = [&](const std::vector<int>& indices, const char* of_one, const char* of_all) {
    if (indices.empty()) return;
    const std::string first = frames.name(indices.front()), last = frames.name(indices.back());
    result.notes.insert(result.notes.begin(),
                        indices.size() == 1
                            ? first + of_one + " and was left out as not measured"
                            : std::to_string(indices.size()) + " projections" + of_all +
                                  " and were left out as not measured, from " + first + " to " +
                                  last);
  };
  note(lost, " holds more than a quarter of values that are not finite (NaN or infinite)",
       " hold more than a quarter of values that are not finite (NaN or infinite)");
  note(unlit, " shows no beam", " show no beam");
  result.left_out = std::move(unlit);
  result.left_out.insert(result.left_out.end(), lost.begin(), lost.end());
  std::ranges::sort(result.left_out);
}

void note_doubtful(std::vector<int> doubtful, const FrameSource& frames, LineIntegrals& result) {
  std::erase_if(doubtful,
                [&](int frame) { return std::ranges::binary_search(result.left_out, frame); });
  if (doubtful.empty()) return;
  result.notes.push_back(std::to_string(doubtful.size()) + " of the projections, from " +
                         frames.name(doubtful.front()) + " to " + frames.name(doubtful.back()) +
                         ", are as dark as with a closed shutter and were kept, since an object "
                         "may absorb as much; give them as darks (--dark) if they are such");
}

void note_flats(const RawScan& scan, std::span<const FrameSummary> summaries,
                std::vector<int> without, double dark, LineIntegrals& result) {
  const FrameSource& frames = *scan.projections;
  without.insert(without.end(), result.left_out.begin(), result.left_out.end());
  std::ranges::sort(without);
  for (const auto& [first, last] : flats_among(summaries, without, dark)) {
    result.like_flats += (result.like_flats.empty() ? "" : " and ") + name_in(frames, first) +
                         " to " + name_in(frames, last);
    if (scan.takes_marks)
      result.like_flats += " (frames " + std::to_string(frames.place(first)) + ":" +
                           std::to_string(frames.place(last)) + ")";
  }
  if (result.like_flats.empty()) return;
  result.notes.insert(
      result.notes.begin(),
      result.like_flats +
          " are alike and brighter than all other projections, as flats are: if they are flats, " +
          (scan.takes_marks ? "--flat-frames or, by their files, --flat" : "--flat") +
          " names them, and takes them out of the angles");
}

void note_unlike(const FrameSource& frames, const std::vector<int>& unlike, int marked,
                 const std::string& kind, LineIntegrals& result) {
  if (unlike.empty()) return;
  constexpr std::size_t most_named = 4;
  const int count = frames.frames(), first_marked = count - marked;
  const std::size_t named = std::min(unlike.size(), most_named);
  const std::string names =
      joined(std::span(unlike).first(named),
             [&](int frame) {
               return name_in(frames, frame) +
                      (frame < first_marked
                           ? std::string()
                           : " (frame " + std::to_string(frames.place(frame)) + ")");
             }) +
      (named < unlike.size() ? " and " + std::to_string(unlike.size() - named) + " others" : "");
  const bool is_any_marked = unlike.back() >= first_marked, are_all = std::ssize(unlike) == count;
  result.notes.push_back(
      "of the " + std::to_string(count) + " " + kind + ", " + names +
      (are_all              ? " are unlike each other"
       : unlike.size() == 1 ? " is unlike the others"
                            : " are unlike the others") +
      ", in brightness or picture: check which frames are " + kind +
      (is_any_marked ? " (--" + kind.substr(0, kind.size() - 1) + "-frames)" : ""));
}

KeptFrames kept_of(const FrameSource* source, bool are_marked, const Interrupt* interrupt) {
  KeptFrames kept;
  if (source == nullptr) return kept;
  std::vector<float> frame(static_cast<std::size_t>(source->rows()) *
                           static_cast<std::size_t>(source->columns()));
  for (int i = 0; i < source->frames(); ++i) {
    if (interrupt != nullptr) interrupt->check();
    source->read(i, frame);
    kept.summaries.push_back(summary_of(frame));
    if (are_marked)
      kept.pictures.push_back(coarse_picture(frame, static_cast<std::size_t>(source->columns())));
  }
  return kept;
}

void check_likeness(const RawScan& scan, const KeptFrames& flats,
                    std::span<const FrameSummary> projections, double dark,
                    const Interrupt* interrupt, LineIntegrals& result) {
  if (scan.marked_at_end_of_flats > 0)
    note_unlike(*scan.flats, unlike_flats(flats.pictures, dark), scan.marked_at_end_of_flats,
                "flats", result);
  if (scan.marked_at_end_of_darks == 0 || scan.darks->frames() < 2) return;
  double brightest = 0;
  for (const auto& frames : {std::span(flats.summaries), projections})
    for (const FrameSummary& frame : frames) brightest = std::max(brightest, frame.mean);
  note_unlike(*scan.darks,
              unlike_darks(kept_of(scan.darks.get(), true, interrupt).pictures, brightest - dark),
              scan.marked_at_end_of_darks, "darks", result);
}

bool can_be_named(const FrameSource& flats) {
  std::set<std::string> holders;
  for (int i = 0; i < flats.frames(); ++i) holders.insert(holder_of(flats, i).first);
  std::error_code error;
  return holders.size() > 1 && std::filesystem::is_regular_file(*holders.begin(), error);
}

namespace {

/// Returns the indices of equal keys together, in the order of the keys.
template <class Key>
std::vector<std::vector<int>> indices_of_equal(const std::vector<Key>& keys) {
  std::map<Key, std::vector<int>> indices;
  for (std::size_t i = 0; i < keys.size(); ++i) indices[keys[i]].push_back(static_cast<int>(i));
  std::vector<std::vector<int>> groups;
  for (auto& [key, group] : indices) groups.push_back(std::move(group));
  return groups;
}

/// Returns "flat_3.tif to flat_5.tif", of one data set "data_white, frame 3 to frame 5"; with the
/// folders of the files where the flats are of several.
std::string range_of_flats(const FrameSource& frames, const std::vector<int>& indices) {
  std::set<std::filesystem::path> folders;
  for (int i = 0; i < frames.frames(); ++i)
    folders.insert(std::filesystem::path(frames.name(i)).parent_path());
  const auto name = [&](int frame) {
    const std::filesystem::path path = frames.name(frame);
    return ((folders.size() > 1 ? path.parent_path().filename() : "") / path.filename()).string();
  };
  const int first = indices.front(), last = indices.back();
  if (first == last) return name(first);
  const std::string holder = holder_of(frames, first).first + ", ", of_last = frames.name(last);
  return name(first) + " to " +
         (of_last.starts_with(holder) ? of_last.substr(holder.size()) : name(last)) +
         (last - first >= std::ssize(indices) ? " (" + std::to_string(indices.size()) + " flats)"
                                              : std::string());
}

/// Returns what a user can do where the beam may have changed from some flats to others.
std::string way_to_follow(const FrameSource& flats, bool is_time_open, bool are_series) {
  const bool can_name = is_time_open && can_be_named(flats);
  return std::string("if the beam changed, ") +
         (can_name ? "name them flat_before and flat_after and give --interpolate-flats, or "
                   : "") +
         "take it from columns of air in each view (--air)" +
         (can_name || are_series ? "; else name the flats of these projections (--flat)" : "");
}

}  // namespace

void note_flats_apart(const RawScan& scan, std::span<const FrameSummary> flats, double dark,
                      const NormaliseOptions& options, LineIntegrals& result) {
  if (flats.empty() || options.average == FrameAverage::interpolated) return;
  std::vector<double> beams;
  for (const FrameSummary& flat : flats) beams.push_back(flat.mean - dark);
  std::vector<std::vector<int>> times;
  if (scan.flat_views.size() == flats.size()) times = indices_of_equal(scan.flat_views);
  std::vector<std::string> series;  // check_likeness() compares marked frames with the others
  if (times.empty() && scan.marked_at_end_of_flats == 0) series = series_of(*scan.flats);
  const bool has_times = times.size() > 1;
  auto apart = flats_apart(beams, has_times ? times : indices_of_equal(series));
  const bool is_of_series = apart && !has_times;
  if (!apart && !has_times) apart = flats_apart(beams);
  if (!apart) return;
  const auto name = [&](const std::vector<int>& group) {
    return is_of_series ? series[static_cast<std::size_t>(group.front())]
                        : range_of_flats(*scan.flats, group);
  };
  const bool is_one = !is_of_series && apart->dimmer.size() == 1;
  result.notes.push_back(
      (is_one ? "the flat " : "the flats ") + name(apart->dimmer) + (is_one ? " is " : " are ") +
      format_param(to_digits(100 * apart->part, 2)) + " % darker than " + name(apart->brighter) +
      ", and one flat was made of all: " +
      (options.air_columns > 0 ? "the columns of air (--air) make up for it in each view"
       : has_times             ? "--interpolate-flats follows the beam"
                               : way_to_follow(*scan.flats, times.empty(), is_of_series)));
}

namespace {

/// Says which beam was assumed and why.
std::string reason_of(const AssumedBeam& beam) {
  using enum AssumedBeam::Basis;
  const auto number = [](float value) { return format_param(to_digits(value, 5)); };
  const std::string taken = number(beam.level) + " was taken as the beam, ",
                    columns = std::to_string(beam.air_columns) + " columns at the ends",
                    remedy = "; --white-level states the beam";
  switch (beam.basis) {
    case air:
      return taken +
             (beam.level == beam.seen ? "which the outermost " + columns + " show, as in air"
                                      : "as of transmissions: the outermost " + columns + " show " +
                                            number(beam.seen)) +
             remedy + ", --air N takes it from N columns in each view";
    case transmission:
      return taken + "as of transmissions, though the sides show no air" + remedy +
             ", and --line-integrals says that the values are no intensities";
    case brightest:
      return taken +
             "the brightest that groups of cells show, but the sides show no air: if the "
             "object fills all views, the line integrals are too small" +
             remedy + ", --air N takes it from N columns that do see air";
    case none:
      break;
  }
  return "of the values, which are no whole numbers, " + beam.why +
         ", as counts would not be: they were taken as line integrals; give a flat (--flat) or the "
         "beam (--white-level) if they are intensities";
}

}  // namespace

void note_assumed_beam(const RawScan& scan, const AssumedBeam& beam, int air_columns,
                       LineIntegrals& result) {
  const bool are_intensities = beam.basis != AssumedBeam::Basis::none;
  // Columns of air make the beam of each view 1, whatever was assumed.
  const std::string reason = are_intensities && air_columns > 0 ? "" : reason_of(beam);
  if (are_intensities && !scan.left_out_images.empty())
    result.first_note =
        "no flat was found, though images that were left out may be flats or darks: " +
        scan.left_out_images + "; --flat and --dark name these" +
        (reason.empty() ? "" : "; " + reason);
  else if (!reason.empty())
    result.notes.push_back("there is no flat" + std::string(are_intensities ? ": " : ", and ") +
                           reason);
}

void note_air_of_part(const CellRange& columns, const NormaliseOptions& options,
                      LineIntegrals& result) {
  if (columns == CellRange{} || options.are_line_integrals) return;
  const std::string ends = "the ends of the part of the columns that is imported";
  if (options.air_columns > 0)
    result.notes.push_back("air was taken from " + ends + ", the outermost " +
                           std::to_string(options.air_columns) +
                           " on both sides: they must see none of the object");
  if (result.lacks_flat && options.white_level <= 0)
    result.notes.push_back("the beam was looked for at " + ends +
                           ": where they see the object, give flats or --white-level, or import "
                           "all columns");
}

}  // namespace gantry
