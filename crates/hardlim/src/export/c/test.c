/* Replays a file of inputs through @name@ and compares sums and classes:
       ./@name@_test @name@_vectors.bin
   A record has the inputs, @NAME@_INPUT_BYTES bytes each, the sums they must give, 8 bytes each, and the
   class, 4 bytes; all of them little-endian. */
#include <stdio.h>

#include "@name@.h"

#define RECORD (@NAME@_INPUTS * @NAME@_INPUT_BYTES + @NAME@_OUTPUTS * 8 + 4)

static int64_t read_integer(const unsigned char *from, unsigned bytes)
{
    uint64_t value = from[bytes - 1] & 0x80 ? ~(uint64_t)0 : 0;
    while (bytes > 0) value = value << 8 | from[--bytes];
    return (int64_t)value;
}

int main(int argc, char **argv)
{
    static unsigned char record[RECORD];
    static @name@_input x[@NAME@_INPUTS + 1];
    int64_t sums[@NAME@_OUTPUTS];
    unsigned long inputs = 0, mismatches = 0;
    size_t got;
    FILE *file = fopen(argc > 1 ? argv[1] : "@name@_vectors.bin", "rb");
    if (!file) {
        fprintf(stderr, "usage: %s @name@_vectors.bin\n", argv[0]);
        return 2;
    }
    while ((got = fread(record, 1, RECORD, file)) == RECORD) {
        const unsigned char *at = record;
        unsigned j, wrong = 0;
        for (j = 0; j < @NAME@_INPUTS; j++, at += @NAME@_INPUT_BYTES)
            x[j] = (@name@_input)read_integer(at, @NAME@_INPUT_BYTES);
        @name@_sums(x, sums);
        for (j = 0; j < @NAME@_OUTPUTS; j++, at += 8) wrong |= sums[j] != read_integer(at, 8);
#if @NAME@_CLASSES > 0
        wrong |= @name@_class(x) != (unsigned)read_integer(at, 4);
#endif
        if (wrong && mismatches++ < 5) fprintf(stderr, "input %lu: another answer\n", inputs);
        inputs++;
    }
    if (got != 0 || ferror(file)) {
        fprintf(stderr, "the file of inputs ends within a record\n");
        return 2;
    }
    printf("%lu inputs, %lu mismatches\n", inputs, mismatches);
    return mismatches > 0;
}
