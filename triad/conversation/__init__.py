"""Several turns over one graph, in the user's language.

A question is understood in the context of the turns before it, answered by the agent, and the reply is a sentence.
Follow-ups on the last answer, such as "only those in Germany", change its query. Each turn is kept whole.
"""

from triad.conversation.conversation import Conversation
from triad.conversation.store import Store, Stored
from triad.conversation.turns import Interpretation, Turn

__all__ = ["Conversation", "Interpretation", "Store", "Stored", "Turn"]
