#include "core/base/error.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace gantry {

namespace {

using Json = nlohmann::json;

/// Builds the JSON values from the events of the parser, within limits: memory, depth, and one
/// value per key.
class Builder {
 public:
  Builder(std::size_t text_bytes, std::string where)
      : text_bytes_(text_bytes), allowed_(allowed_memory(text_bytes)), where_(std::move(where)) {}

  Json take() { return std::move(root_); }

  // ---- Interface of the parser; true: continue

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
  bool string(std::string& value) {
    spend(sizeof(std::string) + block + value.size());
    return put(std::move(value));
  }
  bool binary(Json::binary_t&) { return false; }  // does not occur in texts
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool key(std::string& key) {
    keys_.back() = key;
    if (open_.back()->contains(key))
      throw InputError("is given twice", where_ + ": " + path(), "remove one of them");
    constexpr std::size_t tree_node = 32 + sizeof(std::string) + sizeof(Json) + block;
    spend(tree_node + key.size());
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  template <class Exception>
  bool parse_error(std::size_t, const std::string&, const Exception& error) {
    throw std::runtime_error(error.what());
  }

 private:
  static constexpr std::size_t block = 16;  ///< bytes that the allocator adds to an allocation
  static constexpr std::size_t deepest = 64;

  bool put(Json value) {
    add(std::move(value));
    return true;
  }

  Json* add(Json value) {
    ++values_;
    if (open_.empty()) return &(root_ = std::move(value));
    Json& holder = *open_.back();
    if (holder.is_object()) return &(holder[keys_.back()] = std::move(value));
    auto& list = holder.get_ref<Json::array_t&>();
    if (list.size() == list.capacity()) {  // the old memory is freed after the values have moved
      const std::size_t old = list.capacity() * sizeof(Json);
      spend(std::max(2 * old, sizeof(Json)));
      list.push_back(std::move(value));
      used_ -= old;
    } else {
      list.push_back(std::move(value));
    }
    return &list.back();
  }

  bool open(Json value) {
    if (open_.size() == deepest)
      throw InputError("is nested deeper than " + std::to_string(deepest) + " levels",
                       where_ + ": " + path(), "choose a scan, a geometry or an experiment");
    spend(sizeof(Json::object_t) + block);
    open_.push_back(add(std::move(value)));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  /// Adds `bytes` to the memory of the values and compares the total with the limit. The values
  /// count twice, since other data are made from the values; the text counts once.
  void spend(std::size_t bytes) {
    used_ += bytes;
    const std::size_t needed = 2 * used_ + text_bytes_;
    if (needed > allowed_)
      require_allowed_memory(
          "holds more than " + std::to_string(values_) + " values in " + format_bytes(text_bytes_),
          needed, text_bytes_, where_);
  }

  /// Returns the keys that lead to the current value, as in "geometry.beam".
  std::string path() const {
    std::string path;
    for (const std::string& key : keys_)
      if (!key.empty()) path += (path.empty() ? "" : ".") + key;
    return path;
  }

  std::size_t text_bytes_, allowed_, used_ = 0, values_ = 0;
  std::string where_;
  Json root_;
  std::vector<Json*> open_;        ///< objects and lists that are not complete, from the outermost
  std::vector<std::string> keys_;  ///< the key within each; empty in a list
};

/// Returns the line of a number that is too large: the message of the library contains the number
/// but not its line.
std::string line_of_overflow(const std::string& text, const std::string& reason) {
  if (!reason.starts_with("number overflow")) return {};
  const std::size_t open = reason.find('\''), close = reason.rfind('\'');
  const std::size_t at =
      open < close ? text.find(reason.substr(open + 1, close - open - 1)) : std::string::npos;
  if (at == std::string::npos) return {};
  const auto begin = text.begin(), here = begin + static_cast<std::ptrdiff_t>(at);
  return " at line " + std::to_string(1 + std::count(begin, here, '\n'));
}

/// Returns the message of the library without "[json.exception.parse_error.101] ".
std::string reason_in(const std::string& message, const std::string& text) {
  const std::size_t tag = message.find("] ");
  const std::string reason = tag == std::string::npos ? message : message.substr(tag + 2);
  return reason + line_of_overflow(text, reason);
}

}  // namespace

nlohmann::json parse_json(const std::string& text, const std::string& where) {
  const std::size_t first =
      text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");  // EF BB BF: byte order mark
  if (first == std::string::npos || (text[first] != '{' && text[first] != '['))
    throw InputError(first == std::string::npos ? "is not valid JSON: it is empty"
                                                : "is not valid JSON: it does not begin with {",
                     where, "choose a scan, a geometry or an experiment");
  Builder builder(text.size(), where);
  try {
    Json::sax_parse(text, &builder);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw InputError("is not valid JSON: " + reason_in(error.what(), text), where,
                     "correct the text there");
  }
  return builder.take();
}

}  // namespace gantry
