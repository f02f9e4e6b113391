// Numbers that are written as text, wherever the blocks end in which they are read.
#include "core/base/error.hpp"
#include "core/io/files/text_numbers.hpp"
#include "tests/core/io/files/held_bytes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int block = 1 << 16;

std::vector<float> numbers_in(const QByteArray& text, std::size_t most) {
  std::vector<float> values(most);
  values.resize(read_text_numbers(source_of(text), values, "file"));
  return values;
}

}  // namespace

class TestTextNumbers : public QObject {
  Q_OBJECT
 private slots:
  void blocksEndAnywhere() {
    const QByteArray words = "123.25 -7e1,+4\t";
    for (int before = block - static_cast<int>(words.size()) - 1; before <= block + 1; ++before)
      QCOMPARE(numbers_in(QByteArray(before, ' ') + words, 3),
               (std::vector<float>{123.25F, -70, 4}));
  }

  /// More digits than any number needs, on both sides of a block's end.
  void longWords() {
    const QByteArray word = "0." + QByteArray(300, '0') + "5e301";
    for (const int before : {0, block - 70, block - 200, block - 1})
      QCOMPARE(numbers_in(QByteArray(before, '\n') + word + "\n8\n", 2),
               (std::vector<float>{5, 8}));
    EXPECT_THROWS(InputError, numbers_in(QByteArray(3 * block, '1') + "\n", 2),
                  "file: \"11111111111111111111\" is no number");
  }

  /// Digits of the last number may be missing where nothing ends it.
  void theLastNumberIsEnded() {
    QCOMPARE(numbers_in("1 2 3\n", 3), (std::vector<float>{1, 2, 3}));
    QCOMPARE(numbers_in("1 2 3", 4), (std::vector<float>{1, 2, 3}));
    EXPECT_THROWS(InputError, numbers_in("1 2 3", 3), "file: ends within its last number");
    EXPECT_THROWS(InputError, numbers_in("1 2 3 4", 3), "file: holds more than 3 numbers");
    EXPECT_THROWS(InputError, numbers_in("1 x2 3\n", 3), "\"x2\" is no number");
  }

  void numbersAtTheBeginning_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("number");
    QTest::addColumn<QString>("rest");
    QTest::newRow("alone") << "2.5" << 2.5 << "";
    QTest::newRow("with a unit") << "2.5 mm" << 2.5 << " mm";
    QTest::newRow("behind blanks") << " \t\n2.5" << 2.5 << "";
    QTest::newRow("with a plus sign") << " +2.5e1," << 25.0 << ",";
    QTest::newRow("of both signs") << "+-2" << 0.0 << "+-2";
    QTest::newRow("a word") << " mm" << 0.0 << " mm";
    QTest::newRow("nothing") << "" << 0.0 << "";
  }
  void numbersAtTheBeginning() {
    QFETCH(QString, text);
    QFETCH(double, number);
    QFETCH(QString, rest);
    const std::string held = text.toStdString();
    std::string_view left = held;
    QCOMPARE(take_number(left).value_or(0), number);
    QCOMPARE(std::string(left), rest.toStdString());
    QCOMPARE(number_of_word(held).has_value(), text == "2.5");
  }
};

GANTRY_TEST(TestTextNumbers)
#include "test_text_numbers.moc"
