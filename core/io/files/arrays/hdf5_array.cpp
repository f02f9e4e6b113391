#include "core/io/files/arrays/hdf5_array.hpp"

#include <algorithm>
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
  return array;
}

}  // namespace gantry
