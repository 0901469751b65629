"""Runs that go on from an event of another one: what that would mean, and doing it."""
