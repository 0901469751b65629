"""Files have one door: only the room of the disk asks the system about a path, or opens one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.trees import PACKAGE, trees

ROOM = PACKAGE / "disk"

# file: why it may
EXCEPTIONS = {
    "resources.py": "reads what came with the program, and whatever is wrong there is a mistake of ours",
    "engine/backends/python_child.py": "runs in a process of its own, in which nothing of the program can be imported",
    "tools/children/guard.py": "the same, and asks the system about processes",
    "tools/children/limited_child.py": "runs in a process of its own too, and only opens the place where nothing is",
    "engine/journal/lease.py": "reads what the system itself says of processes",
    "gui/screenshot.py": "has a folder of the system to itself, for as long as the picture takes",
    "cli/main.py": "opens the place where nothing arrives, when the reader of the output has gone away",
}

OF_PATHS = frozenset(
    "exists is_file is_dir is_symlink is_fifo is_socket is_mount stat lstat iterdir glob rglob samefile readlink "
    "read_bytes read_text write_bytes write_text mkdir rmdir unlink touch chmod lchmod hardlink_to symlink_to "
    "expanduser".split()
)
WITHOUT_ARGUMENTS = frozenset({"resolve", "absolute"})
WITH_ONE_ARGUMENT = frozenset({"rename", "replace"})
OF_MODULES = {
    "os": frozenset(
        "open stat lstat listdir scandir walk fwalk access mkdir makedirs mkfifo remove removedirs unlink rename "
        "renames replace rmdir link symlink readlink chmod chown lchown utime truncate statvfs getxattr setxattr "
        "listxattr removexattr chdir getcwd".split()
    ),
    "path": frozenset(
        "exists lexists isfile isdir islink ismount getsize getmtime getatime getctime realpath abspath expanduser "
        "samefile".split()
    ),
    "Path": frozenset({"cwd", "home"}),
    "io": frozenset({"open", "FileIO", "open_code"}),
    "sqlite3": frozenset({"connect"}),
}
MODULES = frozenset({"shutil", "tempfile", "glob", "filecmp", "fileinput", "linecache", "mmap"})
CLASSES = frozenset({"open", "FileIO", "QFile", "QSaveFile", "QDir", "QFileInfo", "QDirIterator", "QTemporaryFile"})


def asked(tree: ast.Module) -> list[str]:
    """The calls in *tree* that ask the system about a path, each with its line."""
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _asks(node))
    return [f"{node.lineno}: {ast.unparse(node.func)}" for node in found]


def _asks(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Name):
        return call.func.id in CLASSES
    if not isinstance(call.func, ast.Attribute):
        return False
    name, of = call.func.attr, _last_name(call.func.value)
    if of in MODULES or name in OF_MODULES.get(of, ()):
        return True
    if name == "open":
        return _opens_a_path(call, of)
    count = len(call.args)
    return (
        name in OF_PATHS
        or (name in WITHOUT_ARGUMENTS and not count)
        or (name in WITH_ONE_ARGUMENT and count == 1 and not call.keywords and of != "self")
    )


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _opens_a_path(call: ast.Call, of: str) -> bool:
    """True unless it is a dialog or a document that is opened."""
    keywords = {keyword.arg for keyword in call.keywords}
    first = call.args[0] if call.args else None
    has_mode = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return has_mode or bool(keywords & {"mode", "encoding", "buffering", "newline"}) or of in {"path", "file"}


def test_nobody_but_the_room_of_the_disk_asks_the_system_about_a_path() -> None:
    outside = {path: tree for path, tree in trees().items() if path.parent != ROOM}
    asking = {path.relative_to(PACKAGE).as_posix(): asked(tree) for path, tree in outside.items()}
    assert {name: calls for name, calls in asking.items() if calls and name not in EXCEPTIONS} == {}


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_every_exception_is_still_needed(name: str) -> None:
    assert asked(trees()[PACKAGE / name])


def questions() -> Iterator[str]:
    """One call of each kind."""
    yield from (f"path.{name}()" for name in OF_PATHS | WITHOUT_ARGUMENTS)
    yield from (f"(a / b).{name}(c)" for name in WITH_ONE_ARGUMENT)
    yield from (f"{of}.{name}(a)" for of, names in OF_MODULES.items() for name in names)
    yield from (f"os.path.{name}(a)" for name in OF_MODULES["path"])
    yield from (f"{name}(a)" for name in CLASSES)
    yield from ("a.open('rb')", "a.open(encoding='utf-8')", "path.open()", "shutil.copy(a, b)", "resolve_it().exists()")


def test_every_such_call_would_be_found() -> None:
    assert [call for call in questions() if not asked(ast.parse(call))] == []


@pytest.mark.parametrize(
    "call", ["dialog.open()", "Document.open(path)", "a.replace('b', 'c')", "replace(a, b=1)", "calls.resolve(settled)"]
)
def test_what_only_looks_like_it_is_let_alone(call: str) -> None:
    assert not asked(ast.parse(call))
