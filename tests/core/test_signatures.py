"""Names, headings as signatures, Python functions, and renaming of calls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.syntax.change import TextChange
from workbench.syntax.python_functions import PythonFunction, python_functions
from workbench.syntax.signatures import Parameter, normalise_name, parse_signature, rename_calls

NAMES = {
    "CamelCase": ("CamelCase", ""),
    "HTTPServer": ("HTTPServer", ""),
    "helloWorld": ("Helloworld", ""),
    "AI Assistant": ("AiAssistant", ""),
    "my_class-name": ("MyClassName", ""),
    "WORD": ("WORD", ""),
    "Été agent": ("ÉtéAgent", ""),
    "手順": ("手順", ""),
    "123_test": ("123Test", "name-starts-with-digit"),
    "Bob's agent": ("BobsAgent", "name-characters"),
    "Über das Büro 🗂️": ("ÜberDasBüro", "name-characters"),
    "🗂️": ("Unnamed", "name-empty"),
    "": ("Unnamed", "name-empty"),
}


@pytest.mark.parametrize("title", NAMES)
def test_a_title_becomes_a_name_that_calls_can_use(title: str) -> None:
    name = normalise_name(title)
    assert (name.name, name.problem) == NAMES[title]


def parameters(heading: str) -> str:
    """The parameters of *heading* as they are written."""
    return ", ".join(
        f"{'$' * one.is_state}{one.name}{one.type and ':' + one.type}{'=' + one.default if one.default else ''}"
        for one in parse_signature(heading).parameters
    )


SIGNATURES = {
    "Main": ("Main", "", ""),
    "Main() -> None": ("Main", "", "None"),
    "MyPB($a:int=3) -> str": ("MyPB", "$a:int=3", "str"),
    "Validate city($x)": ("ValidateCity", "$x", ""),
    "Deploy ($x)": ("Deploy", "$x", ""),
    "extract_metadata(text)": ("ExtractMetadata", "text", ""),
    "Order support (v2)": ("OrderSupportV2", "", ""),
    "F($a=[1, 2], $b='x, y', c={'k': (1)})": ("F", "$a=[1, 2], $b='x, y', c={'k': (1)}", ""),
    "F($a, /, $b, *, $c=1)": ("F", "$a, $b, $c=1", ""),
    "F($a: List[str] = None)": ("F", "$a:List[str]=None", ""),
    "F($a=$b)": ("F", "$a", ""),
    "F(*args, **kw)": ("F", "", ""),
    "F(two words)": ("F", "", ""),
    "F(": ("F", "", ""),
    "Begrüßung($näme)": ("Begrüßung", "$näme", ""),
}


@pytest.mark.parametrize("heading", SIGNATURES)
def test_a_heading_is_a_signature(heading: str) -> None:
    signature = parse_signature(heading)
    assert (signature.name, parameters(heading), signature.returns) == SIGNATURES[heading]


def test_doubtful_headings_say_what_is_doubtful() -> None:
    assert parse_signature("F(two words)").problems == ("parameters-damaged",)
    assert parse_signature("F($a, $a)").problems == ("parameter-twice",)
    assert parse_signature("2Go()").problems == ("name-starts-with-digit",)


@given(st.text(alphabet="aB2 $:=,()[]'\"*/->é🗂\t", max_size=40))
def test_every_heading_has_a_name(text: str) -> None:
    assert parse_signature(text).name


CODE = '''
import x
@playbook
def first(a: int = 1, *, b) -> str:
    """What it does.

    And more."""
@playbook(triggers=["T1:CND x"], owner="desk")
async def second(): "\\d"
@x.playbook()
def third(a, /, *args, c=2): ...
def helper(): ...
'''


def test_functions_are_read_without_running_them() -> None:
    assert python_functions(CODE) == (
        PythonFunction(
            "first",
            (Parameter("a", is_state=False, type="int", default="1"), Parameter("b", is_state=False)),
            "What it does.",
        ),
        PythonFunction("second", (), "\\d", is_async=True, triggers=("T1:CND x",), metadata=(("owner", "desk"),)),
        PythonFunction("third", (Parameter("a", is_state=False), Parameter("c", is_state=False, default="2")), ""),
    )


@pytest.mark.parametrize("code", ["def f(:", "$x = 1", "\0", "(" * 3000, "\ud800"])
def test_code_that_cannot_be_parsed_has_no_functions(code: str) -> None:
    assert python_functions(code) == ()


RENAMES = {
    "Old($x)": "New($x)",
    "$r = Old($x)": "$r = New($x)",
    "Run `Old($x)` and `Old()`": "Run `New($x)` and `New()`",
    "$r = Old with: a=1": "$r = New with: a=1",
    "Desk.Old()": "Desk.New()",
    "Other.Old()": "Other.Old()",
    'Tell user "Old(1)"': 'Tell user "Old(1)"',
    "The Old way, BoldOld(1), $Old(1)": "The Old way, BoldOld(1), $Old(1)",
}


@pytest.mark.parametrize("text", RENAMES)
def test_only_written_calls_are_renamed(text: str) -> None:
    assert TextChange(rename_calls(text, "Old", "New", agent="Desk")).apply(text) == RENAMES[text]


def test_a_call_by_an_agent_in_a_variable_is_renamed_where_one_agent_alone_has_the_name() -> None:
    for is_only, wanted in ((False, "$it.Old(1)"), (True, "$it.New(1)")):
        assert (
            TextChange(rename_calls("$it.Old(1)", "Old", "New", "Desk", is_only=is_only)).apply("$it.Old(1)") == wanted
        )
