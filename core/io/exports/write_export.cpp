#include "core/io/exports/write_export.hpp"

#include "core/base/error.hpp"
#include "core/io/files/raw_numbers.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <list>

namespace gantry {

std::string export_name(const std::string& scan_path) {
  std::string name = std::filesystem::path(scan_path).filename().string();
  for (const char* ending : {".scan.json", ".json"})
    if (name.size() > std::string(ending).size() && name.ends_with(ending)) {
      name.resize(name.size() - std::string(ending).size());
      break;
    }
  std::ranges::replace_if(
      name,
      [](char c) {
        return c < 0 || (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_' &&
                         c != '-');
      },
      '_');
  return name;
}

void write_export(const std::string& folder, const ExportFormat& format, ScanToExport scan,
                  std::span<const float> line_integrals, FileAccess access) {
  if (line_integrals.size() != scan.geometry.rays())
    throw ShapeError("the number of line integrals is not that of the scan's rays", "export");
  const std::filesystem::path in = folder;
  // All files are on the disk before the first of them gets its name: a full disk changes nothing.
  std::list<AtomicFile> files;
  AtomicFile& data = files.emplace_back(in / scan.data_name(), access);
  scan.data = {};
  write_numbers(line_integrals, [&](std::span<const std::byte> bytes) {
    data.write(bytes);
    scan.data.add(bytes);
  });
  const std::vector<ExportedText> texts = format.write(scan);
  std::for_each(texts.rbegin(), texts.rend(), [&](const ExportedText& text) {
    files.emplace_back(in / text.name, access).write(text.text);
  });
  for (AtomicFile& file : files) file.finish();
  for (AtomicFile& file : files) file.commit();
}

}  // namespace gantry
