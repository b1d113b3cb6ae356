"""The performance figures of feedrate: `make bench`. Ratios, each from one interleaved run."""
