"""ONNX: trained networks exported in float and in 8 bits, and run without torch."""
