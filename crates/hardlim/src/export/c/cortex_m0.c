/* The same replay on a bare Cortex-M0 under an emulator, the inputs in flash: see the Makefile. The timer of the nRF51
   counts 1/16 of a microsecond: cycles of the chip, and instructions where the emulator takes 62.5 ns for each. */
#include "@name@.h"

#define RECORD (@NAME@_INPUTS * @NAME@_INPUT_BYTES + @NAME@_OUTPUTS * 8 + 4)

__asm__(".section .rodata\n"
        ".global vectors, vectors_end\n"
        "vectors: .incbin \"@name@_vectors.bin\"\n"
        "vectors_end:\n"
        ".text\n");

extern const unsigned char vectors[], vectors_end[];
extern uint32_t stack_top;

static int semihost(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void print(const char *text)
{
    semihost(0x04, text);
}

static void print_number(uint32_t number)
{
    char digits[11];
    unsigned at = 10;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    print(digits + at);
}

static int64_t read_integer(const unsigned char *from, unsigned bytes)
{
    uint64_t value = from[bytes - 1] & 0x80 ? ~(uint64_t)0 : 0;
    while (bytes > 0) value = value << 8 | from[--bytes];
    return (int64_t)value;
}

#define TIMER(offset) (*(volatile uint32_t *)(0x40008000u + (offset)))

static void start_timer(void)
{
    TIMER(0x508) = 3; /* 32 bits */
    TIMER(0x510) = 0; /* 16 MHz */
    TIMER(0x000) = 1;
}

static uint32_t ticks(void)
{
    TIMER(0x040) = 1;
    return TIMER(0x540);
}

static @name@_input x[@NAME@_INPUTS + 1];

static void reset(void)
{
    const unsigned char *at = vectors;
    int64_t sums[@NAME@_OUTPUTS];
    uint32_t inputs = 0, mismatches = 0, total = 0, most = 0, own;
    start_timer();
    own = ticks();
    own = ticks() - own;
    while (at + RECORD <= vectors_end) {
        unsigned j, wrong = 0;
        uint32_t took;
        for (j = 0; j < @NAME@_INPUTS; j++, at += @NAME@_INPUT_BYTES)
            x[j] = (@name@_input)read_integer(at, @NAME@_INPUT_BYTES);
        @name@_sums(x, sums);
        for (j = 0; j < @NAME@_OUTPUTS; j++, at += 8) wrong |= sums[j] != read_integer(at, 8);
        took = ticks();
#if @NAME@_CLASSES > 0
        j = @name@_class(x);
        took = ticks() - took - own;
        wrong |= j != (unsigned)read_integer(at, 4);
#else
        @name@_sums(x, sums);
        took = ticks() - took - own;
#endif
        total += took;
        if (took > most) most = took;
        at += 4;
        mismatches += wrong;
        inputs++;
    }
    print_number(inputs);
    print(" inputs, ");
    print_number(mismatches);
    print(" mismatches\n");
    print_number(total);
    print(" ticks, at most ");
    print_number(most);
    print(" for a row\n");
    semihost(0x18, (const void *)(mismatches ? 0x20023u : 0x20026u));
    for (;;) {
    }
}

static void fault(void)
{
    semihost(0x18, (const void *)0x20023u);
    for (;;) {
    }
}

/* The stack, the start, and the faults. */
__attribute__((section(".start"), used)) static const void *const start[4] = {
    &stack_top, (const void *)reset, (const void *)fault, (const void *)fault,
};
