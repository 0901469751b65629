"""The shelf: generated playbooks that are kept, found by goal, used again and exchanged; notes about the person."""
