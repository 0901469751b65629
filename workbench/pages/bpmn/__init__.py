"""A playbook as BPMN 2.0: a process for each playbook, with a diagram that has the places of our own flowchart."""
