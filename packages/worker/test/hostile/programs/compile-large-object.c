// Makes an object file of many gigabytes.
__asm__(".data\n.rept 64\n.fill 0x7fffffff, 1, 1\n.endr\n");
int main(void) {}
