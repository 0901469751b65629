"""Playbooks that other programs call as tools; each call is a run with its journal."""
