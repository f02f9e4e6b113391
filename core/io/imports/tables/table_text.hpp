#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// Reads a text of a table (angle_table_of()). A JSON document becomes lines of columns: an array
/// of numbers a column; an array of arrays or of objects, or objects with arrays of one length,
/// columns with the names of the members above them; an object with a number for each file, names
/// and numbers. Other texts, also lines that are each a JSON object and damaged ones, stay as they
/// are. Throws InputError as read_text_file() does.
std::string read_table_text(const std::string& path, std::size_t largest);

}  // namespace gantry
