// Instantiates templates whose number doubles at every level.
template <int Depth, long Path> struct Node {
  static constexpr long value = Node<Depth - 1, Path * 2>::value + Node<Depth - 1, Path * 2 + 1>::value;
};
template <long Path> struct Node<0, Path> {
  static constexpr long value = Path;
};
static_assert(Node<40, 0>::value, "");
int main() {}
