"""What makes the source a code editor: completion and tips, lines, brackets, folds, several carets."""
