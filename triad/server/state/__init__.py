"""What the server keeps: keys, sessions, conversations, turns, feedback, and what was spent."""
