"""Play over the net: games, seats and spectators over HTTP and websockets."""
