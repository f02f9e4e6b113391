#include "core/io/imports/tables/table_text.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/names/angle_names.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

namespace gantry {

namespace {

using Json = nlohmann::json;

/// Columns of cells that are written between commas, under their names.
struct Columns {
  std::vector<std::string> names;  ///< "" without one
  std::vector<std::vector<std::string>> cells;

  std::string text() const {
    std::string text;
    const auto write_line = [&](const auto& cell_of) {
      for (std::size_t i = 0; i < cells.size(); ++i) text += (i > 0 ? ", " : "") + cell_of(i);
      text += '\n';
    };
    if (std::ranges::any_of(names, [](const std::string& name) { return !name.empty(); }))
      write_line([&](std::size_t i) { return names[i]; });
    for (std::size_t line = 0; line < cells.front().size(); ++line)
      write_line([&](std::size_t i) { return cells[i][line]; });
    return text;
  }
};

std::string without_commas(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == ',' || c == '\n' || c == '\r' || c == '"'; }, ' ');
  return text;
}

/// Returns a number or text as a cell; "-" of anything else, since a table has no empty cells.
std::string cell_of(const Json& value) {
  if (value.is_number()) return value.dump();
  const std::string text = value.is_string() ? without_commas(value.get<std::string>()) : "";
  return text.empty() ? "-" : text;
}

bool is_cell(const Json& value) { return value.is_number() || value.is_string(); }

bool is_list(const Json& value) {
  return value.is_array() && value.size() > 1 && std::ranges::all_of(value, is_cell) &&
         value.front().is_number();
}

/// Returns a list of objects or arrays as lines, of as many columns as the first one has.
Columns lines_of(const Json& list) {
  Columns columns;
  const auto add = [&](const std::string& name, const auto& value_of) {
    columns.names.push_back(without_commas(name));
    std::vector<std::string>& cells = columns.cells.emplace_back();
    for (const Json& line : list) cells.push_back(cell_of(value_of(line)));
  };
  const Json& first = list.front();
  if (first.is_object())
    for (const auto& [name, value] : first.items()) {
      if (!is_cell(value)) continue;
      add(name, [&key = name](const Json& line) {
        return line.is_object() && line.contains(key) ? line[key] : Json();
      });
    }
  if (first.is_array())
    for (std::size_t i = 0; i < first.size(); ++i)
      add({},
          [i](const Json& line) { return line.is_array() && i < line.size() ? line[i] : Json(); });
  return columns;
}

/// Returns the lists among the members of an object as columns: those that are as long as the first
/// one that is called an angle, or as the longest one.
Columns lists_of(const Json& object) {
  std::vector<std::pair<std::string, const Json*>> lists;
  for (const auto& [name, value] : object.items())
    if (is_list(value)) lists.emplace_back(name, &value);
  if (lists.empty()) return {};
  const auto angle = std::ranges::find_if(lists, [](const auto& one) {
    return angle_name(lower_case(one.first)) > AngleName::unknown;
  });
  const auto longest =
      std::ranges::max_element(lists, {}, [](const auto& one) { return one.second->size(); });
  const std::size_t length = (angle == lists.end() ? longest : angle)->second->size();
  Columns columns;
  for (const auto& [name, list] : lists) {
    if (list->size() != length) continue;
    columns.names.push_back(without_commas(name));
    std::vector<std::string>& cells = columns.cells.emplace_back();
    std::ranges::transform(*list, std::back_inserter(cells), cell_of);
  }
  return columns;
}

/// Returns members that are a number for each file, whose names have digits, as two columns.
Columns members_of(const Json& object) {
  constexpr std::size_t fewest = 4;
  if (object.size() < fewest) return {};
  Columns columns{{"file", "angle"}, {{}, {}}};
  for (const auto& [name, value] : object.items()) {
    if (!value.is_number() || std::ranges::none_of(name, is_digit)) return {};
    columns.cells[0].push_back(without_commas(name));
    columns.cells[1].push_back(cell_of(value));
  }
  return columns;
}

/// Returns the table of a document, without columns where it holds none. An object may hold it in
/// one of its members.
Columns columns_of(const Json& json) {
  if (is_list(json)) {
    Columns column{{""}, {{}}};
    std::ranges::transform(json, std::back_inserter(column.cells.front()), cell_of);
    return column;
  }
  if (json.is_array()) return json.size() > 1 ? lines_of(json) : Columns{};
  if (!json.is_object()) return {};
  if (Columns lists = lists_of(json); !lists.cells.empty()) return lists;
  if (Columns members = members_of(json); !members.cells.empty()) return members;
  for (const auto& [name, value] : json.items())
    if (Columns inner = columns_of(value); !inner.cells.empty()) return inner;
  return {};
}

/// Whether a text may be one JSON document: lines of it that are each an object are not.
bool may_be_json(const std::string& path, const std::string& text) {
  if (lower_case(std::filesystem::path(path).extension().string()) == ".json") return true;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && (text[first] == '[' || text[first] == '{');
}

}  // namespace

std::string read_table_text(const std::string& path, std::size_t largest) {
  std::string text = read_text_file(path, largest);
  if (!may_be_json(path, text)) return text;
  try {
    const Columns columns = columns_of(parse_json(text, path));
    return columns.cells.empty() ? text : columns.text();
  } catch (const InputError&) {  // as of lines that are each a JSON object
    return text;
  }
}

}  // namespace gantry
