#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
// Versions from 1.12 on give links and objects other structures, unless the earlier ones are asked
// for.
#define H5_USE_110_API
#include <hdf5.h>

/// What the reader of HDF5 needs to call the library.
namespace gantry::hdf5_calls {

inline constexpr std::size_t longest_text = std::size_t{1} << 20;   ///< bytes, of a name or path
inline constexpr std::size_t longest_texts = std::size_t{1} << 24;  ///< bytes, of one data set

/// An identifier of the library, closed at the end of its life.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }
  bool is_valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Returns the texts of a type that a space holds, which `read` reads to an address, as lines;
/// nothing for a type of numbers, and for texts that a damaged file claims to be longer than any
/// that are asked for.
template <class Read>
std::optional<std::string> text_of(const Handle& type, const Handle& space, const Read& read) {
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  const std::size_t size = H5Tget_size(type), count = static_cast<std::size_t>(points);
  if (points < 1 || H5Tget_class(type) != H5T_STRING || size == 0 || count > longest_texts / size)
    return std::nullopt;
  std::string lines;
  std::size_t added = 0;
  const auto add = [&](std::string_view one) {
    if (added++ > 0) lines += '\n';
    lines += one.substr(0, one.find('\0'));
  };
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> texts(count);
    if (read(type, static_cast<void*>(texts.data())) < 0 || texts[0] == nullptr)
      return std::nullopt;
    for (const char* one : texts)
      if (lines.size() < longest_texts) add(one == nullptr ? "" : one);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    return lines;
  }
  std::string texts(size * count, '\0');
  if (read(type, static_cast<void*>(texts.data())) < 0) return std::nullopt;
  for (std::size_t at = 0; at < texts.size(); at += size)
    add(std::string_view(texts).substr(at, size));
  return lines;
}

}  // namespace gantry::hdf5_calls
