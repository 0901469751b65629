"""The guide in the window: a page as rich text, and the pane that shows the pages."""
