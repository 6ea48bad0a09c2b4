// @name@: a network of threshold neurons in integers, written by hardlim @version@ from
// @source@ (checksum @model@).
//
// Inputs are integers within their bounds, computed from the columns of the table as follows. round()
// gives the nearest integer, with halves away from zero. A value beyond a bound becomes that bound.
//
@input_lines@//
@width_lines@// Answers:
//
@answer_lines@//
@output_lines@
