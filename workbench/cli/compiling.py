"""``workbench compile FILE``: the assembly of a playbook file, and where each of its lines comes from."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from workbench.cli.reading import ReadProgram, add_import_option, files_named, of_ours, read_program
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, complain, show_exactly, show_json
from workbench.disk.outputs import write_output
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.assembly.compiling import Assembly, AssemblyOrigin, compile_assembly
from workbench.syntax.text import SourceText


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "compile",
        _("print the assembly of a playbook file"),
        "compile playbooks/refund.md --map",
        _("Compiling needs no model: the same text always gives the same assembly."),
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help=_("several files, or a pattern such as desk/**/*.pb, are one program"),
    )
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help=_("write to OUT"))
    parser.add_argument("--map", action="store_true", help=_("print JSON: the assembly and the source of each line"))
    add_import_option(parser)
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Print or write the assembly."""
    program = of_ours(read_program(files_named(options.files), options.import_from))
    if program.snapshot.program.format.is_graph:
        raise CannotRead(
            _("This is a graph (playbook.v2). Graphs have no assembly; print their edges with: workbench graph.")
        )
    for finding in program.findings:
        path, line, column = program.place(finding.span.start)
        complain(f"{path}:{line}:{column}: {finding.message}")
    assembly = _with_files(compile_assembly(program.snapshot), program)
    if options.map:
        show_json({"assembly": assembly.text, "lines": line_map(assembly)})
    elif options.output is None:
        show_exactly(assembly.text)
    if options.output is not None:
        write_output(options.output, SourceText(assembly.text).encode())
    return FINDINGS if program.errors else FINE


def _with_files(assembly: Assembly, program: ReadProgram) -> Assembly:
    """*assembly* with lines of the files that the program was read from."""
    if not program.origins:
        return assembly
    return Assembly(assembly.text, tuple(_in_file(origin, program) for origin in assembly.origins))


def _in_file(origin: AssemblyOrigin, program: ReadProgram) -> AssemblyOrigin:
    at = program.origins[min(origin.source_line, len(program.origins)) - 1]
    file = "" if at.file == program.path else str(at.file)
    return replace(origin, source_line=at.line, file=file)


def line_map(assembly: Assembly) -> list[dict[str, object]]:
    """One entry per line of assembly, both line numbers 1-based; *file* where it is not the first one."""
    return [
        {
            "assembly_line": number,
            "source_line": origin.source_line,
            "step": origin.step,
            "playbook": origin.playbook,
            **({"file": origin.file} if origin.file else {}),
        }
        for number, origin in enumerate(assembly.origins, 1)
    ]
