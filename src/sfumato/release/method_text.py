"""What does each method do, and why would one choose it? Sentences for reports."""

from __future__ import annotations

from sfumato.release.plan import MethodName

DONE = {
    MethodName.FULL_DOMAIN: (
        "Every value of a quasi-identifier was replaced by its ancestor at one level of its hierarchy, the same "
        "level for all rows; rows whose class broke a promise were suppressed."
    ),
    MethodName.LOCAL_RECODING: (
        "Rows with similar quasi-identifiers were grouped; each group publishes the narrowest ranges and sets (or "
        "hierarchy nodes) that cover its members."
    ),
    MethodName.MONDRIAN: (
        "The table was cut again and again at the median of its widest quasi-identifier, as long as both parts kept "
        "every promise; each part publishes ranges and sets that cover its members."
    ),
    MethodName.CELL_SUPPRESSION: "Single cells of the quasi-identifiers were replaced by `*` until every promise held.",
    MethodName.MICROAGGREGATION: (
        "Rows that are near to each other were put into groups of at least k; each row publishes the mean (or median) "
        "of the numbers of its group and the lowest hierarchy node that holds its categories."
    ),
    MethodName.FIXED: "The levels given in the plan were applied; rows whose class broke a promise were suppressed.",
    MethodName.ANATOMY: (
        "Rows were laid out by sensitive value and dealt into buckets in turn; one table publishes each row with its "
        "quasi-identifiers as they are and its bucket, a second one how often each sensitive value occurs in each bucket."
    ),
    MethodName.BUCKETIZATION: (
        "Rows were cut into buckets without a look at their sensitive values; one table publishes each row with its "
        "quasi-identifiers as they are and its bucket, a second one how often each sensitive value occurs in each bucket."
    ),
    MethodName.NONE: "No quasi-identifier was recoded; only the columns listed as perturbed were changed.",
    MethodName.SAFEPUB: (
        "Each row was sampled by a coin, every value recoded to one level of its hierarchy, and only classes with enough "
        "sampled rows were published; the other rows were left out and the rest shuffled."
    ),
    MethodName.TUPLE_INSERTION: (
        "Every distinct tuple of the table was published by a coin, and every other tuple of the declared domain too, "
        "with a smaller chance; the published ones stand in the order of the domain."
    ),
}

WHY = {
    MethodName.FULL_DOMAIN: (
        "One coding for the whole table keeps every statistic simple to compute and to explain; among all "
        "combinations of levels the one with the least loss was taken."
    ),
    MethodName.LOCAL_RECODING: (
        "Each group is recoded only as far as it needs, so that far less information is lost than with one coding "
        "for all rows; ranges of different groups may overlap."
    ),
    MethodName.MONDRIAN: "Cuts adapt to where people are many, are fast on large tables, and need no suppression.",
    MethodName.CELL_SUPPRESSION: "Most cells stay exactly as they were; only rare combinations lose some of theirs.",
    MethodName.MICROAGGREGATION: (
        "Numbers stay numbers, so that whoever analyzes the release computes with it as with the original; means of "
        "columns stay nearly exact, only variation inside the groups is lost."
    ),
    MethodName.FIXED: "The same coding as an earlier release keeps the two comparable.",
    MethodName.ANATOMY: (
        "Statistics of the quasi-identifiers stay exact, and so do those of the sensitive column; only their link is hidden."
    ),
    MethodName.BUCKETIZATION: (
        "It is simple, and shows what a promise on sizes alone leaves open: a bucket may hold one value only."
    ),
    MethodName.NONE: "Protection rests on what was done to single columns, and on who may see the table.",
    MethodName.SAFEPUB: (
        "The published rows are true, and yet nobody can tell from them whether a person was in the table: the promise is "
        "differential privacy and does not depend on what an intruder knows."
    ),
    MethodName.TUPLE_INSERTION: (
        "Any number of counts can be estimated from one published table, without paying again; a tuple in it may be true "
        "or inserted."
    ),
}
