#include "core/io/files/containers/hdf5_listing.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/decoder/wire.hpp"

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

std::string pack(const Hdf5Listing& listing) {
  Packer packer;
  packer.number(listing.datasets.size());
  for (const Hdf5Dataset& one : listing.datasets) {
    packer.text(one.path);
    packer.number(one.size.size());
    for (const std::uint64_t size : one.size) packer.number(size);
    packer.number(one.is_number ? 1 : 0);
    packer.number(static_cast<std::uint64_t>(one.type));
    const Hdf5Piece piece = one.piece.value_or(Hdf5Piece());
    packer.text(piece.file);  // empty: there is none
    packer.number(piece.start);
    packer.number(piece.big_endian ? 1 : 0);
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
    Hdf5Piece piece;
    piece.file = unpacker.text();
    piece.start = unpacker.number();
    piece.big_endian = unpacker.number() != 0;
    if (!piece.file.empty()) one.piece = std::move(piece);
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

}  // namespace wire

}  // namespace gantry
