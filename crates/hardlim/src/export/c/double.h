/* @name@: a network of threshold neurons in double precision, written by hardlim @version@ from
   @source@.

   Inputs are the features of the model, as numbers:

@input_lines@
   Answers:

@answer_lines@*/
#ifndef @NAME@_H
#define @NAME@_H

#ifdef __cplusplus
extern "C" {
#endif

#define @NAME@_HARDLIM "@version@" /* the version that wrote this */
#define @NAME@_MODEL "@model@" /* the checksum at the end of the model file */
#define @NAME@_INPUTS @inputs@
#define @NAME@_OUTPUTS @outputs@ /* one, or one for each class if there are several */
#define @NAME@_CLASSES @classes@ /* 0 if the answer is a number */

/* The positions of the inputs. */
@places@@labels@
/* The outputs. */
void @name@_outputs(const double *x, double *outputs);
@class@
#ifdef __cplusplus
}
#endif

#endif
