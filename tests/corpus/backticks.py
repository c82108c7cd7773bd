def f():
    """Fences.

    ```python
    f()
    ```
    ````` and more
    """
    return "```"
