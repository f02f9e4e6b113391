#include "core/io/imports/marked_frames.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/imports/chosen_frames.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gantry {

namespace {

enum class Role : char { projection, flat, dark };

/// Gives the frames of ranges a role.
void mark(const std::vector<CellRange>& ranges, Role role, const std::string& option,
          std::vector<Role>& roles) {
  const int frames = static_cast<int>(roles.size());
  for (const CellRange& range : ranges) {
    const int last = range.last.value_or(frames - 1);
    if (range.first > last || last >= frames)
      throw UsageError("frames " + std::to_string(range.first) + " to " + std::to_string(last) +
                           " are not all among the " + std::to_string(frames) + " frames",
                       option, "count from 0 to " + std::to_string(frames - 1));
    for (int frame = range.first; frame <= last; ++frame) {
      Role& of_frame = roles[static_cast<std::size_t>(frame)];
      if (of_frame != Role::projection && of_frame != role)
        throw UsageError("frame " + std::to_string(frame) + " is marked as a flat and as a dark",
                         option, "mark it once");
      of_frame = role;
    }
  }
}

/// Says which frames were marked, by the names of their files, which may have other numbers:
/// "flats (--flat-frames): scan/im_006.tif to scan/im_010.tif".
std::string marked_note(const FrameSource& frames, const std::string& what,
                        const std::vector<CellRange>& ranges) {
  const auto name_of = [&](const CellRange& range) {
    const int last = range.last.value_or(frames.frames() - 1);
    const std::string first = frames.name(range.first);
    return last == range.first ? first : first + " to " + frames.name(last);
  };
  return what + ": " + joined(ranges, name_of);
}

std::shared_ptr<const FrameSource> chosen(std::vector<ChosenFrames::Choice> choices) {
  return choices.empty() ? nullptr : std::make_shared<const ChosenFrames>(std::move(choices));
}

}  // namespace

std::vector<double> ProjectionsAmong::of(std::vector<double> values) const {
  if (kept.empty() || values.size() != static_cast<std::size_t>(frames)) return values;
  std::vector<double> of_projections;
  for (const int frame : kept) of_projections.push_back(values[static_cast<std::size_t>(frame)]);
  return of_projections;
}

FrameNumbers ProjectionsAmong::of(const FrameNumbers& numbers) const {
  if (kept.empty()) return numbers;
  FrameNumbers found;
  found.frames = static_cast<int>(kept.size());
  found.first_number = numbers.first_number;
  found.all_places = numbers.places.empty() ? numbers.all() : numbers.all_places;
  for (int index = 0; index < found.frames; ++index) {
    const int frame = kept[static_cast<std::size_t>(index)], marked_before = frame - index;
    found.places.push_back(numbers.place(frame));
    if (!numbers.positions.empty())
      found.positions.push_back(numbers.position(frame) - marked_before);
    if (!numbers.files.empty())
      found.files.push_back(numbers.files[static_cast<std::size_t>(frame)]);
  }
  if (numbers.projections > 0) found.projections = numbers.projections - (frames - found.frames);
  return found;
}

ProjectionsAmong take_marked_frames(const ImportRequest& request, RawScan& scan,
                                    const FrameSource* counted) {
  scan.takes_marks = true;
  ProjectionsAmong among{{}, scan.projections->frames()};
  if (request.flat_frames.empty() && request.dark_frames.empty()) return among;
  const FrameSource& all = counted != nullptr ? *counted : *scan.projections;
  std::vector<Role> roles(static_cast<std::size_t>(all.frames()), Role::projection);
  mark(request.flat_frames, Role::flat, "--flat-frames", roles);
  mark(request.dark_frames, Role::dark, "--dark-frames", roles);
  if (!request.flat_frames.empty())
    scan.notes.push_back(marked_note(all, "flats (--flat-frames)", request.flat_frames));
  if (!request.dark_frames.empty())
    scan.notes.push_back(marked_note(all, "darks (--dark-frames)", request.dark_frames));
  std::vector<ChosenFrames::Choice> projections, flats, darks;
  for (int frame = 0; frame < among.frames; ++frame) {
    const Role role = roles[static_cast<std::size_t>(scan.projections->place(frame))];
    (role == Role::flat   ? flats
     : role == Role::dark ? darks
                          : projections)
        .emplace_back(scan.projections, frame);
    if (role == Role::projection) among.kept.push_back(frame);
    if (role == Role::flat)
      scan.marked_flat_views.push_back(static_cast<double>(among.kept.size()) - 0.5);
  }
  if (projections.empty())
    throw UsageError("all frames are marked as flats or darks", request.path,
                     "leave some as projections");
  scan.projections = chosen(std::move(projections));
  scan.marked_flats = chosen(std::move(flats));
  scan.marked_darks = chosen(std::move(darks));
  return among;
}

void join_marked_frames(const ImportRequest& request, const std::string& format, RawScan& scan) {
  if (!scan.takes_marks && !(request.flat_frames.empty() && request.dark_frames.empty()))
    throw UsageError(format + " itself tells which of its frames are projections", request.path,
                     "leave out the frames that are flats or darks (--flat-frames, --dark-frames)");
  if (scan.marked_flats != nullptr) {
    // The time of all flats is known, or that of none.
    const auto others = static_cast<std::size_t>(scan.flats ? scan.flats->frames() : 0);
    if (scan.flat_views.size() == others)
      std::ranges::copy(scan.marked_flat_views, std::back_inserter(scan.flat_views));
    else
      scan.flat_views.clear();
  }
  const auto frames_of = [](const auto& source) { return source ? source->frames() : 0; };
  scan.marked_at_end_of_flats = frames_of(scan.marked_flats);
  scan.marked_at_end_of_darks = frames_of(scan.marked_darks);
  scan.flats = joined_frames(scan.flats, std::exchange(scan.marked_flats, nullptr));
  scan.darks = joined_frames(scan.darks, std::exchange(scan.marked_darks, nullptr));
}

}  // namespace gantry
