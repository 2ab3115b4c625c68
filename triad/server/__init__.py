"""``triad serve``: one server, one page, every protocol that its users speak.

A request goes through `wrapping` (its id, its host, the bounds of its body), `access` (who asks), `limiting` (how
much), and a module of `routes`; `asking` answers the question in a place of `graphs` and keeps the turn in `state`.
"""
