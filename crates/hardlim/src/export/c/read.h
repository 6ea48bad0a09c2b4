/* @name@: from numbers as people have them to inputs. Written by hardlim.

   Each function takes the value of a column in the unit of the training table, and gives the input: scaled,
   rounded to the nearest integer with halves away from zero, and within its bounds. Not-a-number gives the
   lower bound. On a microcontroller without floating point, compute the same from the integers of the sensor:
   the formulas are in @name@.h.

       @name@_input x[@NAME@_INPUTS] = {0};
@example@       @call@;
*/
#ifndef @NAME@_READ_H
#define @NAME@_READ_H

#include "@name@.h"

static inline @name@_input @name@_round(double scaled, int64_t offset, int64_t least, int64_t most)
{
    int64_t m;
    double rest;
    if (!(scaled > (double)(least + offset))) return (@name@_input)least;
    if (scaled >= (double)(most + offset)) return (@name@_input)most;
    m = (int64_t)scaled;
    rest = scaled - (double)m;
    m += (rest >= 0.5) - (rest <= -0.5);
    return (@name@_input)(m - offset);
}

@functions@
#endif
