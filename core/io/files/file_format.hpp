#pragma once

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/params.hpp"
#include "core/io/files/read_text.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry {

/// How certain it is that a file has a format, in rising order.
enum class Certainty {
  none,
  possible,  ///< the first bytes may be those of the format, or the path is a folder as it makes
  named,     ///< the name has an extension of the format
  certain    ///< the first bytes are those of the format
};

/// Description of a file format. Dialogs, help texts, messages and tests iterate these.
struct FileFormat {
  std::string key;                            ///< "metaimage"
  std::string label;                          ///< "MetaImage"
  std::vector<std::string> extensions;        ///< lower case with the dot, the usual one first
  std::vector<std::string> whole_names = {};  ///< of files without an extension, "DICOMDIR"
  bool is_of_patients = false;  ///< only the owner may read what is made of such a file
  bool is_folder = false;  ///< written as a folder, read from a folder or from one of its files
  /// Judges a file by its first bytes, at most file_start_bytes and without_byte_order_mark():
  /// none, possible or certain. Empty: only its name tells a file of this format.
  std::function<Certainty(std::string_view start)> magic = {};
  /// Whether a file with such first bytes has what it needs beside it, without which it has not
  /// this format. Empty: it needs nothing.
  std::function<bool(const std::string& path)> is_complete = {};
  /// Judges a folder by what lies in it. Empty: any folder may have a format with is_folder.
  std::function<Certainty(const std::string& folder)> judge_folder = {};
  std::vector<ParamSpec> options = {};  ///< parameters of reader and writer
};

inline constexpr std::size_t file_start_bytes = 4096;

/// Returns the first bytes of a regular file; none if there is no such file, it cannot be opened,
/// or it lies in a file system of the kernel (is_of_kernel()), where reading may wait for ever.
std::string file_start(const std::string& path);

/// Returns the certainty that the file or folder `path`, whose first bytes are `start`, has the
/// format.
Certainty certainty_of(const FileFormat& format, const std::string& path, std::string_view start);

/// Returns whether the name of a file ends in an extension of the format, in upper or lower case.
bool has_extension_of(const FileFormat& format, const std::string& path);

/// Returns the formats as text, "MetaImage (.mha), DICOM (.dcm or a folder)".
std::string described(const std::vector<const FileFormat*>& formats);

/// Returns what a new file of these formats is usually called: ".mha, .mhd, or a folder for DICOM".
std::string names_for(const std::vector<const FileFormat*>& formats);

/// Whether there is a file or folder of this path.
bool is_there(const std::string& path);

/// Throws InputError about a file or folder that has none of the `known` formats: it does not
/// exist, cannot be opened, is empty or packed, or holds something else.
[[noreturn]] void refuse_unknown_format(const std::string& path, const std::string& kind,
                                        const std::vector<const FileFormat*>& known);

/// A list of file formats of one kind. `Format` is a FileFormat with the functions `read` and
/// `write`, of which either may be empty.
template <class Format>
class FormatRegistry {
 public:
  /// A format, null if none was found, and how certain it is.
  struct Found {
    const Format* format = nullptr;
    Certainty certainty = Certainty::none;
  };

  explicit FormatRegistry(std::string kind) : kind_(std::move(kind)) {}

  /// Adds a format. Throws std::logic_error if its key is in the list already.
  void add(Format format) {
    if (find(format.key) != nullptr)
      throw std::logic_error(kind_ + " " + format.key + " is in the list already");
    entries_.push_back(std::move(format));
  }

  const std::vector<Format>& entries() const { return entries_; }
  const std::string& kind() const { return kind_; }

  /// Returns the format of this key. Throws UsageError, with all keys, if there is none.
  const Format& at(const std::string& key) const {
    if (const Format* format = find(key)) return *format;
    throw UsageError(
        "unknown " + kind_ + " \"" + key + "\"", {},
        entries_.empty() ? "there is none yet" : "use one of " + joined(entries_, &Format::key));
  }

  /// Returns the format of a file or folder: by its first bytes, else by its name, else by what its
  /// first bytes may be.
  Found recognise(const std::string& path) const {
    const std::string start = without_byte_order_mark(file_start(path));
    Found found;
    for (const Format& entry : entries_)
      if (const Certainty certainty = certainty_of(entry, path, start); certainty > found.certainty)
        found = {&entry, certainty};
    return found;
  }

  /// Returns the format in which to read a file or folder. Throws InputError if no format is
  /// recognised, UsageError if the format cannot be read.
  const Format& to_read(const std::string& path) const {
    const Format* format = recognise(path).format;
    if (format == nullptr || !is_there(path)) refuse_unknown_format(path, kind_, readable());
    if (!format->read)
      throw UsageError(format->label + " cannot be read by this build", path,
                       "use one of " + described(readable()));
    return *format;
  }

  /// Returns the format whose extension a file has and that is written as a file; null if none.
  const Format* to_write(const std::string& path) const {
    const auto found = std::ranges::find_if(entries_, [&](const Format& entry) {
      return !entry.is_folder && entry.write && has_extension_of(entry, path);
    });
    return found == entries_.end() ? nullptr : &*found;
  }

  /// Return the formats that can be read, and those that can be written.
  std::vector<const FileFormat*> readable() const {
    return chosen([](const Format& entry) { return bool(entry.read); });
  }
  std::vector<const FileFormat*> writable() const {
    return chosen([](const Format& entry) { return bool(entry.write); });
  }

 private:
  const Format* find(const std::string& key) const {
    const auto found = std::ranges::find(entries_, key, &Format::key);
    return found == entries_.end() ? nullptr : &*found;
  }
  template <class Test>
  std::vector<const FileFormat*> chosen(const Test& test) const {
    std::vector<const FileFormat*> all;
    for (const Format& entry : entries_)
      if (test(entry)) all.push_back(&entry);
    return all;
  }

  std::string kind_;
  std::vector<Format> entries_;
};

}  // namespace gantry
