#include "core/io/volumes/nrrd.hpp"

#include "core/io/volumes/nrrd_header.hpp"

namespace gantry {

namespace {

/// Returns the header of a volume to write. Its world is right-handed, and no patient's unless the
/// volume says so.
std::string header_text(const VolumeToWrite& volume) {
  const VolumeGrid& g = volume.grid;
  std::string text = "NRRD0004\ntype: float\ndimension: 3\nspace: ";
  text += volume.is_in_patient ? "left-posterior-superior" : "3D-right-handed";
  text += "\nsizes: ";
  text += std::to_string(g.nx) + " " + std::to_string(g.ny) + " " + std::to_string(g.nz);
  text += "\nspace directions: (" + format_param(g.spacing_mm.x) + ",0,0) (0," +
          format_param(g.spacing_mm.y) + ",0) (0,0," + format_param(g.spacing_mm.z) + ")";
  text += "\nkinds: domain domain domain\nspace units: \"mm\" \"mm\" \"mm\"\nendian: little";
  text += "\nencoding: raw\nspace origin: (" + format_param(g.origin_mm.x) + "," +
          format_param(g.origin_mm.y) + "," + format_param(g.origin_mm.z) + ")\n";
  for (const auto& [key, value] : description_of_values(volume))
    text.append(key).append(":=").append(value).append("\n");
  return text + "\n";
}

VolumeFormat any_nrrd() {
  VolumeFormat format;
  format.read = [](const std::string& path, const VolumeReadOptions& options) {
    return read_stored_volume(read_nrrd_header(path), path, options);
  };
  format.data_paths = [](const std::string& path) {
    std::vector<std::string> paths;
    for (const FilePart& part : read_nrrd_header(path).parts) paths.push_back(part.path);
    return paths;
  };
  format.slices = [](const std::string& path) { return slices_of(read_nrrd_header(path)); };
  format.open_slices = [](const std::string& path, const VolumeReadOptions& options) {
    return stored_slices_of(read_nrrd_header(path), path, options);
  };
  return format;
}

}  // namespace

VolumeFormat nrrd_format() {
  VolumeFormat format = any_nrrd();
  format.key = "nrrd";
  format.label = "NRRD";
  format.extensions = {".nrrd"};
  format.magic = [](std::string_view start) {
    return start.starts_with(nrrd_magic) && !names_nrrd_data(start) ? Certainty::certain
                                                                    : Certainty::none;
  };
  format.write = [](const std::string& path, const VolumeToWrite& volume) {
    AtomicFile file(path, volume.access);
    file.write(header_text(volume));
    write_values(volume, [&](std::span<const std::byte> bytes) { file.write(bytes); });
    file.commit();
  };
  return format;
}

VolumeFormat nrrd_header_format() {
  VolumeFormat format = any_nrrd();
  format.key = "nrrd_header";
  format.label = "NRRD header and data files";
  format.extensions = {".nhdr"};
  format.magic = [](std::string_view start) {
    return start.starts_with(nrrd_magic) && names_nrrd_data(start) ? Certainty::certain
                                                                   : Certainty::none;
  };
  return format;
}

}  // namespace gantry
