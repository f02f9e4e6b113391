#include "core/io/files/data_seal.hpp"

#include "core/base/error.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <utility>
#include <zlib.h>

namespace gantry {

void DataSeal::add(std::span<const std::byte> more) {
  bytes += more.size();
  crc32 = static_cast<std::uint32_t>(
      crc32_z(crc32, reinterpret_cast<const Bytef*>(more.data()), more.size()));
}

std::string crc_text(const DataSeal& seal) {
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", static_cast<unsigned>(seal.crc32));
  return text.data();
}

std::optional<std::uint32_t> crc_from_text(const std::string& text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, 16);
  if (text.size() != 8 || error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

ByteSource sealed(ByteSource source, DataSeal& seal) {
  return [source = std::move(source), &seal](std::span<std::byte> bytes) {
    const std::size_t got = source(bytes);
    seal.add(bytes.first(got));
    return got;
  };
}

void require_seal(const DataSeal& read, const DataSeal& stated, const std::string& data_file,
                  const std::string& header, const std::string& field) {
  if (read.bytes == stated.bytes && read.crc32 == stated.crc32) return;
  const auto words = [](const DataSeal& seal) {
    return std::to_string(seal.bytes) + " bytes with CRC-32 " + crc_text(seal);
  };
  throw InputError("holds other data than its header was written with (" + words(read) + ", not " +
                       words(stated) + ")",
                   data_file,
                   "fetch both files again, or remove " + field + " from " + header +
                       " if the data were changed on purpose");
}

}  // namespace gantry
