class Stack {
  static String describe(int crates) {
    int centimetres = 15 + 45 * crates;
    return String.format("%d.%02d", centimetres / 100, centimetres % 100);
  }
}
