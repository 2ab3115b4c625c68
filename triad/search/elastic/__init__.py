"""A label index in Elasticsearch, for graphs of millions of names and for several machines.

`triad.search.elastic.index` searches, `~triad.search.elastic.filling` builds; both speak to any Elasticsearch 8 or 9
without plugins.
"""
