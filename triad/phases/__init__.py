"""The four phases of answering a question.

A phase that asks the model raises what `triad.phases.context.Context.call` does, and all of them raise a
`ServiceError` where the graph or the index fails.
"""
