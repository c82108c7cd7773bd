"""The API reference: pages made from the pin's own modules and docstrings, which mkdocstrings reads and writes out."""
