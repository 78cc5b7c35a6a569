"""What every title stands on: steps, rules, dice, events, views, records. Knows no game."""
