/* The loop of a firmware with @name@: measures every input, and acts on the answer. Compile it with @name@.c. */
#include "@name@_read.h"

/* Yours: the value of an input (a place @NAME@_IN_... of @name@.h), in the unit of the training table, or whether it holds. */
double @name@_measure(unsigned place);
/* Yours: what to do with the answer. */
void @name@_act(@answer@);
void @name@_loop(void);

void @name@_loop(void)
{
    for (;;) {
        @name@_input x[@NAME@_INPUTS + 1];
@declared@@readings@        @call@;
    }
}
