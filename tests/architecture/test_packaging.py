"""What is shipped fits together: versions, names, locked packages, files for the desktop."""

from __future__ import annotations

import configparser
import os
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from workbench import __version__

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
ID = "org.playbookworkbench.Workbench"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCK = (ROOT / "requirements.lock").read_text("utf-8")


def package_names(requirements: list[str]) -> set[str]:
    """The names in *requirements*, normalised."""
    found = (re.match(r"[A-Za-z0-9._-]+", requirement) for requirement in requirements)
    return {re.sub(r"[-_.]+", "-", match[0]).lower() for match in found if match}


def test_everything_that_is_wanted_is_locked() -> None:
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    locked = package_names(re.findall(r"^\S+==\S+", LOCK, re.MULTILINE))
    assert package_names(wanted) <= locked


def test_every_locked_package_has_a_hash_and_no_address() -> None:
    entries = re.split(r"^(?=\S+==)", LOCK, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in LOCK


def test_the_wheel_holds_the_folders_that_resources_looks_for() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {name: f"workbench/_{name}" for name in ("resources", "playbooks")}


def test_the_desktop_entry_starts_the_program() -> None:
    entry = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    entry.read(PACKAGING / f"{ID}.desktop", encoding="utf-8")
    command = entry["Desktop Entry"]["Exec"].split()[0]
    assert command in PROJECT["project"]["scripts"]


def test_the_window_is_known_to_the_desktop_by_its_entry() -> None:
    source = (ROOT / "workbench" / "gui" / "app.py").read_text("utf-8")
    assert f'setDesktopFileName("{ID}")' in source
    assert (PACKAGING / f"{ID}.svg").read_bytes() == (ROOT / "resources" / "icons" / "workbench.svg").read_bytes()


def test_the_store_page_speaks_of_this_version() -> None:
    page = ET.parse(PACKAGING / f"{ID}.metainfo.xml").getroot()
    release = page.find("releases/release")
    assert release is not None
    assert (release.get("version"), page.findtext("id")) == (__version__, ID)


def test_the_file_type_is_the_one_the_desktop_entry_opens() -> None:
    space = {"mime": "http://www.freedesktop.org/standards/shared-mime-info"}
    types = ET.parse(PACKAGING / f"{ID}.mime.xml").getroot().findall("mime:mime-type", space)
    desktop = (PACKAGING / f"{ID}.desktop").read_text("utf-8")
    assert [name for one in types if (name := one.get("type") or "") in desktop] == ["text/x-playbook"]


@pytest.mark.parametrize("name", [".ci/run", "packaging/set-up", "packaging/run"])
def test_a_script_can_be_started(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
