"""The words that look like placeholders and are none: tags, what programs print, variables that every shell knows."""

from __future__ import annotations

import re
from functools import lru_cache

from workbench.regex import regex

NOT_IN_PROSE = frozenset(
    """a abbr address article aside audio b base bdi bdo blockquote body br button canvas caption center cite code col
    colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form h1
    h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark menu meta meter nav
    noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script section select
    slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time
    title tr track tt u ul var video wbr string number boolean bool int integer void any type""".split()
)
"""Tags and types: in prose they are drawn as such. In code, ``<path>`` is a placeholder like any other."""
TAGS = frozenset(
    "br div em h1 h2 h3 h4 h5 h6 hr iframe img kbd li nav ol span strong svg tbody td tfoot th thead tr ul".split()
)
"""What is a tag wherever it stands outside a fence."""
NAMES_OF_OUTPUT = frozenset(
    "none unknown nil null invalid pending empty unset stdin stdout stderr module lambda anonymous eof no-value".split()
)
"""What programs print in angle brackets where they know no name."""
SHELLS = frozenset({"", "sh", "bash", "shell", "console", "zsh", "fish", "ksh", "terminal", "shell-session"})
PLAIN_TEXT = SHELLS | frozenset(
    """text txt plain plaintext sql yaml yml json json5 jsonc http curl powershell ps1 pwsh cmd bat batch
    dos ini toml conf config properties env dotenv promql logql kql kusto spl splunk esql lucene query graphql cypher
    diff log email mail csv hcl terraform tf dockerfile nginx mermaid yara sigma""".split()
)
"""Languages of fences in which angle brackets are no types and no tags."""
TEMPLATE_WORDS = frozenset("end else endif endfor range block toc content end-".split())
WELL_KNOWN = regex(
    r"HOME|PATH|USER|LOGNAME|PWD|OLDPWD|SHELL|LANG|LC_\w+|TERM|EDITOR|VISUAL|PAGER|HOSTNAME|TMPDIR|TMP|TEMP|UID|EUID"
    r"|PPID|RANDOM|SECONDS|LINENO|IFS|PS\d|REPLY|OPTARG|OPTIND|PIPESTATUS|FUNCNAME|BASH\w*|ZSH\w*|XDG_\w+|SSH_\w+|DISPLAY"
    r"|CI|GITHUB_\w+|CI_\w+|RUNNER_\w+|JAVA_HOME|GOPATH|GOROOT|PYTHONPATH|VIRTUAL_ENV|CONDA_\w+|LD_\w+|MANPATH|COLUMNS"
    r"|LINES|DBUS_\w+|CLAUDE_\w+|KUBECONFIG|PROFILE|ProgramFiles|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE|ARGUMENTS"
)
"""Variables that the machine sets, and not who carries out a procedure."""
SET_IN_SHELL = regex(
    r"(?:^|[;&|($]|\bthen|\bdo|\bexport|\blocal|\breadonly|\bdeclare(?:[ \t]+-\w+)*)[ \t]*"
    r"(?P<assigned>[A-Za-z_]\w*)\+?="
    r"|\bfor[ \t]+(?P<looped>[A-Za-z_]\w*)[ \t]+in\b"
    r"|\bread[ \t]+(?:-\w+[ \t]+(?:\"[^\"\n]*\"[ \t]+|'[^'\n]*'[ \t]+)?)*(?P<read>[A-Za-z_]\w*)"
    r"|\bset[ \t]+(?:-\w+[ \t]+)*(?P<fish>[A-Za-z_]\w*)[ \t]",
    re.MULTILINE,
)
_FILLERS = regex(r"(?:your|the|a|an|insert|enter)[ _-]+(?=\w)", re.IGNORECASE)
_BETWEEN = regex(r"[ _-]+")
_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(maxsize=4096)
def canonical(written: str) -> str:
    """``instance_id`` for ``instance-id``, ``INSTANCE_ID``, ``instanceId`` and ``your instance id``."""
    words = written if written.isupper() else _HUMP.sub("_", written)
    return _BETWEEN.sub("_", _FILLERS.sub("", words, count=1)).lower().strip("_")
