# make test: replay the rows of the export on this machine.
CC ?= cc
CFLAGS ?= -O2
STRICT = -std=c99 -pedantic -Wall -Wextra -ffp-contract=off

.PHONY: test clean

test: @name@_test
	./@name@_test @name@_vectors.f64

@name@_test: @name@_test.c @name@.c @name@.h
	$(CC) $(CFLAGS) $(STRICT) -o $@ @name@_test.c @name@.c

clean:
	rm -f @name@_test
