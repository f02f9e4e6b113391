#include "core/io/imports/formats/hdf5/hdf5_reduced.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/file_format.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>

namespace gantry {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> extensions_of_reduced = {".hdf5", ".h5"};

/// Returns scan_flats.hdf5 beside scan.nx; an empty text where there is no such file.
std::string reduced_beside(const fs::path& scan, const char* word) {
  for (const char* extension : extensions_of_reduced) {
    const fs::path path =
        scan.parent_path() / (scan.stem().string() + "_" + word + std::string(extension));
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return {};
}

}  // namespace

std::optional<int> place_of_reduced(const std::string& path) {
  constexpr std::size_t most_digits = 8;
  const std::string name = path.substr(path.rfind('/') + 1),
                    group = path.substr(0, path.size() - name.size());
  if (!group.ends_with("/flats/") && !group.ends_with("/darks/")) return std::nullopt;
  if (name.empty() || name.size() > most_digits || !std::ranges::all_of(name, is_digit))
    return std::nullopt;
  return std::stoi(name);
}

std::vector<const Hdf5Dataset*> reduced_in(const Hdf5File& file, const std::string& group) {
  const std::string whole = group.ends_with('/') ? group : group + "/";
  std::vector<const Hdf5Dataset*> found;
  for (const Hdf5Dataset& one : file.datasets())
    if (one.group() == whole && place_of_reduced(one.path) && one.has_dimensions(2, 3) &&
        (one.size.size() == 2 || one.size[0] == 1))
      found.push_back(&one);
  std::ranges::stable_sort(found, {},
                           [](const Hdf5Dataset* one) { return place_of_reduced(one->path); });
  return found;
}

std::vector<const Hdf5Dataset*> reduced_frames(const Hdf5File& file, const std::string& word,
                                               const std::string& entry) {
  std::set<std::string> groups;
  for (const Hdf5Dataset& one : file.datasets())
    if (one.group_name() == word && place_of_reduced(one.path)) groups.insert(one.group());
  const std::string of_entry = entry + word + "/";
  if (groups.size() == 1) return reduced_in(file, *groups.begin());
  return groups.contains(of_entry) ? reduced_in(file, of_entry) : std::vector<const Hdf5Dataset*>{};
}

std::vector<double> views_of_places(std::span<const int> places, const FrameSource& projections) {
  std::vector<double> views;
  for (const int place : places) {
    int before = 0;  // projections
    while (before < projections.frames() && projections.place(before) < place) ++before;
    views.push_back(before - 0.5);
  }
  return views;
}

ImportRequest with_reduced_beside(const ImportRequest& request, const std::string& entry,
                                  RawScan& scan) {
  ImportRequest found = request;
  if (request.normalise.are_line_integrals) return found;
  const auto take = [&](const char* word, bool is_sought, std::vector<std::string>& files) {
    const std::string path = is_sought ? reduced_beside(request.path, word) : std::string();
    if (path.empty()) return;
    try {
      if (reduced_frames(Hdf5File(path, request.interrupt), word, entry).empty()) return;
    } catch (const InputError& error) {
      scan.notes.push_back(std::string("no ") + word +
                           " were taken from a file beside it: " + error.what());
      return;
    }
    files = {path};
    scan.assumptions.push_back(
        {word, fs::path(path).filename().string(), "beside the projections, by its name"});
  };
  take("flats", scan.flats == nullptr && request.flats.empty() && request.data_sets.flats.empty(),
       found.flats);
  take("darks", scan.darks == nullptr && request.darks.empty() && request.data_sets.darks.empty(),
       found.darks);
  return found;
}

std::vector<std::string> scans_with_reduced(const std::string& folder) {
  std::vector<std::string> scans;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const fs::path& path = at->path();
    if (std::ranges::count(extensions_of_hdf5, lower_case(path.extension().string())) > 0 &&
        !(reduced_beside(path, "flats").empty() && reduced_beside(path, "darks").empty()) &&
        is_hdf5(file_start(path.string())))
      scans.push_back(path.string());
  }
  std::ranges::sort(scans);
  return scans;
}

std::string file_of_scan(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  const std::vector<std::string> scans = scans_with_reduced(path);
  if (scans.size() == 1) return scans.front();
  const auto name = [](const std::string& scan) { return fs::path(scan).filename().string(); };
  throw InputError("holds " + std::to_string(scans.size()) +
                       " scans beside which averaged flats or darks lie: " + joined(scans, name),
                   path, "choose one of them");
}

}  // namespace gantry
