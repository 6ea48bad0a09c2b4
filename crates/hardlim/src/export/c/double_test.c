/* Replays a file of rows through @name@ and compares outputs and classes:
       ./@name@_test @name@_vectors.f64
   A record has the inputs, the outputs that they must give, the class, and a number that is not read; all of them are
   little-endian doubles. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "@name@.h"

#define RECORD (@NAME@_INPUTS + @NAME@_OUTPUTS + 2)

static double read_double(const unsigned char *from)
{
    uint64_t bits = 0;
    double value;
    int k;
    for (k = 7; k >= 0; k--) bits = bits << 8 | from[k];
    memcpy(&value, &bits, sizeof value);
    return value;
}

int main(int argc, char **argv)
{
    static unsigned char record[RECORD * 8];
    static double x[@NAME@_INPUTS + 1];
    double outputs[@NAME@_OUTPUTS];
    unsigned long inputs = 0, mismatches = 0;
    size_t got;
    FILE *file = fopen(argc > 1 ? argv[1] : "@name@_vectors.f64", "rb");
    if (!file) {
        fprintf(stderr, "usage: %s @name@_vectors.f64\n", argv[0]);
        return 2;
    }
    while ((got = fread(record, 1, sizeof record, file)) == sizeof record) {
        const unsigned char *at = record;
        unsigned j, wrong = 0;
        for (j = 0; j < @NAME@_INPUTS; j++, at += 8) x[j] = read_double(at);
        @name@_outputs(x, outputs);
        for (j = 0; j < @NAME@_OUTPUTS; j++, at += 8) wrong |= outputs[j] != read_double(at);
#if @NAME@_CLASSES > 0
        wrong |= @name@_class(x) != (unsigned)read_double(at);
#endif
        if (wrong && mismatches++ < 5) fprintf(stderr, "row %lu: another answer\n", inputs);
        inputs++;
    }
    if (got != 0 || ferror(file)) {
        fprintf(stderr, "the file of rows ends within a record\n");
        return 2;
    }
    printf("%lu inputs, %lu mismatches\n", inputs, mismatches);
    return mismatches > 0;
}
