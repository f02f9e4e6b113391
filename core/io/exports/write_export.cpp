#include "core/io/exports/write_export.hpp"

#include "core/base/error.hpp"
#include "core/io/files/raw_numbers.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

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

void write_export(const std::string& folder, const ScanToExport& scan,
                  const std::vector<ExportedText>& texts, std::span<const float> line_integrals,
                  FileAccess access) {
  if (line_integrals.size() != scan.geometry.rays())
    throw ShapeError("the number of line integrals is not that of the scan's rays", "export");
  const std::filesystem::path in = folder;
  AtomicFile data(in / scan.data_name(), access);
  write_numbers(line_integrals, [&](std::span<const std::byte> bytes) { data.write(bytes); });
  data.commit();
  for (auto text = texts.rbegin(); text != texts.rend(); ++text)
    write_file_atomically(in / text->name, std::as_bytes(std::span(text->text)), access);
}

}  // namespace gantry
