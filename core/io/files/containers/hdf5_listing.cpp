#include "core/io/files/containers/hdf5_listing.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/decoder/wire.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace gantry {

std::string Hdf5Scaling::formula() const {
  std::string text = "number";
  if (factor != 1) text += " x " + format_param(to_digits(factor, 6));
  if (addend != 0)
    text += (addend > 0 ? " + " : " - ") + format_param(to_digits(std::abs(addend), 6));
  return text;
}

double bytes_of_kept_chunks(std::uint64_t stored_bytes) {
  constexpr double most = 1e9;
  return std::min(most, static_cast<double>(allowed_memory(stored_bytes)) / 4);
}

const Hdf5Dataset* Hdf5Listing::find(const std::string& path) const {
  std::string known = path;
  // The target of an alias goes through none. Only what follows it is looked at again, which grows
  // shorter each time.
  for (std::size_t resolved = 0;;) {
    const auto alias = std::ranges::find_if(aliases, [&](const Hdf5Alias& one) {
      const std::size_t length = one.path.size();
      return length > resolved && known.starts_with(one.path) &&
             (known.size() == length || known[length] == '/');
    });
    if (alias == aliases.end()) break;
    known.replace(0, alias->path.size(), alias->target);
    resolved = alias->target.size();
  }
  const auto found = std::ranges::find(datasets, known, &Hdf5Dataset::path);
  return found == datasets.end() ? nullptr : &*found;
}

namespace wire {

namespace {

/// The name of its file is empty where there is none.
void pack_piece(const Hdf5Piece& piece, Packer& packer) {
  packer.text(piece.file);
  packer.number(piece.start);
  packer.number(piece.big_endian ? 1 : 0);
}

std::optional<Hdf5Piece> unpacked_piece(Unpacker& unpacker) {
  Hdf5Piece piece;
  piece.file = unpacker.text();
  piece.start = unpacker.number();
  piece.big_endian = unpacker.number() != 0;
  if (piece.file.empty()) return std::nullopt;
  return piece;
}

}  // namespace

std::string pack(const Hdf5Listing& listing) {
  Packer packer;
  packer.number(listing.datasets.size());
  for (const Hdf5Dataset& one : listing.datasets) {
    packer.text(one.path);
    packer.number(one.size.size());
    for (const std::uint64_t size : one.size) packer.number(size);
    packer.number(one.is_number ? 1 : 0);
    packer.number(static_cast<std::uint64_t>(one.type));
    pack_piece(one.piece.value_or(Hdf5Piece()), packer);
    const Hdf5PackedPiece packed = one.packed_piece.value_or(Hdf5PackedPiece());
    pack_piece(packed.at, packer);
    packer.number(packed.bytes);
    packer.number(one.chunk.size());
    for (const std::uint64_t size : one.chunk) packer.number(size);
    packer.number(one.stored_bytes);
    packer.number(one.scaling ? 1 : 0);
    if (!one.scaling) continue;
    packer.number(std::bit_cast<std::uint64_t>(one.scaling->factor));
    packer.number(std::bit_cast<std::uint64_t>(one.scaling->addend));
    packer.text(one.scaling->attributes);
    packer.text(one.scaling->fault);
  }
  packer.lines(listing.dangling);
  packer.number(listing.aliases.size());
  for (const Hdf5Alias& alias : listing.aliases) {
    packer.text(alias.path);
    packer.text(alias.target);
  }
  return std::move(packer.bytes);
}

Hdf5Listing unpack_listing(std::string_view bytes) {
  Unpacker unpacker(bytes);
  Hdf5Listing listing;
  for (std::uint64_t left = unpacker.number(); left > 0; --left) {
    Hdf5Dataset& one = listing.datasets.emplace_back();
    one.path = unpacker.text();
    for (std::uint64_t more = unpacker.number(); more > 0; --more)
      one.size.push_back(unpacker.number());
    one.is_number = unpacker.number() != 0;
    const std::uint64_t type = unpacker.number();
    if (type > static_cast<std::uint64_t>(NumberType::float64)) Unpacker::fail();
    one.type = static_cast<NumberType>(type);
    one.piece = unpacked_piece(unpacker);
    const std::optional<Hdf5Piece> packed = unpacked_piece(unpacker);
    const std::uint64_t packed_bytes = unpacker.number();
    if (packed) one.packed_piece = {*packed, packed_bytes};
    for (std::uint64_t more = unpacker.number(); more > 0; --more)
      one.chunk.push_back(unpacker.number());
    one.stored_bytes = unpacker.number();
    if (unpacker.number() == 0) continue;
    Hdf5Scaling& scaling = one.scaling.emplace();
    scaling.factor = std::bit_cast<double>(unpacker.number());
    scaling.addend = std::bit_cast<double>(unpacker.number());
    scaling.attributes = unpacker.text();
    scaling.fault = unpacker.text();
  }
  listing.dangling = unpacker.lines();
  for (std::uint64_t left = unpacker.number(); left > 0; --left) {
    Hdf5Alias& alias = listing.aliases.emplace_back();
    alias.path = unpacker.text();
    alias.target = unpacker.text();
  }
  return listing;
}

std::string pack(const Hdf5Elements& elements) {
  Packer packer;
  packer.text(elements.path);
  packer.number(elements.box.size());
  for (const AxisRange& range : elements.box)
    for (const std::uint64_t number : {range.first, range.count, range.step}) packer.number(number);
  return std::move(packer.bytes);
}

Hdf5Elements unpack_elements(std::string_view bytes) {
  Unpacker unpacker(bytes);
  Hdf5Elements elements{unpacker.text(), {}};
  for (std::uint64_t more = unpacker.number(); more > 0; --more) {
    AxisRange& range = elements.box.emplace_back();
    for (std::uint64_t* number : {&range.first, &range.count, &range.step})
      *number = unpacker.number();
  }
  return elements;
}

}  // namespace wire

}  // namespace gantry
