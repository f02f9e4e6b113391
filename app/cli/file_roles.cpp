#include "app/cli/file_roles.hpp"

#include "app/cli/checks.hpp"
#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"

#include <filesystem>
#include <system_error>

namespace gantry::cli {

namespace fs = std::filesystem;

namespace {

/// Returns whether two paths name the same file: by device and inode if both exist, else by the
/// resolved path.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::exists(a, error) && fs::exists(b, error)) return fs::equivalent(a, b, error);
  const fs::path first = fs::weakly_canonical(fs::absolute(a), error);
  return !error && first == fs::weakly_canonical(fs::absolute(b), error);
}

}  // namespace

void FileRoles::reads(const std::string& path, const std::string& option) {
  if (path.empty()) return;
  inputs_.push_back({path, option});
  std::vector<std::string> files = data_paths_in_volume(path);
  if (const std::string data = data_path_in_scan(path); !data.empty()) files.push_back(data);
  for (const std::string& data : files) inputs_.push_back({data, "the data of " + option});
}

void FileRoles::writes_file(const std::string& path, const std::string& option) {
  if (!path.empty()) outputs_.push_back({{path, option}});
}

void FileRoles::writes_scan(const std::string& path, const std::string& option) {
  if (path.empty()) return;
  std::vector<Role> roles;
  for (const std::string& file : files_of_scan(path))
    roles.push_back({file, roles.empty() ? option : "the data of " + option});
  outputs_.push_back(std::move(roles));
}

void FileRoles::writes_volume(const std::string& path, const std::string& option) {
  if (path.empty()) return;
  std::vector<Role> roles;
  for (const std::string& file : files_of_volume(path))
    roles.push_back({file, option, fs::path(file).extension().empty() || fs::is_directory(file)});
  outputs_.push_back(std::move(roles));
}

void FileRoles::require_distinct() const {
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    for (const Role& output : outputs_[i]) {
      for (const Role& input : inputs_) require_distinct(output, input);
      for (std::size_t other = 0; other < outputs_.size(); ++other)
        if (other != i)
          for (const Role& role : outputs_[other]) require_distinct(output, role);
    }
}

void FileRoles::require_distinct(const Role& output, const Role& other) const {
  const bool shared = is_same_file(output.path, other.path) ||
                      (output.replaces_folder && lies_within(other.path, output.path));
  if (shared)
    throw UsageError("is where " + other.option + " is (" + other.path + ")",
                     output.option + " " + output.path, "choose another name");
}

void add_scan(CLI::App& sub, std::string& scan, const std::string& what) {
  sub.add_option("SCAN", scan, scan_names_to_read() + what)
      ->type_name("FILE")
      ->required()
      ->check(not_empty());
}

CLI::Option* add_scan_out(CLI::App& sub, std::string& out) {
  return sub.add_option("--out", out, scan_names_to_write() + "; the data are written beside it")
      ->type_name("FILE")
      ->check(not_empty());
}

CLI::Option* add_deidentify(CLI::App& sub, bool& deidentify) {
  return sub.add_flag("--deidentify", deidentify,
                      "DICOM without what identifies the patient (PS3.15, basic profile)");
}

void add_mu_water_of_volumes(CLI::App& sub, double& mu_water) {
  sub.add_option("--mu-water", mu_water, "attenuation of water, for HU of files that state none")
      ->type_name("1/MM")
      ->capture_default_str()
      ->check(positive());
}

}  // namespace gantry::cli
