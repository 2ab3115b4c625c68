"""Examples from experience: questions of a graph with their queries, of which the nearest are shown to the generalist.

A file of pairs in any format of `triad.datasets` is read (`pairs`), and for each question the nearest pairs are chosen
(`nearest`) and put into the words of a prompt: mentions in place of IRIs (`adapting`). They stand in the place of the
examples that a prompt file has itself.
"""
