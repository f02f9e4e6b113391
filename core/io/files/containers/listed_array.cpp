#include "core/io/files/containers/listed_array.hpp"

#include "core/base/joined.hpp"

#include <algorithm>
#include <limits>

namespace gantry {

std::string ListedArray::group_name() const {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {};
  const std::string group = path.substr(0, slash);
  return group.substr(group.rfind('/') + 1);
}

std::uint64_t ListedArray::elements(std::size_t first_axis) const {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t product = 1;
  for (std::size_t axis = first_axis; axis < size.size(); ++axis) {
    if (size[axis] == 0) return 0;
    product = product > most / size[axis] ? most : product * size[axis];
  }
  return product;
}

std::string ListedArray::size_text() const {
  std::string text;
  for (const std::uint64_t one : size) text += (text.empty() ? "" : " x ") + std::to_string(one);
  return text.empty() ? "a single value" : text;
}

bool ListedArray::has_dimensions(std::size_t least, std::size_t most) const {
  return is_number && size.size() >= least && size.size() <= most && elements() > 0;
}

std::optional<std::uint64_t> ListedArray::list_length() const {
  if (!is_number || size.size() > 2) return std::nullopt;
  if (size.size() == 2 && std::ranges::find(size, 1U) == size.end()) return std::nullopt;
  return elements();
}

std::vector<std::uint64_t> without_single_axes(std::vector<std::uint64_t> size) {
  for (std::size_t axis = 0; axis < size.size() && size.size() > 3;)
    if (size[axis] == 1)
      size.erase(size.begin() + static_cast<std::ptrdiff_t>(axis));
    else
      ++axis;
  return size;
}

std::string listed(const std::vector<const ListedArray*>& arrays) {
  constexpr std::size_t most = 12;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most, arrays.size()); ++i)
    texts.push_back(arrays[i]->path + " (" + arrays[i]->size_text() + ")");
  return joined(texts) +
         (arrays.size() > most ? " and " + std::to_string(arrays.size() - most) + " more" : "");
}

}  // namespace gantry
