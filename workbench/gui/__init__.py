"""Everything that knows Qt."""

from workbench.gui.overrides import guard_overrides

guard_overrides()  # before any class of ours is made
