/* @name@: a network of threshold neurons in integers, written by hardlim from
   @source@.

   Inputs: integers within their bounds, which the caller makes from the columns of the table as follows; round()
   goes to the nearest integer, halves away from zero, and to the nearest bound from beyond.

@input_lines@
   Answers:

@answer_lines@*/
#ifndef @NAME@_H
#define @NAME@_H

#include <stdint.h>

#define @NAME@_INPUTS @inputs@
#define @NAME@_INPUT_BYTES @input_bytes@
#define @NAME@_OUTPUTS @outputs@ /* sums: one, or one for each of several classes */
#define @NAME@_CLASSES @classes@ /* 0 where the answer is a number */
#define @NAME@_EXPONENT (@exponent@) /* output = sum * 2^exponent */

/* The places of the inputs. */
@places@
typedef @storage@ @name@_input;

/* The sums of all outputs. */
void @name@_sums(const @name@_input *x, int64_t *sums);
@class@
#endif
