"""Writes reference.safetensors with the reference implementation. Commands: see the package README."""

import sys

import numpy
from safetensors.numpy import save_file

# Bit patterns a careless reader would normalise: -0, infinities, quiet and signalling NaN with payload, a subnormal.
special = numpy.array(
    [0x80000000, 0x7F800000, 0xFF800000, 0x7FC12345, 0x7F812345, 0x00000001], dtype=numpy.uint32
)

save_file(
    {
        "input_ids": numpy.array([[5, 6, 7]], dtype=numpy.int32),
        "attention_mask": numpy.array([[True, False, True]], dtype=numpy.bool_),
        "logprobs": numpy.array([[0.0, -0.5, -1.25]], dtype=numpy.float32),
        "special": special.view(numpy.float32).reshape(2, 3),
        "extremes": numpy.array([-(2**31), 2**31 - 1], dtype=numpy.int32),
        "empty": numpy.zeros((0, 4), dtype=numpy.float32),
        "scalar": numpy.array(2.5, dtype=numpy.float32),
        "größe": numpy.array([1], dtype=numpy.int32),
    },
    sys.argv[1],
    metadata={"format": "np"},
)
