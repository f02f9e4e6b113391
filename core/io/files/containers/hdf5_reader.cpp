#include "core/io/files/containers/hdf5_reader.hpp"

#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_calls.hpp"
#include "core/io/files/foreign_file.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

using hdf5_calls::Handle;
using hdf5_calls::text_of;

constexpr int deepest = 16;
constexpr std::size_t most_datasets = 20000, longest_text = 1 << 20;

/// A call into the library: one thread at a time, though Debian's HDF5 may be made for threads.
/// What goes wrong is told by exceptions; a library for threads writes it to standard error until
/// each thread has forbidden that.
class LibraryCall {
 public:
  LibraryCall() : lock_(mutex()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::scoped_lock<std::mutex> lock_;
};

/// Returns whether the bytes that a data set has in its file are enough for its elements. The
/// library takes that for granted, and reads beyond the bytes of a damaged file.
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

/// Throws InputError after a call of the library that failed: that memory ran out, where the
/// library says so, else what the arguments say.
[[noreturn]] void fail(const std::string& what, const std::string& where,
                       const std::string& remedy) {
  bool lacks_memory = false;
  const auto look = [](unsigned, const H5E_error2_t* error, void* found) -> herr_t {
    *static_cast<bool*>(found) |= error->maj_num == H5E_RESOURCE && error->min_num == H5E_NOSPACE;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &lacks_memory);
  if (lacks_memory) throw memory_exceeded(where);
  throw InputError(what, where, remedy);
}

/// Throws InputError after data that could not be read: by which filter they are packed, where this
/// library lacks it, else that the file is damaged.
[[noreturn]] void fail_to_read(hid_t dataset, const std::string& what, const std::string& where) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
    unsigned flags = 0, setting = 0;
    std::size_t settings = 0;
    std::array<char, 64> name{};
    const H5Z_filter_t filter =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &settings, nullptr,
                       name.size() - 1, name.data(), &setting);
    if (filter >= 0 && H5Zfilter_avail(filter) == 0)
      throw InputError(
          what + ": it is packed by the filter " +
              (name[0] != 0 ? std::string(name.data()) : "of number " + std::to_string(filter)) +
              ", which the HDF5 library of this machine lacks",
          where, "pack it by gzip, or not at all");
  }
  fail(what, where, "the file is damaged or cut short");
}

/// Returns the first file that holds a part of a virtual data set and is missing; empty if none is.
/// The library would read zeros in its place. It looks in the folder of the file, then in the
/// working directory; names with a % stand for many files.
std::string missing_source(hid_t properties, const std::string& file) {
  std::size_t count = 0;
  if (H5Pget_layout(properties) != H5D_VIRTUAL || H5Pget_virtual_count(properties, &count) < 0)
    return {};
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  for (std::size_t i = 0; i < std::min(count, most_datasets); ++i) {
    const ssize_t length = H5Pget_virtual_filename(properties, i, nullptr, 0);
    if (length <= 0 || static_cast<std::size_t>(length) > longest_text) continue;
    std::string name(static_cast<std::size_t>(length), '\0');
    H5Pget_virtual_filename(properties, i, name.data(), name.size() + 1);
    std::error_code error;
    if (name == "." || name.find('%') != std::string::npos ||
        std::filesystem::exists(folder / name, error) || std::filesystem::exists(name, error))
      continue;
    return name;
  }
  return {};
}

/// Walks through the links below a group.
struct Walk {
  Hdf5Listing& listing;
  const std::string& file;
  // The paths of objects by their file and address.
  std::map<std::pair<unsigned long, haddr_t>, std::string> seen;
  std::string prefix;
  int depth = 0;
};

/// Returns where a link leads. Only soft and external links hold a text, and so its length; where
/// those of a damaged file state one that no path has, that is not believed.
std::string target_of(hid_t group, const char* name, const H5L_info_t& link) {
  if (link.type == H5L_TYPE_HARD) return "a damaged object";
  if (link.u.val_size > longest_text) return "?";
  std::vector<char> value(link.u.val_size + 1, '\0');
  if (H5Lget_val(group, name, value.data(), link.u.val_size, H5P_DEFAULT) < 0) return "?";
  if (link.type == H5L_TYPE_SOFT) return value.data();
  const char *file = nullptr, *object = nullptr;
  if (link.type != H5L_TYPE_EXTERNAL ||
      H5Lunpack_elink_val(value.data(), link.u.val_size, nullptr, &file, &object) < 0)
    return "?";
  return std::string(file) + ":" + object;
}

/// Returns the type of this machine for stored numbers. Numbers of other sizes become float32.
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

/// Returns the file of an object, an empty name where the library does not tell it.
std::string file_of(hid_t object) {
  const ssize_t length = H5Fget_name(object, nullptr, 0);
  if (length <= 0 || static_cast<std::size_t>(length) > longest_text) return {};
  std::string name(static_cast<std::size_t>(length), '\0');
  if (H5Fget_name(object, name.data(), name.size() + 1) != length) return {};
  return name;
}

/// Returns where the numbers of a data set lie, if all of them lie there as numbers of this
/// machine, except for their byte order.
std::optional<Hdf5Piece> piece_of(hid_t object, const Hdf5Dataset& dataset) {
  const Handle stored(H5Dget_type(object), H5Tclose),
      same(H5Tcopy(library_type(dataset.type)), H5Tclose),
      properties(H5Dget_create_plist(object), H5Pclose);
  const H5T_order_t order = H5Tget_order(stored);
  const bool is_plain = (order == H5T_ORDER_LE || order == H5T_ORDER_BE) &&
                        H5Tset_order(same, order) >= 0 && H5Tequal(same, stored) > 0 &&
                        H5Pget_layout(properties) == H5D_CONTIGUOUS &&
                        H5Pget_external_count(properties) == 0;
  const haddr_t start = is_plain ? H5Dget_offset(object) : HADDR_UNDEF;
  if (start == HADDR_UNDEF || !holds_its_elements(object)) return std::nullopt;
  Hdf5Piece piece{file_of(object), start, order == H5T_ORDER_BE};
  if (piece.file.empty()) return std::nullopt;
  return piece;
}

/// Opens a data set or a group to read its attributes. An attribute that is opened by the path of
/// its object instead (H5Aopen_by_name) is taken for one of the first file: behind a link to
/// another one, the library does not find its text of variable length.
Handle opened_object(hid_t file, const std::string& path) {
  return Handle(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
}

/// An attribute that scales the numbers of a data set.
struct ScaleAttribute {
  bool is_there = false;
  double value = 0;
  std::string fault;  ///< "is no number"; empty: none
};

ScaleAttribute scale_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose), type(H5Aget_type(attribute), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  ScaleAttribute found{true, 0, {}};
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Tget_size(type) > sizeof(long double))
    found.fault = "is no number";
  else if (H5Sget_simple_extent_npoints(space) != 1)
    found.fault = "is no single number";
  else if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &found.value) < 0 || !std::isfinite(found.value))
    found.fault = "is no finite number";
  return found;
}

/// Takes the attributes of these names, which mean the same, as a number of a scaling.
void take_attributes(hid_t object, const std::vector<std::string>& names, double& number,
                     Hdf5Scaling& scaling) {
  bool is_taken = false;
  for (const std::string& name : names) {
    const ScaleAttribute found = scale_attribute(object, name.c_str());
    if (!found.is_there) continue;
    scaling.attributes += (scaling.attributes.empty() ? "" : " and ") + name;
    const std::string fault = is_taken && found.fault.empty() && found.value != number
                                  ? "contradicts " + names.front()
                                  : found.fault;
    if (!fault.empty() && scaling.fault.empty())
      scaling.fault = "its attribute " + name + " " + fault;
    number = found.value;
    is_taken = true;
  }
}

/// Takes the scaling of CIL, which writes number = scale x value + offset.
void take_scaling_of_cil(hid_t object, Hdf5Scaling& scaling) {
  double scale = 1, offset = 0;
  take_attributes(object, {"scale"}, scale, scaling);
  if (scale == 0 && scaling.fault.empty()) scaling.fault = "its attribute scale is 0";
  take_attributes(object, {"offset"}, offset, scaling);
  if (!scaling.fault.empty()) return;
  scaling.factor = 1 / scale;
  scaling.addend = -offset / scale;
}

/// Returns how the attributes of a data set scale its numbers; nothing where they do not. The
/// offset of an axis of NXtransformations is a place, which is told by its other attributes.
std::optional<Hdf5Scaling> scaling_of(hid_t object) {
  Hdf5Scaling scaling;
  if (H5Aexists(object, "data_type") > 0 && H5Aexists(object, "scale") > 0) {
    take_scaling_of_cil(object, scaling);
    return scaling;
  }
  take_attributes(object, {"scale_factor", "scaling_factor"}, scaling.factor, scaling);
  if (scaling.factor == 0 && scaling.fault.empty())
    scaling.fault = "its attribute " + scaling.attributes + " is 0";
  const bool is_axis =
      H5Aexists(object, "transformation_type") > 0 || H5Aexists(object, "vector") > 0;
  std::vector<std::string> names = {"add_offset", "offset"};
  if (is_axis) names.pop_back();
  take_attributes(object, names, scaling.addend, scaling);
  const bool is_plain = scaling.factor == 1 && scaling.addend == 0 && scaling.fault.empty();
  return is_plain ? std::nullopt : std::optional(std::move(scaling));
}

/// Returns the sizes of a data set along all of its dimensions.
std::vector<hsize_t> sizes_of(hid_t object) {
  const Handle space(H5Dget_space(object), H5Sclose);
  std::vector<hsize_t> sizes(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!sizes.empty()) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

/// Returns the sizes that the listing states: those without single elements beyond three.
std::vector<std::uint64_t> listed_sizes(const std::vector<hsize_t>& sizes) {
  return without_single_axes({sizes.begin(), sizes.end()});
}

/// Returns which dimension of the file is the first one of the listing, that of the frames.
std::size_t axis_of_frames(const std::vector<hsize_t>& sizes) {
  const std::vector<std::uint64_t> listed = listed_sizes(sizes);
  if (listed.empty()) return 0;
  return static_cast<std::size_t>(std::ranges::find(sizes, listed[0]) - sizes.begin());
}

void add_dataset(Walk& walk, hid_t object, const std::string& path) {
  const Handle type(H5Dget_type(object), H5Tclose),
      properties(H5Dget_create_plist(object), H5Pclose);
  if (const std::string missing = missing_source(properties, walk.file); !missing.empty()) {
    walk.listing.dangling.push_back(path + " -> " + missing);
    return;
  }
  Hdf5Dataset found;
  found.path = path;
  found.size = listed_sizes(sizes_of(object));
  const H5T_class_t kind = H5Tget_class(type);
  found.is_number = kind == H5T_INTEGER || kind == H5T_FLOAT;
  if (found.is_number) {
    found.type = type_of(type);
    found.piece = piece_of(object, found);
    found.scaling = scaling_of(object);
  }
  // Data in other files take no bytes of this one. Other data that take none were never written.
  const bool lies_elsewhere =
      H5Pget_layout(properties) == H5D_VIRTUAL || H5Pget_external_count(properties) > 0;
  found.stored_bytes = lies_elsewhere ? 0 : std::max<std::uint64_t>(1, H5Dget_storage_size(object));
  walk.listing.datasets.push_back(std::move(found));
}

herr_t visit(hid_t group, const char* name, const H5L_info_t* link, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  const std::string path = walk.prefix + "/" + name;
  const Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
  if (!object.is_valid()) {
    walk.listing.dangling.push_back(path + " -> " + target_of(group, name, *link));
    return 0;
  }
  H5O_info_t info;
  if (H5Oget_info(object, &info) < 0) return 0;
  const auto [known, is_new] = walk.seen.insert({{info.fileno, info.addr}, path});
  if (!is_new && walk.listing.aliases.size() < most_datasets)
    walk.listing.aliases.push_back({path, known->second});
  if (!is_new || walk.listing.datasets.size() >= most_datasets) return 0;
  if (info.type == H5O_TYPE_DATASET) {
    add_dataset(walk, object, path);
  } else if (info.type == H5O_TYPE_GROUP && walk.depth < deepest) {
    const std::string before = std::exchange(walk.prefix, path);
    ++walk.depth;
    H5Literate(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &walk);
    --walk.depth;
    walk.prefix = before;
  }
  return 0;
}

/// Has the library keep the unpacked chunks in which a frame lies: the next frames lie in the same
/// chunks, and each frame would otherwise unpack them again. Chunks that are not packed are left
/// out: the library would take for granted that those of a damaged file are as long as they claim.
void keep_chunks_of_a_frame(hid_t access, hid_t object, const Hdf5Dataset& dataset) {
  constexpr double most_bytes = 1e9, usual_bytes = 1 << 20, usual_slots = 521, slots_per_chunk = 16,
                   bytes_per_slot = 256;  // bounds what the library allocates for tiny chunks
  const Handle properties(H5Dget_create_plist(object), H5Pclose),
      type(H5Dget_type(object), H5Tclose);
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  if (H5Pget_layout(properties) != H5D_CHUNKED || H5Pget_nfilters(properties) <= 0 ||
      H5Pget_chunk(properties, H5S_MAX_RANK, chunk.data()) < 0)
    return;
  const std::vector<hsize_t> sizes = sizes_of(object);
  const std::size_t of_frames = axis_of_frames(sizes);
  double chunks = 1, bytes = static_cast<double>(H5Tget_size(type));
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const auto length = static_cast<double>(chunk[axis]);
    const double along_axis =
        axis == of_frames ? 1 : std::ceil(static_cast<double>(sizes[axis]) / length);
    chunks *= along_axis;
    bytes *= along_axis * length;
  }
  const double allowed = static_cast<double>(allowed_memory(dataset.stored_bytes)) / 4;
  if (!(bytes <= std::min(most_bytes, allowed))) return;  // also where a damaged file makes it NaN
  const double slots = std::clamp(slots_per_chunk * chunks, usual_slots,
                                  std::max(usual_slots, bytes / bytes_per_slot));
  H5Pset_chunk_cache(access, static_cast<std::size_t>(slots),
                     static_cast<std::size_t>(std::max(bytes, usual_bytes)),
                     H5D_CHUNK_CACHE_W0_DEFAULT);
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::string& path) : path_(path) {
  refuse_empty_file(path);
  const LibraryCall call;
  file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file_ < 0)
    fail("cannot be opened as HDF5", path, "the file is damaged, cut short, or being written");
  Walk walk{listing_, path_, {}, {}, 0};
  H5Literate(file_, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &walk);
}

Hdf5Reader::~Hdf5Reader() {
  const LibraryCall call;
  if (last_opened_ >= 0) H5Dclose(last_opened_);
  if (file_ >= 0) H5Fclose(file_);
}

std::vector<double> Hdf5Reader::numbers(const Hdf5Dataset& dataset) const {
  const std::uint64_t count = dataset.elements();
  if (!dataset.is_number || count > Hdf5Dataset::most_numbers)
    throw InputError(dataset.path + " holds no list of numbers", path_, "repair the file");
  const LibraryCall call;
  const Handle opened(H5Dopen2(file_, dataset.path.c_str(), H5P_DEFAULT), H5Dclose);
  std::vector<double> values(static_cast<std::size_t>(count));
  if (!holds_its_elements(opened) ||
      H5Dread(opened, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail_to_read(opened, dataset.path + " cannot be read", path_);
  return values;
}

void Hdf5Reader::read_frame(const Hdf5Dataset& dataset, std::uint64_t index,
                            std::span<float> values) const {
  read_frame(dataset, index, H5T_NATIVE_FLOAT, values.data());
}

void Hdf5Reader::read_frame(const Hdf5Dataset& dataset, std::uint64_t index,
                            std::span<std::byte> numbers) const {
  read_frame(dataset, index, library_type(dataset.type), numbers.data());
}

/// Opens a data set, which stays open until the frame of another one is read.
std::int64_t Hdf5Reader::open_for_frames(const Hdf5Dataset& dataset) const {
  if (last_opened_ >= 0 && last_path_ == dataset.path) return last_opened_;
  if (last_opened_ >= 0) H5Dclose(last_opened_);
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  {
    const Handle object(H5Dopen2(file_, dataset.path.c_str(), H5P_DEFAULT), H5Dclose);
    keep_chunks_of_a_frame(access, object, dataset);
  }
  last_opened_ = H5Dopen2(file_, dataset.path.c_str(), access);
  last_path_ = dataset.path;
  return last_opened_;
}

void Hdf5Reader::read_frame(const Hdf5Dataset& dataset, std::uint64_t index, std::int64_t type,
                            void* numbers) const {
  const LibraryCall call;
  const hid_t opened = open_for_frames(dataset);
  const Handle space(H5Dget_space(opened), H5Sclose);
  std::vector<hsize_t> count = sizes_of(opened), start(count.size(), 0);
  const bool is_as_listed = listed_sizes(count) == dataset.size;
  if (!count.empty()) {
    const std::size_t axis = axis_of_frames(count);
    start[axis] = index;
    count[axis] = 1;
  }
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      H5Sclose);
  const bool is_read = is_as_listed && holds_its_elements(opened) &&
                       H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr,
                                           count.data(), nullptr) >= 0 &&
                       H5Dread(opened, type, memory, space, H5P_DEFAULT, numbers) >= 0;
  if (!is_read)
    fail_to_read(opened, dataset.path + " cannot be read at frame " + std::to_string(index), path_);
}

std::optional<std::string> Hdf5Reader::text_attribute(const std::string& object,
                                                      const std::string& name) const {
  const LibraryCall call;
  const Handle opened = opened_object(file_, object);
  if (H5Aexists(opened, name.c_str()) <= 0) return std::nullopt;
  const Handle attribute(H5Aopen(opened, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1) return std::nullopt;
  const Handle type(H5Aget_type(attribute), H5Tclose);
  return text_of(type, space, [&](hid_t of, void* to) { return H5Aread(attribute, of, to); });
}

std::optional<double> Hdf5Reader::number_attribute(const std::string& object,
                                                   const std::string& name) const {
  const LibraryCall call;
  const ScaleAttribute found = scale_attribute(opened_object(file_, object), name.c_str());
  return found.is_there && found.fault.empty() ? std::optional(found.value) : std::nullopt;
}

std::optional<std::string> Hdf5Reader::text(const Hdf5Dataset& dataset) const {
  const LibraryCall call;
  const Handle opened(H5Dopen2(file_, dataset.path.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle space(H5Dget_space(opened), H5Sclose);
  if (!holds_its_elements(opened)) return std::nullopt;
  const Handle type(H5Dget_type(opened), H5Tclose);
  return text_of(type, space, [&](hid_t of, void* to) {
    return H5Dread(opened, of, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  });
}

bool Hdf5Reader::has_attribute(const std::string& object, const std::string& name) const {
  const LibraryCall call;
  return H5Aexists(opened_object(file_, object), name.c_str()) > 0;
}

}  // namespace gantry
