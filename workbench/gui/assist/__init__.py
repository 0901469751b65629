"""Lists and tips beside a field that somebody writes in. What stands in them is worked out without Qt."""
