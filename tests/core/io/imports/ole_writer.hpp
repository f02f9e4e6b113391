#pragma once

#include <QByteArray>
#include <QTest>

#include <gsf/gsf-outfile-msole.h>
#include <gsf/gsf-outfile.h>
#include <gsf/gsf-output-stdio.h>
#include <map>
#include <string>

namespace gantry::test {

/// Writes a compound file with these streams: their names, as in "ImageInfo/Angles", and bytes.
inline void write_ole(const std::string& path, const std::map<std::string, QByteArray>& streams) {
  GsfOutput* file = gsf_output_stdio_new(path.c_str(), nullptr);
  GsfOutfile* root = gsf_outfile_msole_new(file);
  std::map<std::string, GsfOutput*> folders;
  for (const auto& [name, bytes] : streams) {
    const std::size_t slash = name.find('/');
    GsfOutfile* parent = root;
    if (slash != std::string::npos) {
      GsfOutput*& folder = folders[name.substr(0, slash)];
      if (folder == nullptr)
        folder = gsf_outfile_new_child(root, name.substr(0, slash).c_str(), TRUE);
      parent = GSF_OUTFILE(folder);
    }
    GsfOutput* stream = gsf_outfile_new_child(parent, name.substr(slash + 1).c_str(), FALSE);
    gsf_output_write(stream, static_cast<std::size_t>(bytes.size()),
                     reinterpret_cast<const guint8*>(bytes.constData()));
    gsf_output_close(stream);
    g_object_unref(stream);
  }
  for (const auto& [name, folder] : folders) {
    gsf_output_close(folder);
    g_object_unref(folder);
  }
  gsf_output_close(GSF_OUTPUT(root));
  g_object_unref(root);
  g_object_unref(file);
}

}  // namespace gantry::test
