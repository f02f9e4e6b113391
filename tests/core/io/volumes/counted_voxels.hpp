#pragma once

#include "core/io/volumes/volume_file.hpp"
#include "tests/support/small_files.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <string>

namespace gantry::test {

/// A volume of 4 x 3 x 2 bytes that say where they are: x + 10 y + 100 z.
struct CountedVoxels {
  static constexpr int nx = 4, ny = 3, nz = 2;

  static int value(int ix, int iy, int iz) { return ix + 10 * iy + 100 * iz; }
  /// The bytes of all slices, or of slice `iz`.
  static QByteArray bytes() { return slice(0) + slice(1); }
  static QByteArray slice(int iz) {
    QByteArray bytes;
    for (int iy = 0; iy < ny; ++iy)
      for (int ix = 0; ix < nx; ++ix) bytes += static_cast<char>(value(ix, iy, iz));
    return bytes;
  }
  /// The numbers as text.
  static QByteArray text() {
    QByteArray text;
    for (const char byte : bytes())
      text += QByteArray::number(static_cast<int>(static_cast<unsigned char>(byte))) + " ";
    return text + "\n";
  }
  /// Whether a volume holds them in the order of the grid.
  static bool are_in(const LoadedVolume& volume, double slope = 1, double intercept = 0) {
    const VolumeGrid& g = volume.grid;
    if (g.nx != nx || g.ny != ny || g.nz != nz || volume.mu.size() != g.voxels()) return false;
    for (int iz = 0; iz < nz; ++iz)
      for (int iy = 0; iy < ny; ++iy)
        for (int ix = 0; ix < nx; ++ix)
          if (volume.mu[g.index(ix, iy, iz)] !=
              static_cast<float>(slope * value(ix, iy, iz) + intercept))
            return false;
    return true;
  }
};

inline bool mentions(const LoadedVolume& volume, const std::string& part) {
  return std::ranges::any_of(
      volume.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

/// Whether the slices that can be read one by one are those of the whole volume.
inline bool has_same_slices(const std::string& path) {
  const auto slices = open_slices(path);
  const LoadedVolume whole = load_volume(path);
  if (!slices || slices->grid != whole.grid) return false;
  const auto cells = static_cast<std::ptrdiff_t>(whole.grid.nx) * whole.grid.ny;
  for (int iz = 0; iz < whole.grid.nz; ++iz) {
    const auto first = whole.mu.begin() + iz * cells;
    if (slices->read(iz) != std::vector<float>(first, first + cells)) return false;
  }
  return true;
}

/// Reads a file that was cut at every length. Each gives one line that names a file,
/// or the whole volume, where nothing but what follows the voxels is missing; returns what is
/// wrong.
inline std::string wrong_after_cuts(const QTemporaryDir& folder, const QString& name,
                                    const QByteArray& whole) {
  const QString path = folder.filePath(name);
  write_file(path, whole);
  const LoadedVolume expected = load_volume(path.toStdString());
  for (qsizetype length = 0; length < whole.size(); ++length) {
    write_file(path, whole.left(length));
    try {
      if (load_volume(path.toStdString()).mu != expected.mu)
        return "other voxels after byte " + std::to_string(length);
    } catch (const std::exception& error) {
      const std::string message = error.what();
      // A header that was cut may name another file of the folder.
      if (message.find(folder.path().toStdString()) == std::string::npos ||
          message.find('\n') != std::string::npos)
        return message;
    }
  }
  return {};
}

}  // namespace gantry::test
