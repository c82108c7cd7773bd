"""What a page asks for: its blocks, directives and markers, and what is published of them."""

from snippetlock.references.blocks import Block, Comment, Marker, Problem, Scan
from snippetlock.references.scan import scan

__all__ = ["Block", "Comment", "Marker", "Problem", "Scan", "scan"]
