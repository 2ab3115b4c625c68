"""The paths of the server, one module a protocol or a part of the API."""
