#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/files/file_format.hpp"
#include "core/io/files/tiff/tiff_page.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gantry {

/// Judges a file by its first bytes, for FileFormat::magic.
Certainty tiff_certainty(std::string_view start);

struct PageOfFile {
  std::string path;
  int index = 0;
};

/// The pages of a TIFF file of grey values: whole numbers of 8, 16 or 32 bits, or floating-point
/// numbers. The file is read in a process of its own (gantry-decoder), since a damaged file may
/// crash libtiff, or in this process where GANTRY_DECODER=none asks for that. Functions throw
/// InputError that names the file and what libtiff says. One thread at a time.
class TiffPages {
 public:
  /// Opens a file, counts its pages and looks at the first, which must hold grey values.
  /// `interrupt` ends the waiting for the decoder by Interrupted; it may be null, and must outlive
  /// the object.
  explicit TiffPages(const std::string& path, const Interrupt* interrupt = nullptr);
  ~TiffPages();
  TiffPages(const TiffPages&) = delete;
  TiffPages& operator=(const TiffPages&) = delete;

  /// Opens another file instead, in the same process: to start one takes as long as reading many
  /// pages. Does nothing where the file is open already.
  void open(const std::string& path);

  /// Does open() and load() at once.
  TiffPage open_and_load(const std::string& path, int index);

  const std::string& path() const;
  int count() const;
  /// Returns what a page holds.
  TiffPage page(int index);
  /// Reads the values of a page, for values(). Returns what the page holds.
  TiffPage load(int index);
  /// Returns the values of the page that was loaded last as float32, [row][column]. Throws
  /// ShapeError where they are not as many as `values`. `next` is the page that open_and_load()
  /// will be asked for next: the decoder reads it meanwhile, and values() needs another page to be
  /// loaded before it is called again.
  void values(std::span<float> values, const std::optional<PageOfFile>& next = {});

  /// Returns what the description of the first page says (description_in()).
  std::map<std::string, std::string> description();
  /// Returns the resolution of the first page.
  TiffResolution resolution() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry
