"""Claims: statements in comments of a page that can be checked against the library. Nothing of it is imported or run.

`stated` finds them on a page, `parsing` reads one, `evaluating` works it out, `judging` says what is to be said of it.
"""
