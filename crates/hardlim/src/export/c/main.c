/* An example for @name@: reads a table as CSV with a header from standard input, and prints the answer for
   every row.

       cc -O2 @name@_main.c @name@.c -o @name@_main && ./@name@_main < table.csv

   Columns are found by their names; others are not read. A firmware needs @name@.c and @name@.h alone, and
   @name@_read.h if it has floating point.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "@name@_read.h"

#define LONGEST 65536
#define FIELDS 4096

enum kind { NUMBER, LEVEL, MISSING, OTHER };

/* One input: its column, what it says about the column, and what stands for a missing value. */
struct input {
    const char *column;
    enum kind kind;
    const char *level;
    const char *fill;
    @name@_input (*read)(double);
};

static const struct input inputs[@NAME@_INPUTS + 1] = {
@fields@    {0, NUMBER, 0, 0, 0}
};
@names@
/* Cuts a line into fields, in place. A field in double quotes may hold commas. */
static int cut(char *line, char **fields)
{
    int count = 0;
    char *to = line;
    line[strcspn(line, "\r\n")] = 0;
    for (;;) {
        int quoted = 0;
        if (count == FIELDS) return count;
        while (*line == ' ') line++;
        fields[count++] = to;
        for (; *line && (quoted || *line != ','); line++) {
            if (*line == '"' && quoted && line[1] == '"') *to++ = *line++;
            else if (*line == '"') quoted = !quoted;
            else *to++ = *line;
        }
        while (to > fields[count - 1] && to[-1] == ' ') to--;
        if (!*line) {
            *to = 0;
            return count;
        }
        line++;
        *to++ = 0;
    }
}

static int is_missing(const char *text)
{
    static const char *const all[] = {"", "?", "NA", "N/A", "n/a", "null", "NULL", "<NA>", "nan", "NaN", "NAN"};
    unsigned k;
    for (k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(text, all[k]) == 0) return 1;
    return 0;
}

/* Whether two labels are the same; numbers may be spelled in different ways. */
static int same(const char *a, const char *b)
{
    char *end_a, *end_b;
    double u, v;
    if (strcmp(a, b) == 0) return 1;
    u = strtod(a, &end_a);
    v = strtod(b, &end_b);
    return end_a != a && end_b != b && !*end_a && !*end_b && u == v;
}

/* An input of a row; 0 if the text of its column is not a number where one is needed. */
static int read_input(unsigned j, char *const *row, const int *place, @name@_input *x)
{
    const struct input *in = &inputs[j];
    const char *text = row[place[j]];
    const char *value = is_missing(text) ? in->fill : text;
    char *end;
    unsigned k;
    switch (in->kind) {
    case NUMBER:
        if (!value) return 0;
        x[j] = in->read(strtod(value, &end));
        return end != value && !*end;
    case LEVEL:
        x[j] = value && same(value, in->level);
        return 1;
    case MISSING:
        x[j] = is_missing(text) != 0;
        return 1;
    default:
        x[j] = !is_missing(text);
        for (k = 0; k < @NAME@_INPUTS; k++)
            if (inputs[k].kind == LEVEL && place[k] == place[j] && same(text, inputs[k].level)) x[j] = 0;
        return 1;
    }
}

int main(void)
{
    static char line[LONGEST];
    static char *fields[FIELDS];
    static @name@_input x[@NAME@_INPUTS + 1];
    static int place[@NAME@_INPUTS + 1];
    unsigned long row = 1;
    unsigned j;
    int columns, k;
    if (!fgets(line, LONGEST, stdin)) return fprintf(stderr, "no header\n"), 2;
    columns = cut(line, fields);
    for (j = 0; j < @NAME@_INPUTS; j++) {
        for (place[j] = -1, k = 0; k < columns; k++)
            if (strcmp(fields[k], inputs[j].column) == 0) place[j] = k;
        if (place[j] < 0) return fprintf(stderr, "no column \"%s\"\n", inputs[j].column), 2;
    }
    while (fgets(line, LONGEST, stdin)) {
        row++;
        if (!strchr(line, '\n') && !feof(stdin)) return fprintf(stderr, "line %lu is too long\n", row), 2;
        if (line[strspn(line, " \r\n")] == 0) continue;
        if (cut(line, fields) != columns) return fprintf(stderr, "line %lu: another number of fields\n", row), 2;
        for (j = 0; j < @NAME@_INPUTS; j++)
            if (!read_input(j, fields, place, x))
                return fprintf(stderr, "line %lu, column \"%s\": no number\n", row, inputs[j].column), 2;
@print@    }
    return 0;
}
