"""The names of the tools that come with the workbench, for whoever needs nothing else of them."""

from __future__ import annotations

BUILT_IN_TOOLS = ("shell", "sh", "read_file", "write_file", "list_files", "http_get", "clock", "notify")
