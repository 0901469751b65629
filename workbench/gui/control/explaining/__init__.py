"""Who asks for an explanation, and of what."""
