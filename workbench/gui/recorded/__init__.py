"""Dialogs about runs that are recorded: compared, gone on with from an earlier event, kept as tests."""
