"""How graph profiles are made: from triples as they come, or by asking an endpoint.

`counting` and `endpoint` each count in their own way; both come to the same `figures`, which become a profile.
`kept` finds one that is made.
"""
