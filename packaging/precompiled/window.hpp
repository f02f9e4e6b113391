// What the files of the window include.
#include <QtWidgets>

#include "packaging/precompiled/standard.hpp"
