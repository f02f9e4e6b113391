// What tests include.
#include "packaging/precompiled/standard.hpp"

#include <QtTest>
