"""Documents beside a graph: files of a folder, split by their headings into pieces that are found and cited."""
