// Makes the compiler print errors without end.
#define A undeclared; undeclared; undeclared; undeclared; undeclared; undeclared; undeclared; undeclared;
#define B A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A A
#define C B B B B B B B B B B B B B B B B B B B B B B B B B B B B B B B B
#pragma GCC diagnostic warning "-Wall"
#define F(n) void f##n(void) { int C; }
int main(void) { C C C C C C C C }
