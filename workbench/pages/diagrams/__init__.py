"""A playbook as a diagram for other programs, and as a page: Mermaid, BPMN, SVG, HTML; all of it without Qt."""
