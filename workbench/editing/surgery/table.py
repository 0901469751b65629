"""What carries out each operation on steps."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.editing import commands
from workbench.editing.edit_plan import Verb
from workbench.editing.surgery import branches, disabling, exactness, extracting, inlining, loops, parts

VERBS: Mapping[type, Verb] = {
    commands.InvertCondition: (branches.refuse_invert, branches.plan_invert),
    commands.SwapBranches: (branches.refuse_swap, branches.plan_swap),
    commands.ConvertBranch: (branches.refuse_convert, branches.plan_convert),
    commands.AddOtherwise: (branches.refuse_otherwise, branches.plan_otherwise),
    commands.ChangeLoop: (loops.refuse, loops.plan),
    commands.DisableSteps: (disabling.refuse_disable, disabling.plan_disable),
    commands.EnableSteps: (disabling.refuse_enable, disabling.plan_enable),
    commands.SplitStep: (parts.refuse_split, parts.plan_split),
    commands.JoinSteps: (parts.refuse_join, parts.plan_join),
    commands.SortSteps: (parts.refuse_sort, parts.plan_sort),
    commands.MakeExact: (exactness.refuse, exactness.plan),
    commands.ExtractPlaybook: (extracting.refuse, extracting.plan),
    commands.InlineCall: (inlining.refuse, inlining.plan),
}
"""In markdown."""

LIST_VERBS: Mapping[type, Verb] = {each: VERBS[each] for each in (commands.DisableSteps, commands.EnableSteps)}
"""In a step list."""
