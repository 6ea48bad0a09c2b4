/* @name@: a network of threshold neurons in integers, written by hardlim @version@ from
   @source@.

   Inputs are integers within their bounds. The caller computes them from the columns of the table as
   follows. round() gives the nearest integer, with halves away from zero. A value beyond a bound becomes
   that bound.

@input_lines@
   Answers:

@answer_lines@*/
#ifndef @NAME@_H
#define @NAME@_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define @NAME@_HARDLIM "@version@" /* the version that wrote this */
#define @NAME@_MODEL "@model@" /* the checksum at the end of the model file */
#define @NAME@_INPUTS @inputs@
#define @NAME@_INPUT_BYTES @input_bytes@
#define @NAME@_OUTPUTS @outputs@ /* sums: one, or one for each class if there are several */
#define @NAME@_CLASSES @classes@ /* 0 if the answer is a number */
#define @NAME@_EXPONENT (@exponent@) /* output = sum * 2^exponent */

/* The inputs: positions, shifts, offsets and bounds. An input is round(value * 2^shift) - offset, within its
   bounds. */
@places@@labels@
typedef @storage@ @name@_input;

/* The sums of all outputs. */
void @name@_sums(const @name@_input *x, int64_t *sums);
@class@
#ifdef __cplusplus
}
#endif

#endif
