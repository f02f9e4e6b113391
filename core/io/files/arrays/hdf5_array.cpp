#include "core/io/files/arrays/hdf5_array.hpp"

#include "core/io/files/inflated_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

using File = std::shared_ptr<const Hdf5File>;

void read_slabs(const Hdf5File& file, const Hdf5Dataset& dataset, std::uint64_t first,
                std::span<float> values) {
  const auto slab_size = static_cast<std::size_t>(dataset.elements(1));
  std::vector<float> slab;  // of which some numbers only are asked for
  while (!values.empty()) {
    const auto skipped = static_cast<std::size_t>(first % slab_size);
    const std::size_t count = std::min(slab_size - skipped, values.size());
    if (count == slab_size) {
      file.read_frame(dataset, first / slab_size, values.first(count));
    } else {
      slab.resize(slab_size);
      file.read_frame(dataset, first / slab_size, slab);
      std::ranges::copy(std::span(slab).subspan(skipped, count), values.begin());
    }
    values = values.subspan(count);
    first += count;
  }
}

/// Bytes of a chunk, and of all chunks in which an element of the first axis lies, unpacked.
struct ChunkBytes {
  double one = 0, of_slab = 0;

  explicit ChunkBytes(const Hdf5Dataset& dataset) {
    one = of_slab = static_cast<double>(bytes_of(dataset.type));
    for (std::size_t axis = 0; axis < dataset.chunk.size(); ++axis) {
      const auto length = static_cast<double>(dataset.chunk[axis]);
      one *= length;
      of_slab *=
          axis == 0 ? length : length * std::ceil(static_cast<double>(dataset.size[axis]) / length);
    }
  }
};

/// Reads the numbers of the only chunk of a data set, which libhdf5 would unpack as a whole.
void read_unpacked_chunk(const Hdf5PackedPiece& piece, NumberType type, StoredArray& array) {
  const InflatedBytes bytes({{piece.at.file, piece.at.start, piece.bytes}}, array.where);
  read_array_from(
      array, {type, piece.at.big_endian},
      [bytes, width = bytes_of(type)](std::uint64_t first) { return bytes.from(first * width); });
}

/// Gives an array the chunks of its data set as tiles, where slabs of the first axis have many of
/// them in common.
void take_tiles(const File& file, const Hdf5Dataset& dataset, StoredArray& array) {
  constexpr double few_bytes = std::uint64_t{1} << 26;
  if (dataset.chunk.empty() || dataset.chunk.size() != dataset.size.size() ||
      dataset.chunk.front() < 2)
    return;
  const ChunkBytes bytes(dataset);
  if (bytes.of_slab <= few_bytes) return;
  if (dataset.packed_piece && !dataset.scaling)
    return read_unpacked_chunk(*dataset.packed_piece, dataset.type, array);
  array.are_tiles_kept = bytes.of_slab <= bytes_of_kept_chunks(dataset.stored_bytes);
  // A chunk is held as a whole, whatever is read of it.
  if (array.are_tiles_kept && bytes.of_slab < 2 * bytes.one) return;
  array.tile = dataset.chunk;
  array.read_box = [file, dataset](const ArrayBox& box, std::span<float> values) {
    file->read_box(dataset, box, values);
  };
}

/// Numbers that are read at the first request.
struct Held {
  std::once_flag once;
  std::vector<double> values;
};

}  // namespace

StoredArray hdf5_array(const File& file, const Hdf5Dataset& dataset) {
  StoredArray array;
  array.name = dataset.path;
  array.where = file->path() + ":" + dataset.path;
  array.size = dataset.size;
  array.file_bytes = dataset.stored_bytes;
  if (dataset.scaling) array.scaling = dataset.scaling->formula();
  if (dataset.stored_bytes > 0) require_memory_for(array);
  if (dataset.size.size() < 3 && !dataset.piece &&
      dataset.elements() <= Hdf5Dataset::most_numbers) {
    array.read = [file, dataset, held = std::make_shared<Held>()](std::uint64_t first,
                                                                  std::span<float> values) {
      std::call_once(held->once, [&] { held->values = file->numbers(dataset); });
      std::transform(held->values.begin() + static_cast<std::ptrdiff_t>(first),
                     held->values.begin() + static_cast<std::ptrdiff_t>(first + values.size()),
                     values.begin(), [](double value) { return static_cast<float>(value); });
    };
  } else {
    array.read = [file, dataset](std::uint64_t first, std::span<float> values) {
      read_slabs(*file, dataset, first, values);
    };
  }
  array.read_doubles = [file, dataset](std::uint64_t first, std::span<double> values) {
    const std::vector<double> all = file->numbers(dataset);
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), values.size(), values.begin());
  };
  take_tiles(file, dataset, array);
  return array;
}

}  // namespace gantry
