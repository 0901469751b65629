"""Exit codes that scripts can rely on."""

FINE = 0
FINDINGS = 1
UNUSABLE = 2
INPUT_NEEDED = 3
INTERRUPTED = 130
