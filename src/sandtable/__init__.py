"""Sandtable: board wargames on the desert war of 1941-42, with every rule enforced."""

from sandtable.kernel.errors import BadMessage, Refusal, Refused
from sandtable.kernel.game import Game
from sandtable.kernel.title import Title
from sandtable.titles import names as titles
from sandtable.titles import title

__all__ = ["BadMessage", "Game", "Refusal", "Refused", "Title", "title", "titles"]
__version__ = "0.1.0"
