"""What helps somebody who writes: completions, what stands under the pointer, and the parameters of a call.

Values in, values out: a snapshot, an offset in its text, and what is known beside it. Whoever shows them (the source,
the field on a block, the insert box) decides when to ask; nothing here knows a widget.
"""
