#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gantry::test {

/// Something that reads foreign bytes.
struct FuzzedReader {
  std::string key;   ///< that of its folder in tests/fuzz/corpus: "nrrd"
  std::string file;  ///< name under which the bytes lie before the reader: "v.nrrd"
  int most_bytes;    ///< longer inputs would show little more, and take longer
  /// Reads the file; `bytes` are what it holds. Throws InputError for bytes that cannot be used,
  /// and nothing else.
  std::function<void(const std::string& path, std::span<const std::uint8_t> bytes)> read;
  /// The library behind the reader is known to crash on damaged files. The program calls the
  /// library in the decoder process, and so do tests under changes that nobody has tried before.
  bool needs_decoder = false;
};

/// Where the libraries behind a reader run: in the test, which watches them there, or in the
/// decoder process, as in the program.
enum class LibrariesRun { in_the_test, in_the_decoder };

/// Returns every reader of foreign bytes that this build has.
const std::vector<FuzzedReader>& fuzzed_readers();

/// Returns the reader of this key; null if there is none.
const FuzzedReader* find_fuzzed_reader(const std::string& key);

/// A folder in memory where there is such a file system, else on disk, in which one reader finds
/// its bytes. Beside them lie the files that its headers may name: those of
/// tests/fuzz/beside/KEY. The folder is removed at the end.
class FuzzedFile {
 public:
  /// `sources`: the folder tests/fuzz. Throws std::runtime_error where no folder can be made.
  FuzzedFile(const FuzzedReader& reader, const std::string& sources,
             LibrariesRun libraries = LibrariesRun::in_the_test);
  ~FuzzedFile();
  FuzzedFile(const FuzzedFile&) = delete;
  FuzzedFile& operator=(const FuzzedFile&) = delete;

  /// Lets the reader read these bytes. Returns what is wrong with the reader: it threw something
  /// else than InputError, or the message of the error is not one line of visible characters.
  /// Empty: nothing.
  std::string fault_with(std::span<const std::uint8_t> bytes);
  /// Returns the message with which the last bytes were refused; empty: they were read.
  const std::string& refusal() const { return refusal_; }

 private:
  const FuzzedReader& reader_;
  std::string folder_, path_, refusal_;
};

}  // namespace gantry::test
