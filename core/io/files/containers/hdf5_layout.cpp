#include "core/io/files/containers/hdf5_layout.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace gantry {

using hdf5_calls::Handle;
using hdf5_calls::longest_text;

bool holds_its_elements(hid_t dataset) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose),
      space(H5Dget_space(dataset), H5Sclose), type(H5Dget_type(dataset), H5Tclose);
  const H5D_layout_t layout = H5Pget_layout(properties);
  const hsize_t stored = H5Dget_storage_size(dataset);
  const std::size_t size = H5Tget_size(type);
  // No number is longer than a long double: a file that says so is damaged.
  if (size > sizeof(long double) && H5Tget_class(type) != H5T_STRING) return false;
  const bool is_in_one_piece = layout == H5D_COMPACT || (layout == H5D_CONTIGUOUS && stored > 0 &&
                                                         H5Pget_external_count(properties) == 0);
  if (!is_in_one_piece) return true;
  const hssize_t elements = H5Sget_simple_extent_npoints(space);
  return elements >= 0 && size > 0 && stored / size >= static_cast<hsize_t>(elements);
}

NumberType type_of(hid_t stored) {
  const std::size_t size = H5Tget_size(stored);
  if (H5Tget_class(stored) == H5T_INTEGER)
    return whole_number_type(size, H5Tget_sign(stored) != H5T_SGN_NONE)
        .value_or(NumberType::float32);
  return size == sizeof(double) ? NumberType::float64 : NumberType::float32;
}

hid_t library_type(NumberType type) {
  switch (type) {
    case NumberType::int8:
      return H5T_NATIVE_INT8;
    case NumberType::uint8:
      return H5T_NATIVE_UINT8;
    case NumberType::int16:
      return H5T_NATIVE_INT16;
    case NumberType::uint16:
      return H5T_NATIVE_UINT16;
    case NumberType::int32:
      return H5T_NATIVE_INT32;
    case NumberType::uint32:
      return H5T_NATIVE_UINT32;
    case NumberType::int64:
      return H5T_NATIVE_INT64;
    case NumberType::uint64:
      return H5T_NATIVE_UINT64;
    case NumberType::float64:
      return H5T_NATIVE_DOUBLE;
    default:
      return H5T_NATIVE_FLOAT;
  }
}

std::vector<hsize_t> sizes_of(hid_t object) {
  const Handle space(H5Dget_space(object), H5Sclose);
  std::vector<hsize_t> sizes(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!sizes.empty()) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

std::vector<std::size_t> listed_axes(const std::vector<hsize_t>& sizes) {
  std::size_t surplus = sizes.size() > 3 ? sizes.size() - 3 : 0;
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis)
    if (surplus > 0 && sizes[axis] == 1)
      --surplus;
    else
      axes.push_back(axis);
  return axes;
}

std::vector<std::uint64_t> listed_sizes(const std::vector<hsize_t>& sizes) {
  return without_single_axes({sizes.begin(), sizes.end()});
}

std::vector<hsize_t> packed_chunk(hid_t object, std::size_t dimensions) {
  const Handle properties(H5Dget_create_plist(object), H5Pclose);
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  if (H5Pget_layout(properties) != H5D_CHUNKED || H5Pget_nfilters(properties) <= 0 ||
      H5Pget_chunk(properties, H5S_MAX_RANK, chunk.data()) < 0)
    return {};
  const auto end = chunk.begin() + static_cast<std::ptrdiff_t>(dimensions);
  return std::find(chunk.begin(), end, hsize_t{0}) == end ? std::vector<hsize_t>(chunk.begin(), end)
                                                          : std::vector<hsize_t>();
}

namespace {

/// Returns the file of an object, an empty name where the library does not tell it.
std::string file_of(hid_t object) {
  const ssize_t length = H5Fget_name(object, nullptr, 0);
  if (length <= 0 || static_cast<std::size_t>(length) > longest_text) return {};
  std::string name(static_cast<std::size_t>(length), '\0');
  if (H5Fget_name(object, name.data(), name.size() + 1) != length) return {};
  return name;
}

/// Whether bytes of another kind precede the file within it, from whose end addresses are counted.
bool has_user_block(hid_t object) {
  const Handle file(H5Iget_file_id(object), H5Fclose),
      properties(H5Fget_create_plist(file), H5Pclose);
  hsize_t bytes = 0;
  return H5Pget_userblock(properties, &bytes) < 0 || bytes > 0;
}

/// Returns the byte order of the numbers of a data set that are those of this machine but for it;
/// H5T_ORDER_ERROR of others.
H5T_order_t plain_order(hid_t object, const Hdf5Dataset& dataset) {
  const Handle stored(H5Dget_type(object), H5Tclose),
      same(H5Tcopy(library_type(dataset.type)), H5Tclose);
  const H5T_order_t order = H5Tget_order(stored);
  const bool is_plain = (order == H5T_ORDER_LE || order == H5T_ORDER_BE) &&
                        H5Tset_order(same, order) >= 0 && H5Tequal(same, stored) > 0;
  return is_plain ? order : H5T_ORDER_ERROR;
}

}  // namespace

std::optional<Hdf5Piece> piece_of(hid_t object, const Hdf5Dataset& dataset) {
  const Handle properties(H5Dget_create_plist(object), H5Pclose);
  const H5T_order_t order = plain_order(object, dataset);
  const bool is_plain = order != H5T_ORDER_ERROR && H5Pget_layout(properties) == H5D_CONTIGUOUS &&
                        H5Pget_external_count(properties) == 0;
  const haddr_t start = is_plain ? H5Dget_offset(object) : HADDR_UNDEF;
  if (start == HADDR_UNDEF || !holds_its_elements(object)) return std::nullopt;
  Hdf5Piece piece{file_of(object), start, order == H5T_ORDER_BE};
  if (piece.file.empty()) return std::nullopt;
  return piece;
}

std::optional<Hdf5PackedPiece> packed_piece_of(hid_t object, const Hdf5Dataset& dataset,
                                               const std::vector<hsize_t>& sizes) {
  const Handle properties(H5Dget_create_plist(object), H5Pclose),
      space(H5Dget_space(object), H5Sclose);
  const H5T_order_t order = plain_order(object, dataset);
  unsigned flags = 0, setting = 0, left_out_filters = 0;
  std::size_t settings = 0;
  if (order == H5T_ORDER_ERROR || packed_chunk(object, sizes.size()) != sizes ||
      H5Pget_nfilters(properties) != 1 ||
      H5Pget_filter2(properties, 0, &flags, &settings, nullptr, 0, nullptr, &setting) !=
          H5Z_FILTER_DEFLATE)
    return std::nullopt;
  std::array<hsize_t, H5S_MAX_RANK> place{};
  haddr_t start = HADDR_UNDEF;
  hsize_t bytes = 0;
  if (H5Dget_chunk_info(object, space, 0, place.data(), &left_out_filters, &start, &bytes) < 0 ||
      start == HADDR_UNDEF || left_out_filters != 0 || has_user_block(object))
    return std::nullopt;
  Hdf5PackedPiece piece{{file_of(object), start, order == H5T_ORDER_BE}, bytes};
  if (piece.at.file.empty()) return std::nullopt;
  return piece;
}

}  // namespace gantry
