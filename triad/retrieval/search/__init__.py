"""Search over passages by words and vectors."""
