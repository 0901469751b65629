"""Plain data as YAML."""

from __future__ import annotations

import json
from typing import Any

import yaml

from workbench.syntax.data.encodable import Encodable


def dump_yaml(value: object, width: int) -> str:
    """*value* as YAML, in lines of about *width*; bytes that are not UTF-8 stay what they are in its texts."""
    source = Encodable.of(json.dumps(value, ensure_ascii=False))
    written = yaml.dump(json.loads(source.text), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=width)
    return source.original(str(written))


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        """Everything is written out where it stands."""
        return True


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _represent_text)
