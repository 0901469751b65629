"""From a goal to a playbook: the form in which it is described, and the pane that follows it stage by stage."""
