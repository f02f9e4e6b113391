#include "core/io/files/arrays/hdf5_array.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

using File = std::shared_ptr<const Hdf5File>;

void read_slabs(const Hdf5File& file, const Hdf5Dataset& dataset, std::uint64_t first,
                std::span<float> values) {
  const std::uint64_t slab_size = dataset.elements(1);
  std::vector<float> slab(static_cast<std::size_t>(slab_size));
  for (std::size_t done = 0; done < values.size();) {
    const std::uint64_t at = first + done;
    file.read_frame(dataset, at / slab_size, slab);
    const std::span<const float> rest =
        std::span<const float>(slab).subspan(static_cast<std::size_t>(at % slab_size));
    const std::size_t count = std::min(rest.size(), values.size() - done);
    std::ranges::copy(rest.first(count), values.begin() + static_cast<std::ptrdiff_t>(done));
    done += count;
  }
}

/// Numbers that are read at the first request.
struct Held {
  std::once_flag once;
  std::vector<double> values;
};

}  // namespace

StoredArray hdf5_array(const File& file, const Hdf5Dataset& dataset) {
  constexpr std::uint64_t most_held = 10'000'000;
  StoredArray array;
  array.name = dataset.path;
  array.where = file->path() + ":" + dataset.path;
  array.size = dataset.size;
  array.file_bytes = dataset.stored_bytes;
  if (dataset.stored_bytes > 0) require_memory_for(array);
  if (dataset.size.size() < 3 && !dataset.piece && dataset.elements() <= most_held) {
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
