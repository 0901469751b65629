"""What carries out each command in a step list."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.editing import commands
from workbench.editing.edit_plan import Verb
from workbench.editing.steplist_verbs import adding, field_verbs, moving

VERBS: Mapping[type, Verb] = {
    commands.InsertStep: (adding.refuse_step, adding.plan_step),
    commands.InsertLines: (adding.refuse_lines, adding.plan_lines),
    commands.DeleteSteps: (adding.refuse_some, adding.plan_delete),
    commands.DuplicateSteps: (adding.refuse_some, adding.plan_duplicate),
    commands.MoveSteps: (moving.refuse, moving.plan),
    commands.SetStepText: (field_verbs.refuse_words, field_verbs.plan_words),
    commands.SetStepField: (field_verbs.refuse_field, field_verbs.plan_field),
    commands.SetPlaybookField: (field_verbs.refuse_playbook_field, field_verbs.plan_playbook_field),
    commands.RenamePlaybook: (field_verbs.refuse_rename, field_verbs.plan_rename),
}
"""By command. The others are refused with a reason, but for typing and the operations that lists have."""
