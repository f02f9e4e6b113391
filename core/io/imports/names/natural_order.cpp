#include "core/io/imports/names/natural_order.hpp"

#include "core/io/files/text_numbers.hpp"

#include <cstddef>

namespace gantry {

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[k])) {
      if (a[i] != b[k]) return a[i] < b[k];
      ++i;
      ++k;
      continue;
    }
    const auto end_of = [](const std::string& text, std::size_t at) {
      while (at < text.size() && is_digit(text[at])) ++at;
      return at;
    };
    const auto skip_zeros = [](const std::string& text, std::size_t at, std::size_t end) {
      while (at + 1 < end && text[at] == '0') ++at;
      return at;
    };
    const std::size_t end_a = end_of(a, i), end_b = end_of(b, k), from_a = skip_zeros(a, i, end_a),
                      from_b = skip_zeros(b, k, end_b);
    if (end_a - from_a != end_b - from_b) return end_a - from_a < end_b - from_b;
    const int order = a.compare(from_a, end_a - from_a, b, from_b, end_b - from_b);
    if (order != 0) return order < 0;
    i = end_a;
    k = end_b;
  }
  const std::size_t rest_a = a.size() - i, rest_b = b.size() - k;
  return rest_a != rest_b ? rest_a < rest_b : a < b;
}

}  // namespace gantry
