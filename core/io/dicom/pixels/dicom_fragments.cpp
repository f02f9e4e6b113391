#include "core/io/dicom/pixels/dicom_fragments.hpp"

#include "core/base/error.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dctk.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace gantry {

namespace {

using Bytes = std::vector<std::uint8_t>;

[[noreturn]] void fail(const std::string& what) {
  throw InputError(what, {}, "copy the file again from where it came");
}

Bytes read_item(DcmPixelSequence& sequence, unsigned long index) {
  DcmPixelItem* item = nullptr;
  Uint8* bytes = nullptr;
  if (sequence.getItem(item, index).bad() || item == nullptr) fail("a compressed image is missing");
  if (item->getLength() == 0) return {};
  if (item->getUint8Array(bytes).bad() || bytes == nullptr)
    fail("the compressed pixel data are cut short");
  return {bytes, bytes + item->getLength()};
}

/// Returns the offset of each image in bytes from the first fragment on; empty where the offset
/// table is empty.
std::vector<std::size_t> read_offsets(DcmPixelSequence& sequence, std::size_t frames) {
  if (sequence.card() == 0) return {};
  const Bytes table = read_item(sequence, 0);
  std::vector<std::size_t> offsets;
  for (std::size_t at = 0; at + 4 <= table.size(); at += 4)
    offsets.push_back(table[at] | std::size_t{table[at + 1]} << 8 |
                      std::size_t{table[at + 2]} << 16 | std::size_t{table[at + 3]} << 24);
  if (!offsets.empty() && offsets.size() != frames)
    fail("the offset table of the pixel data has " + std::to_string(offsets.size()) +
         " entries for " + std::to_string(frames) + (frames == 1 ? " image" : " images"));
  return offsets;
}

bool starts_codestream(const Bytes& fragment) {
  static constexpr std::uint8_t jpeg[] = {0xff, 0xd8, 0xff};
  static constexpr std::uint8_t jpeg2000[] = {0xff, 0x4f, 0xff, 0x51};
  static constexpr std::uint8_t jp2[] = {0, 0, 0, 12, 'j', 'P', ' ', ' '};
  const auto starts = [&](auto& magic) {
    return fragment.size() > std::size(magic) &&
           std::equal(std::begin(magic), std::end(magic), fragment.begin());
  };
  return starts(jpeg) || starts(jpeg2000) || starts(jp2);
}

/// Returns for each fragment whether an image begins with it.
std::vector<bool> beginnings(const std::vector<Bytes>& fragments,
                             const std::vector<std::size_t>& offsets, std::size_t frames) {
  std::vector<bool> begins(fragments.size(), fragments.size() == frames);
  if (fragments.empty() || fragments.size() == frames) return begins;
  constexpr std::size_t item_header = 8;
  std::size_t at = 0;
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    if (frames > 1)
      begins[i] = offsets.empty() ? starts_codestream(fragments[i])
                                  : std::ranges::find(offsets, at) != offsets.end();
    at += item_header + fragments[i].size();
  }
  begins.front() = true;
  return begins;
}

}  // namespace

std::vector<Bytes> read_codestreams(DcmPixelSequence& sequence, int frames) {
  const auto count = static_cast<std::size_t>(frames);
  const std::vector<std::size_t> offsets = read_offsets(sequence, count);
  std::vector<Bytes> fragments;
  for (unsigned long i = 1; i < sequence.card(); ++i) fragments.push_back(read_item(sequence, i));
  const std::vector<bool> begins = beginnings(fragments, offsets, count);
  std::vector<Bytes> images;
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    if (begins[i])
      images.push_back(std::move(fragments[i]));
    else
      images.back().insert(images.back().end(), fragments[i].begin(), fragments[i].end());
  }
  if (images.size() != count)
    fail("holds " + std::to_string(images.size()) + " compressed images instead of " +
         std::to_string(count));
  return images;
}

}  // namespace gantry
