//! Checking a certificate again.
