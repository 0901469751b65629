"""Playbook Workbench: write, see, run, check and grow agent playbooks."""

__version__ = "0.1.0"
