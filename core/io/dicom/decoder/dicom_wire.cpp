#include "core/io/dicom/decoder/dicom_wire.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace gantry::wire {

namespace {

constexpr int deepest = 100;  // levels of nested attributes; load_dicom_tree() allows 64

void pack_attributes(Packer& packer, const DicomAttributes& from) {
  packer.number(from.values.size());
  for (const auto& [tag, value] : from.values) {
    packer.number(tag);
    packer.text(value);
  }
  packer.number(from.sequences.size());
  for (const auto& [tag, items] : from.sequences) {
    packer.number(tag);
    packer.number(items.size());
    for (const DicomAttributes& item : items) pack_attributes(packer, item);
  }
}

DicomAttributes unpack_attributes(Unpacker& unpacker, int depth = 0) {
  if (depth > deepest) Unpacker::fail();
  DicomAttributes result;
  for (std::uint64_t left = unpacker.number(); left > 0; --left) {
    const auto tag = static_cast<std::uint32_t>(unpacker.number());
    result.values[tag] = unpacker.text();
  }
  for (std::uint64_t left = unpacker.number(); left > 0; --left) {
    std::vector<DicomAttributes>& items =
        result.sequences[static_cast<std::uint32_t>(unpacker.number())];
    for (std::uint64_t more = unpacker.number(); more > 0; --more)
      items.push_back(unpack_attributes(unpacker, depth + 1));
  }
  return result;
}

}  // namespace

std::string pack(const DicomHeader& header) {
  Packer packer;
  packer.text(header.path);
  pack_attributes(packer, header.meta);
  pack_attributes(packer, header.data);
  return std::move(packer.bytes);
}

DicomHeader unpack_header(std::string_view bytes) {
  Unpacker unpacker(bytes);
  DicomHeader header;
  header.path = unpacker.text();
  header.meta = unpack_attributes(unpacker);
  header.data = unpack_attributes(unpacker);
  return header;
}

}  // namespace gantry::wire
