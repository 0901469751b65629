"""markdown-it-py in an environment of its own: parsing one file. Prints JSON."""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path

from markdown_it import MarkdownIt

if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    parser = MarkdownIt("commonmark")
    times = []
    for _repeat in range(5):
        start = time.process_time_ns()
        parser.parse(text)
        times.append((time.process_time_ns() - start) / 1e6)
    print(json.dumps({"parse": statistics.median(times)}))
