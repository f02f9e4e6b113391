#include "core/io/dicom/file/dicom_tree.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/file/large_stack.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/inflate.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcistrmf.h>
#include <dcmtk/dcmdata/dctk.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <limits>
#include <optional>
#include <vector>

namespace gantry {

namespace {

constexpr int deepest = 64;                                      // levels of nested items
constexpr std::size_t stack_for_reading = std::size_t{1} << 23;  // bytes, 128 kB for each level
constexpr std::size_t stack_in_use = stack_for_reading / 2;      // the rest: unwinding, decoding
// Memory charged for each read: an element takes at least three reads, and 300 bytes of memory.
constexpr std::size_t bytes_for_a_read = 128;
// Limits of the processor time for parsing. An intact header takes milliseconds, a megabyte of the
// smallest elements 0.3 s.
constexpr double seconds_for_any_file = 5, seconds_for_a_megabyte = 0.5, most_seconds = 15;

double seconds_of_this_thread() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Returns the value of seconds_of_this_thread() at which parsing a file of that size must have
/// ended; infinity where large_files_confirmed().
double last_second(std::size_t file_bytes) {
  if (large_files_confirmed()) return std::numeric_limits<double>::infinity();
  const double megabytes = 1e-6 * static_cast<double>(file_bytes);
  return seconds_of_this_thread() +
         std::min(seconds_for_any_file + seconds_for_a_megabyte * megabytes, most_seconds);
}

enum class Excess { none, depth, memory, time };

/// A file stream that reports the end of the file once the contents exceed a limit of nesting,
/// memory or time. DCMTK reads the next tag from the stream at every level, so that the limits hold
/// in every branch of its parser; and DCMTK unwinds from the end of a file without leaks.
class BoundedStream : public DcmInputFileStream {
 public:
  explicit BoundedStream(const std::string& path)
      : DcmInputFileStream(path.c_str()),
        file_bytes_(size_of_file(path)),
        memory_left_(allowed_memory(file_bytes_)),
        stack_start_(here()),
        last_second_(last_second(file_bytes_)) {}

  Excess excess() const { return excess_; }
  std::size_t file_bytes() const { return file_bytes_; }
  /// Returns the offset of the deflated data set in the file; nullopt when it is not deflated.
  std::optional<std::size_t> packed_from() const { return packed_from_; }

  OFCondition installCompressionFilter(E_StreamCompression type) override {
    packed_from_ = static_cast<std::size_t>(tell());
    return DcmInputFileStream::installCompressionFilter(type);
  }
  OFBool good() const override { return !over() && DcmInputFileStream::good(); }
  OFCondition status() const override {
    return over() ? EC_EndOfStream : DcmInputFileStream::status();
  }
  OFBool eos() override { return over() || DcmInputFileStream::eos(); }
  offile_off_t avail() override { return over() ? 0 : DcmInputFileStream::avail(); }
  offile_off_t read(void* buffer, offile_off_t bytes) override {
    if (over()) return 0;
    account(static_cast<std::size_t>(std::max<offile_off_t>(bytes, 0)));
    return over() ? 0 : DcmInputFileStream::read(buffer, bytes);
  }
  offile_off_t skip(offile_off_t bytes) override {
    return over() ? 0 : DcmInputFileStream::skip(bytes);
  }

 private:
  bool over() const { return excess_ != Excess::none; }

  static std::uintptr_t here() {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  }

  /// Charges `bytes` before they are read, because DCMTK reads a value as one piece, and an
  /// inflated value may have any size.
  void account(std::size_t bytes) {
    if (stack_start_ - here() > stack_in_use) excess_ = Excess::depth;  // stacks grow downwards
    const std::size_t kept = bytes + bytes_for_a_read;
    if (kept > memory_left_) excess_ = Excess::memory;
    memory_left_ -= std::min(kept, memory_left_);
    constexpr unsigned reads_between_looks = 1024;
    if (++reads_ % reads_between_looks == 0 && seconds_of_this_thread() > last_second_)
      excess_ = Excess::time;
  }

  std::size_t file_bytes_, memory_left_;
  std::uintptr_t stack_start_;
  double last_second_;
  std::optional<std::size_t> packed_from_;
  unsigned reads_ = 0;
  Excess excess_ = Excess::none;
};

[[noreturn]] void refuse_depth(const std::string& path) {
  throw InputError("has sequences more than " + std::to_string(deepest) + " deep", path,
                   "it is damaged: copy it again from where it came");
}

/// Throws InputError when items are nested too deep. Private sequences count too, because DCMTK's
/// copies, conversions and destructors descend into private sequences as well.
void check_depth(DcmItem& item, int depth, const std::string& path) {
  if (depth > deepest) refuse_depth(path);
  for (DcmObject* object = nullptr; (object = item.nextInContainer(object)) != nullptr;) {
    auto* sequence = dynamic_cast<DcmSequenceOfItems*>(object);
    if (sequence == nullptr) continue;
    for (DcmObject* one = nullptr; (one = sequence->nextInContainer(one)) != nullptr;)
      if (auto* inner = dynamic_cast<DcmItem*>(one)) check_depth(*inner, depth + 1, path);
  }
}

void check_excess(const BoundedStream& stream, const std::string& path) {
  switch (stream.excess()) {
    case Excess::none:
      return;
    case Excess::depth:
      refuse_depth(path);
    case Excess::memory:
      require_allowed_memory(
          "unpacks to more than its " + format_bytes(stream.file_bytes()) + " give reason for",
          allowed_memory(stream.file_bytes()) + 1, stream.file_bytes(), path);
      return;
    case Excess::time:
      throw InputError("takes too long to read for its " + format_bytes(stream.file_bytes()), path,
                       large_file_remedy());
  }
}

/// Throws InputError when a deflated data set is cut short or followed by other data. DCMTK
/// inflates a data set as far as its elements go and does not check what follows: by PS3.5, A.5, at
/// most one byte 0, which makes the length even.
void check_packed_end(const std::string& path, std::size_t packed_from, std::size_t file_bytes) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(packed_from));
  Inflater inflater(
      [&](std::span<std::byte> bytes) {
        file.read(reinterpret_cast<char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
        return static_cast<std::size_t>(file.gcount());
      },
      path, Wrapper::none);
  std::vector<std::byte> unpacked(std::size_t{1} << 16);
  while (inflater.read(unpacked) == unpacked.size()) continue;
  const std::size_t end = packed_from + static_cast<std::size_t>(inflater.used());
  if (!inflater.ended())
    throw InputError("its deflated data set is cut short", path,
                     "copy it again from where it came");
  file.clear();
  file.seekg(static_cast<std::streamoff>(end));
  const bool padded = end + 1 == file_bytes && inflater.used() % 2 == 1 && file.get() == 0;
  if (end != file_bytes && !padded)
    throw InputError("holds " + format_bytes(file_bytes - end) + " after its deflated data set",
                     path, "it is damaged: copy it again from where it came");
}

OFCondition read_tree(DcmFileFormat& file, const std::string& path, DicomExtent extent) {
  BoundedStream stream(path);
  if (stream.status().bad()) return stream.status();
  const DcmTagKey pixels(DCM_PixelData.getGroup(), 0);
  file.transferInit();
  OFCondition status =
      file.readUntilTag(stream, EXS_Unknown, EGL_noChange, DCM_MaxReadLength,
                        extent == DicomExtent::header ? pixels : DCM_UndefinedTagKey);
  file.transferEnd();
  check_excess(stream, path);
  if (status == EC_MemoryExhausted) throw memory_exceeded(path);
  if (status.good() && extent == DicomExtent::whole && stream.packed_from())
    check_packed_end(path, *stream.packed_from(), stream.file_bytes());
  if (status.good()) check_depth(*file.getDataset(), 0, path);
  return status;
}

}  // namespace

OFCondition load_dicom_tree(DcmFileFormat& file, const std::string& path, DicomExtent extent) {
  OFCondition status = EC_Normal;
  on_large_stack(stack_for_reading, [&] {
    file.clear();
    try {
      status = read_tree(file, path, extent);
    } catch (...) {
      file.clear();  // on this thread, whose stack suffices for DCMTK's destructors
      throw;
    }
    if (status.bad()) file.clear();
  });
  return status;
}

}  // namespace gantry
