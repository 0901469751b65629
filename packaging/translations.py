"""Brings the catalogues in ``resources/translations`` up to date with the sources, or checks that they are.

usage: packaging/translations.py [check]

Without *check*: new texts are added without a translation, those that are gone are removed, and what is
translated is compiled. A translator fills in the empty ``msgstr`` of the ``.po`` file and runs it again.
"""

from __future__ import annotations

import io
import re
import string
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from workbench.model.checks.rules import page_texts

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
ASKS_FOR_TEXT = re.compile(rf"\b(?:{'|'.join(KEYWORDS)})\b")
HEAD = """\
# Texts of Playbook Workbench. `make translations` brings this file up to date with the sources.
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


def catalogue_files() -> list[Path]:
    """The catalogue of each language."""
    return sorted(FOLDER.glob("*/LC_MESSAGES/workbench.po"))


def texts() -> Catalog:
    """Every text in the sources and on the rule pages that a person reads."""
    catalogue = Catalog()
    for file in sorted((ROOT / "workbench").rglob("*.py")):
        # to take a source apart takes long, and a third of them has no text
        if ASKS_FOR_TEXT.search(file.read_text(encoding="utf-8")):
            for _line, message, _comments, _context in extract_from_file("python", file, KEYWORDS):
                catalogue.add(message)
    for page in sorted((ROOT / "resources" / "help" / "rules").glob("*.md")):
        for text in page_texts(page.read_text(encoding="utf-8")):
            catalogue.add(text)
    return catalogue


def load(path: Path) -> Catalog:
    """The catalogue in *path*, of the language that its folder names."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name)


def updated(path: Path) -> Catalog:
    """The catalogue in *path* with the texts of the sources, and no others; nothing is guessed."""
    old, new = load(path), Catalog(locale=path.parents[1].name)
    for message in texts():
        if message.id:
            known = old.get(_key(message))
            is_same = known is not None and known.pluralizable == message.pluralizable
            new.add(message.id, known.string if known is not None and is_same else "")
    return new


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def as_text(catalogue: Catalog) -> str:
    """*catalogue* as a ``.po`` file: sorted and without line numbers, so that a change shows what changed."""
    file = io.BytesIO()
    write_po(file, catalogue, width=110, no_location=True, omit_header=True, sort_output=True)
    head = HEAD.format(language=str(catalogue.locale), plurals=catalogue.plural_forms)
    return head + file.getvalue().decode("utf-8").lstrip("\n")


def compiled(path: Path) -> bytes:
    """The compiled form of the catalogue in *path*."""
    file = io.BytesIO()
    write_mo(file, load(path))
    return file.getvalue()


def faults(path: Path) -> Iterator[str]:
    """What is wrong with the catalogue in *path*."""
    wanted = {_key(message) for message in texts() if message.id}
    catalogue = load(path)
    known = {_key(message): message for message in catalogue if message.id}
    yield from (f"no longer in the sources: {text!r}" for text in known.keys() - wanted)
    for text in sorted(wanted):
        yield from _faults_of(text, known.get(text))
    if not _is_compiled(path):
        yield "the compiled catalogue is out of date"


def _is_compiled(path: Path) -> bool:
    """True when the compiled catalogue says what *path* says; its bytes also hold the time and Babel's version."""
    file = path.with_suffix(".mo")
    return file.exists() and _texts_in(compiled(path)) == _texts_in(file.read_bytes())


def _texts_in(data: bytes) -> dict[str, object]:
    return {_key(message): message.string for message in read_mo(io.BytesIO(data)) if message.id}


def _faults_of(text: str, message: Message | None) -> Iterator[str]:
    translations = () if message is None else (message.string,) if isinstance(message.string, str) else message.string
    if message is None or not translations or not all(translations) or message.fuzzy:
        yield f"not translated: {text!r}"
        return
    allowed = set().union(*(_fields(each) for each in ([message.id] if isinstance(message.id, str) else message.id)))
    for each in translations:
        # “one step” may leave the number out
        if not _fields(each) <= allowed or (len(translations) == 1 and _fields(each) != allowed):
            yield f"other placeholders than the text has: {text!r}"
        if each.count("&") != text.count("&") or each[-1:].isspace() != text[-1:].isspace():
            yield f"other key marks or spaces than the text has: {text!r}"


def _fields(text: str) -> set[str]:
    """The placeholders in *text*, those of ``str.format`` and those of ``%``."""
    try:
        return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}
    except ValueError:
        return set()  # braces that are no placeholders


def main(arguments: list[str]) -> int:
    """The exit code: 0 where every catalogue is complete and up to date."""
    is_check = arguments == ["check"]
    for path in catalogue_files():
        if not is_check:
            path.write_text(as_text(updated(path)), encoding="utf-8")
            if not _is_compiled(path):
                path.with_suffix(".mo").write_bytes(compiled(path))
    found = [f"{path.relative_to(ROOT)}: {fault}" for path in catalogue_files() for fault in faults(path)]
    print("\n".join(found) or "All catalogues are complete.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
