#include "core/io/dicom_nesting.hpp"

#include "core/base/error.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <span>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace gantry {

namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t piece = std::size_t{1} << 20;
constexpr std::size_t meta_start = 132;

/// Follows item tags and their lengths through a stream of bytes without parsing what is between
/// them. Chance hits in pixel values end again with the length that they seem to have.
class NestingScanner {
 public:
  void feed(std::span<const std::uint8_t> bytes) {
    window_.insert(window_.end(), bytes.begin(), bytes.end());
    std::size_t i = 0;
    for (; i + 8 <= window_.size() && !too_deep(); ++i) look_at(window_.data() + i, start_ + i);
    window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(i));
    start_ += i;
  }
  bool too_deep() const { return ends_.size() > deepest; }

 private:
  static constexpr std::uint64_t open = std::numeric_limits<std::uint64_t>::max();

  /// Group FFFE, element E000 starts an item, element E00D ends one of undefined length.
  void look_at(const std::uint8_t* p, std::uint64_t at) {
    const bool little = p[3] == 0xe0 && p[0] == 0xfe && p[1] == 0xff;
    const bool big = p[2] == 0xe0 && p[0] == 0xff && p[1] == 0xfe;
    if (!little && !big) return;
    const std::uint8_t element = little ? p[2] : p[3];
    if (element != 0x00 && element != 0x0d) return;
    while (!ends_.empty() && ends_.back() <= at) ends_.pop_back();
    if (element == 0x0d) {
      if (!ends_.empty() && ends_.back() == open) ends_.pop_back();
      return;
    }
    std::uint32_t length = 0;
    for (int i = 0; i < 4; ++i) length |= std::uint32_t{p[4 + i]} << (little ? 8 * i : 24 - 8 * i);
    ends_.push_back(length == 0xffffffffU ? open : at + 8 + length);
  }

  std::vector<std::uint8_t> window_;
  std::uint64_t start_ = 0;          // offset of window_[0] in the stream
  std::vector<std::uint64_t> ends_;  // of the items that are open
};

/// Inflates on the way: a deflated data set hides its sequences.
class Inflater {
 public:
  Inflater() { usable_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void feed(std::span<std::uint8_t> bytes, NestingScanner& scanner) {
    stream_.next_in = bytes.data();
    stream_.avail_in = static_cast<uInt>(bytes.size());
    std::vector<std::uint8_t> plain(piece);
    while (usable_ && !scanner.too_deep()) {
      stream_.next_out = plain.data();
      stream_.avail_out = static_cast<uInt>(plain.size());
      usable_ = inflate(&stream_, Z_NO_FLUSH) == Z_OK;  // damage is for the reader to report
      scanner.feed(std::span(plain).first(plain.size() - stream_.avail_out));
      if (stream_.avail_in == 0 && stream_.avail_out > 0) return;
    }
  }

 private:
  z_stream stream_{};
  bool usable_ = false;
};

/// Where a deflated data set starts; 0 for files that are not deflated.
std::size_t deflated_start(std::span<const std::uint8_t> head) {
  constexpr std::string_view deflated("1.2.840.10008.1.2.1.99", 22);
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.substr(0, 4096).find(deflated) == std::string_view::npos) return 0;
  if (head.size() < meta_start + 12) return 0;
  const std::uint8_t* length = head.data() + meta_start + 8;  // value of (0002,0000)
  return meta_start + 12 + length[0] + (std::size_t{length[1]} << 8);
}

}  // namespace

void check_dicom_nesting(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::vector<std::uint8_t> bytes(piece);
  NestingScanner scanner;
  Inflater inflater;
  std::size_t deflated = 0;
  for (bool first = true; stream && !scanner.too_deep(); first = false) {
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(piece));
    std::span<std::uint8_t> got(bytes.data(), static_cast<std::size_t>(stream.gcount()));
    if (first) deflated = deflated_start(got);
    if (first && deflated > 0) got = got.subspan(std::min(deflated, got.size()));
    if (deflated > 0)
      inflater.feed(got, scanner);
    else
      scanner.feed(got);
  }
  if (stream.bad()) throw InputError("cannot be read", path, "copy it again");
  if (scanner.too_deep())
    throw InputError("has sequences more than " + std::to_string(deepest) + " deep", path,
                     "it is damaged: copy it again from where it came");
}

}  // namespace gantry
