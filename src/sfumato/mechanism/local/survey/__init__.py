"""Surveys: many questions of one person, each randomized on the person's own device.

Files: `randomizer` (the joint, and questions that are asked once), `several_answers` (several of many values), `remembered`
(questions that are asked again and again), `spent` (what a person spends on all of them), `wire` (how a whole survey
travels), `told` (what counts of one question tell), `cross` (two questions together), `power` (what a survey can see).
"""
