"""What each command does to a step list: span patches in the style of what stands beside them."""
