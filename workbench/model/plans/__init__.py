"""Plans: how a goal is to be reached, as values and as the steps of playbooks; and what files say about them."""
