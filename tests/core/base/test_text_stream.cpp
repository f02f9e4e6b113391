// A text that cannot be put together is not left incomplete in silence.
#include "core/base/text_stream.hpp"
#include "tests/support/test_program.hpp"

#include <locale>
#include <new>

using namespace gantry;

namespace {

/// Writes numbers as if there were no memory for them.
class WithoutMemory : public std::num_put<char> {
  iter_type do_put(iter_type, std::ios_base&, char_type, long) const override {
    throw std::bad_alloc();
  }
};

}  // namespace

class TestTextStream : public QObject {
  Q_OBJECT

 private slots:
  void exhaustedMemoryIsSaid() {
    TextStream text;
    text << "parallel, ";
    text.imbue(std::locale(text.getloc(), new WithoutMemory));
    QVERIFY_EXCEPTION_THROWN(text << 360L << " views", std::bad_alloc);
  }
  void elseItIsAText() {
    TextStream text;
    text << "parallel, " << 360L << " views";
    QCOMPARE(text.str(), std::string("parallel, 360 views"));
  }
};

GANTRY_TEST(TestTextStream)
#include "test_text_stream.moc"
