// The part of the "testlib" protocol that the checkers and interactors of the tests use.
//
// Arguments:  input output answer.
//             Checker: "output" is the program's output, which ouf reads.
//             Interactor: ouf reads stdin, the program's output; cout writes to the program; tout
//             writes to the file "output".
// Exit codes: 0 _ok, 1 _wa (wrong answer), 2 _pe (wrong format), 3 _fail (the judge is at fault),
//             7 _points (a score). stderr gets one line: the result, the score and the message.
//
// A malformed or missing value is the program's fault (_pe) on ouf, and the judge's fault (_fail) on
// inf and ans. A value outside its bounds is _wa on ouf. A checker that calls quitf(_ok) while ouf
// has more than white space left ends with _pe.
#pragma once

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

enum TResult { _ok = 0, _wa = 1, _pe = 2, _fail = 3, _points = 7 };

[[noreturn]] void quit(TResult result, const std::string &message);

namespace testlib {

inline std::string formatText(const char *pattern, va_list values) {
  char text[4096];
  vsnprintf(text, sizeof text, pattern, values);
  return text;
}

inline bool isBlank(int character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

}  // namespace testlib

// One of the three files that a checker reads.
class InStream {
 public:
  // A fault in the contents ends the checker with the result "fault".
  void open(const char *path, TResult fault) {
    malformed = fault;
    file = fopen(path, "rb");
    if (!file) ::quit(_fail, std::string("cannot open ") + path);
  }

  void openStandardInput() {
    malformed = _pe;
    file = stdin;
  }

  // Skips white space; true if nothing else was left.
  bool seekEof() {
    skipBlanks();
    return peek() == EOF;
  }

  long long readLong() {
    if (seekEof()) quitf(malformed, "unexpected end of file, an integer was expected");
    std::string token;
    while (peek() != EOF && !testlib::isBlank(peek())) token += char(getc(file));
    bool negative = token[0] == '-';
    size_t first = negative ? 1 : 0;
    bool good = token.size() > first && token.find_first_not_of("0123456789", first) == std::string::npos;
    bool padded = token[first] == '0' && token.size() > first + 1;
    errno = 0;
    long long value = good ? strtoll(token.c_str(), nullptr, 10) : 0;
    if (!good || padded || errno != 0) quitf(malformed, "an integer was expected, but found '%.40s'", token.c_str());
    return value;
  }

  int readInt() {
    long long value = readLong();
    if (value < INT_MIN || value > INT_MAX) quitf(malformed, "%lld does not fit into 32 bits", value);
    return int(value);
  }

  int readInt(int low, int high, const char *name) {
    int value = readInt();
    if (value < low || value > high)
      quitf(malformed == _fail ? _fail : _wa, "%s is %d, which is not between %d and %d", name, value, low, high);
    return value;
  }

  // Ends the checker. On inf and ans every result but _ok is the judge's fault.
  [[noreturn, gnu::format(printf, 3, 4)]] void quitf(TResult result, const char *pattern, ...) {
    va_list values;
    va_start(values, pattern);
    std::string message = testlib::formatText(pattern, values);
    va_end(values);
    ::quit(malformed == _fail && result != _ok ? _fail : result, message);
  }

 private:
  FILE *file = nullptr;
  TResult malformed = _fail;

  int peek() {
    int character = getc(file);
    if (character != EOF) ungetc(character, file);
    return character;
  }

  void skipBlanks() {
    while (testlib::isBlank(peek())) getc(file);
  }
};

inline InStream inf, ouf, ans;
inline std::fstream tout;

inline bool isInteractor = false;

[[noreturn]] inline void quit(TResult result, const std::string &message) {
  if (result == _ok && !isInteractor && !ouf.seekEof())
    quit(_pe, "extra information after the output");
  const char *prefix = result == _ok       ? "ok"
                       : result == _wa     ? "wrong answer"
                       : result == _pe     ? "wrong output format"
                       : result == _points ? "points"
                                           : "FAIL";
  fprintf(stderr, "%s %s\n", prefix, message.c_str());
  if (tout.is_open()) tout.close();
  std::cout.flush();
  exit(result);
}

[[noreturn, gnu::format(printf, 2, 3)]] inline void quitf(TResult result, const char *pattern, ...) {
  va_list values;
  va_start(values, pattern);
  std::string message = testlib::formatText(pattern, values);
  va_end(values);
  quit(result, message);
}

// Gives the program a score. stderr gets "points SCORE MESSAGE", the exit code is 7.
[[noreturn, gnu::format(printf, 2, 3)]] inline void quitp(double points, const char *pattern, ...) {
  va_list values;
  va_start(values, pattern);
  std::string message = testlib::formatText(pattern, values);
  va_end(values);
  char score[64];
  snprintf(score, sizeof score, "%.10g ", points);
  quit(_points, score + message);
}

// The name of a checker, for its readers.
inline void setName(const char *) {}

inline void registerTestlibCmd(int argc, char *argv[]) {
  if (argc < 4) quit(_fail, "the arguments must be: input output answer");
  inf.open(argv[1], _fail);
  ouf.open(argv[2], _pe);
  ans.open(argv[3], _fail);
}

inline void registerInteraction(int argc, char *argv[]) {
  isInteractor = true;
  if (argc < 3) quit(_fail, "the arguments must be: input output [answer]");
  inf.open(argv[1], _fail);
  ouf.openStandardInput();
  tout.open(argv[2], std::ios_base::out);
  if (!tout) quit(_fail, std::string("cannot write ") + argv[2]);
  if (argc > 3) ans.open(argv[3], _fail);
}
