// What tests include.
#include <QtTest>

#include "packaging/precompiled/standard.hpp"
