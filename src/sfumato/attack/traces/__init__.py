"""What breaks releases and services of traces, by doing.

Files: `stays` and `clusters` (where somebody stays), `habits` (home and work), `places`, `chain`, `heat`, `portraits` (who is
who: by places, by Markov chain, by heat map, by all three), `weeks` (pseudonyms of weeks), `next_place` (where somebody goes
next), `meetings` (who knows whom), `repeated_positions` (noisy positions averaged), `background` and `unicity` (by known
visits, by random points), `holes` (what a rule hides), `dummies` (who of k walks is a person), `matchings` (who came out of a
mix zone).
"""
