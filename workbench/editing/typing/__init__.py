"""What keys do to plain text: whole lines, pairs of brackets, several carets. Texts and spans in, edits out."""
