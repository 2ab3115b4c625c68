"""Worker processes: work that may hang, take all memory or crash is done in a process that can be killed.

An engine for queries has no timeout that it always heeds, and a parser takes what memory a file makes it take. So each
such program runs in a process of its own, with an alarm that ends it whatever it is doing and a cap on its memory.

- `program` is what runs there: it imports nothing of Triad, loads the file of one job, and calls its ``main``.
- `pool` is a worker from its parent's side, its pipes, its end and its last message; and it runs queries in up to a
  fixed number of them, and tells what each may take of the memory by default.
"""
