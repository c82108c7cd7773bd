"""What only the TileOPs site needs; the general tool is `snippetlock`."""
