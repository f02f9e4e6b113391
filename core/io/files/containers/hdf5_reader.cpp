#include "core/io/files/containers/hdf5_reader.hpp"

#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_calls.hpp"
#include "core/io/files/containers/hdf5_layout.hpp"
#include "core/io/files/containers/hdf5_scaling.hpp"
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
using hdf5_calls::longest_text;
using hdf5_calls::text_of;

constexpr int deepest = 16;
constexpr std::size_t most_datasets = 20000;

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

/// Opens a data set or a group to read its attributes. An attribute that is opened by the path of
/// its object instead (H5Aopen_by_name) is taken for one of the first file: behind a link to
/// another one, the library does not find its text of variable length.
Handle opened_object(hid_t file, const std::string& path) {
  return Handle(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
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
  const std::vector<hsize_t> sizes = sizes_of(object);
  found.size = listed_sizes(sizes);
  const H5T_class_t kind = H5Tget_class(type);
  found.is_number = kind == H5T_INTEGER || kind == H5T_FLOAT;
  if (found.is_number) {
    found.type = type_of(type);
    found.piece = piece_of(object, found);
    found.scaling = scaling_of(object);
    if (const std::vector<hsize_t> chunk = packed_chunk(object, sizes.size()); !chunk.empty())
      for (const std::size_t axis : listed_axes(sizes)) found.chunk.push_back(chunk[axis]);
    found.packed_piece = packed_piece_of(object, found, sizes);
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
  constexpr double usual_bytes = 1 << 20, usual_slots = 521, slots_per_chunk = 16,
                   bytes_per_slot = 256;  // bounds what the library allocates for tiny chunks
  const Handle type(H5Dget_type(object), H5Tclose);
  const std::vector<hsize_t> sizes = sizes_of(object), chunk = packed_chunk(object, sizes.size());
  const std::vector<std::size_t> axes = listed_axes(sizes);
  if (chunk.empty() || axes.empty()) return;
  double chunks = 1, bytes = static_cast<double>(H5Tget_size(type));
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const auto length = static_cast<double>(chunk[axis]);
    const double along_axis =
        axis == axes.front() ? 1 : std::ceil(static_cast<double>(sizes[axis]) / length);
    chunks *= along_axis;
    bytes *= along_axis * length;
  }
  if (!(bytes <= bytes_of_kept_chunks(dataset.stored_bytes)))
    return;  // also where a damaged file makes it NaN
  const double slots = std::clamp(slots_per_chunk * chunks, usual_slots,
                                  std::max(usual_slots, bytes / bytes_per_slot));
  H5Pset_chunk_cache(access, static_cast<std::size_t>(slots),
                     static_cast<std::size_t>(std::max(bytes, usual_bytes)),
                     H5D_CHUNK_CACHE_W0_DEFAULT);
}

/// Reads elements of an open data set; returns whether that succeeded.
bool is_read(hid_t opened, const Hdf5Dataset& dataset, const ArrayBox& box, hid_t type,
             void* numbers) {
  const Handle space(H5Dget_space(opened), H5Sclose);
  const std::vector<hsize_t> sizes = sizes_of(opened);
  const std::vector<std::size_t> axes = listed_axes(sizes);
  if (listed_sizes(sizes) != dataset.size || box.size() != axes.size() ||
      !holds_its_elements(opened))
    return false;
  std::vector<hsize_t> start(sizes.size(), 0), count(sizes.size(), 1), step(sizes.size(), 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    start[axes[i]] = box[i].first;
    count[axes[i]] = box[i].count;
    step[axes[i]] = box[i].step;
  }
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      H5Sclose);
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), step.data(), count.data(),
                             nullptr) >= 0 &&
         H5Dread(opened, type, memory, space, H5P_DEFAULT, numbers) >= 0;
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

void Hdf5Reader::read_frame(const Hdf5Dataset& dataset, std::uint64_t index, std::int64_t type,
                            void* numbers) const {
  ArrayBox box;
  for (const std::uint64_t size : dataset.size) box.push_back({0, size});
  if (!box.empty()) box.front() = {index, 1};
  const LibraryCall call;
  const hid_t opened = opened_dataset(dataset, true);
  if (!is_read(opened, dataset, box, type, numbers))
    fail_to_read(opened, dataset.path + " cannot be read at frame " + std::to_string(index), path_);
}

void Hdf5Reader::read_box(const Hdf5Dataset& dataset, const ArrayBox& box,
                          std::span<std::byte> numbers) const {
  const LibraryCall call;
  const hid_t opened = opened_dataset(dataset, false);
  if (!is_read(opened, dataset, box, library_type(dataset.type), numbers.data()))
    fail_to_read(opened, dataset.path + " cannot be read", path_);
}

/// Opens a data set, which stays open until another one is read, or this one otherwise.
std::int64_t Hdf5Reader::opened_dataset(const Hdf5Dataset& dataset, bool keeps_chunks) const {
  if (last_opened_ >= 0 && last_path_ == dataset.path && last_keeps_chunks_ == keeps_chunks)
    return last_opened_;
  if (last_opened_ >= 0) H5Dclose(last_opened_);
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  if (keeps_chunks) {
    const Handle object(H5Dopen2(file_, dataset.path.c_str(), H5P_DEFAULT), H5Dclose);
    keep_chunks_of_a_frame(access, object, dataset);
  }
  last_opened_ = H5Dopen2(file_, dataset.path.c_str(), access);
  last_path_ = dataset.path;
  last_keeps_chunks_ = keeps_chunks;
  return last_opened_;
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
  const NumberAttribute found =
      gantry::number_attribute(opened_object(file_, object), name.c_str());
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
