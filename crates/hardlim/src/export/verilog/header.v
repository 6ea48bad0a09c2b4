// @name@: a network of threshold neurons in integers, written by hardlim from
// @source@.
//
// Inputs: integers within their bounds, from the columns of the table as follows; round() goes to the
// nearest integer, halves away from zero, and to the nearest bound from beyond.
//
@input_lines@//
@width_lines@// Answers:
//
@answer_lines@//
@output_lines@
