// Includes itself twice at every level.
#include __FILE__
#include __FILE__
int main(void) {}
