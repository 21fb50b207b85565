"""From a network to a bundle: the graph of ONNX operators, golden rows, model card, and the folder that holds them."""
