// What the files of the window include.
#include "packaging/precompiled/standard.hpp"

#include <QtWidgets>
