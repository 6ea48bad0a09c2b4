
/* The class: its number in the list above. */
unsigned @name@_class(const @name@_input *x);
