/* Replays a file of inputs through @name@ and @name@_pipelined, translated by Verilator, and compares sums
   and classes:
       verilator --cc --exe --build -O3 -Wno-fatal -Wno-WIDTH --top-module @name@_pair --Mdir obj_dir -CFLAGS -O2 \
           @name@_pair.v @name@.v @name@_pipelined.v @name@_verilator.cpp
       obj_dir/V@name@_pair @name@_vectors.bin
   A record has the inputs, @input_bytes@ bytes each, the sums they must give, 8 bytes each, and the class, 4
   bytes; all of them little-endian. */
#include <cstdint>
#include <cstdio>

#include "V@name@_pair.h"
#include "verilated.h"

enum {
    INPUTS = @inputs@, INPUT_BYTES = @input_bytes@, SUMS = @sums@, OUTPUTS = @outputs@,
    RECORD = INPUTS * INPUT_BYTES + SUMS * 8 + 4,
    X_WORDS = @x_words@, Y_WORDS = @y_words@, LATENCY = @latency@
};

static const unsigned char input_bits[INPUTS + 1] = {@input_bits@};
static const unsigned char output_bits[OUTPUTS] = {@output_bits@};

double sc_time_stamp()
{
    return 0;
}

static uint64_t read_integer(const unsigned char *from, unsigned bytes)
{
    uint64_t value = 0;
    while (bytes > 0) value = value << 8 | from[--bytes];
    return value;
}

/* Puts the low bits of a value at a place, and moves on. */
static void put(uint32_t *words, unsigned *at, uint64_t value, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++, ++*at) words[*at / 32] |= (uint32_t)(value >> i & 1) << *at % 32;
}

template <class Words> static bool differ(const Words &words, const uint32_t *expected)
{
    bool differ = false;
    for (unsigned i = 0; i < Y_WORDS; i++) differ |= words[i] != expected[i];
    return differ;
}

int main(int argc, char **argv)
{
    static unsigned char record[RECORD];
    static uint32_t waiting[LATENCY + 1][Y_WORDS];
    unsigned long inputs = 0, answers = 0, wrong = 0, wrong_pipelined = 0, cycle = 0;
    unsigned to = 0, from = 0, idle = 0;
    size_t got = RECORD;
    FILE *file = fopen(argc > 1 ? argv[1] : "@name@_vectors.bin", "rb");
    if (!file) {
        fprintf(stderr, "usage: %s @name@_vectors.bin\n", argv[0]);
        return 2;
    }
    V@name@_pair *pair = new V@name@_pair;
    pair->clk = 0;
    pair->valid_in = 0;
    pair->reset = 1;
    pair->eval();
    pair->clk = 1;
    pair->eval();
    pair->reset = 0;
    /* One input each clock, but for a gap now and then; the last ones need some clocks more. */
    while (idle <= LATENCY) {
        uint32_t x[X_WORDS] = {0}, y[Y_WORDS] = {0};
        bool valid = false;
        if (got != RECORD) {
            idle++;
        } else if (cycle % 7 != 6) {
            got = fread(record, 1, RECORD, file);
            valid = got == RECORD;
        }
        if (valid) {
            const unsigned char *at = record;
            unsigned place = 0;
            for (unsigned j = 0; j < INPUTS; j++, at += INPUT_BYTES)
                put(x, &place, read_integer(at, INPUT_BYTES), input_bits[j]);
            place = 0;
            for (unsigned s = 0; s < SUMS; s++, at += 8) put(y, &place, read_integer(at, 8), output_bits[s]);
            if (OUTPUTS > SUMS) put(y, &place, read_integer(at, 4), output_bits[OUTPUTS - 1]);
            for (unsigned i = 0; i < Y_WORDS; i++) waiting[to][i] = y[i];
            to = to == LATENCY ? 0 : to + 1;
            inputs++;
        }
        for (unsigned i = 0; i < X_WORDS; i++) pair->x[i] = x[i];
        pair->valid_in = valid;
        pair->clk = 0;
        pair->eval();
        if (valid && differ(pair->y, y)) wrong++;
        pair->clk = 1;
        pair->eval();
        if (pair->valid_out) {
            answers++;
            if (differ(pair->y_pipelined, waiting[from])) wrong_pipelined++;
            from = from == LATENCY ? 0 : from + 1;
        }
        cycle++;
    }
    if (got != 0 || ferror(file)) {
        fprintf(stderr, "the file of inputs ends within a record\n");
        return 2;
    }
    if (answers != inputs) {
        printf("the pipeline had %lu answers\n", answers);
        wrong_pipelined++;
    }
    printf("@name@: %lu inputs, %lu mismatches\n", inputs, wrong);
    printf("@name@_pipelined: %lu inputs, %lu mismatches\n", inputs, wrong_pipelined);
    delete pair;
    return wrong + wrong_pipelined > 0;
}
