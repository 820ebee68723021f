"""Random statements: of the grammar that is answered, with other clauses among them, with words changed, with trees changed."""

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError


def _listed(text):
    """What stands between the bars."""
    return tuple(item.strip() for item in text.split("¦"))


NUMBERS = ("age", "pay", "AGE", '"pay"', "t.age", "t.pay", "T.Age")
TEXTS = ("sex", "town", "flag", "t.sex", '"town"', "free")
LITERALS = ("0", "18", "60", "120", "-3", "2.5", "+7", "1e1", "7.", ".5", "-0.0", "- 2", "999", "5e-1", "007", "1_0")
WORDS = {
    "sex": ("'F'", "'M'"),
    "town": ("'A'", "'B'", "'o''Z'"),
    "flag": ("TRUE", "false", "'true'"),
    "region": ("'n'", "'s'"),
    "free": ("'x'", "'q'", "''"),
}
ODD_WORDS = ("'f'", "''", "'F '", "'-- F'", "'A'", "'t'", "'1'")
ODD_VALUES = _listed("""
    NULL ¦ TRUE ¦ pay ¦ '5' ¦ 0x10 ¦ 1/2 ¦ 5 + 5 ¦ (5) ¦ - -5 ¦ CAST(5 AS INT) ¦ 5::INT ¦ DATE '2020-01-01' ¦ INTERVAL 1 DAY ¦
    [1] ¦ (SELECT 1) ¦ E'F' ¦ $$F$$ ¦ N'F' ¦ X'46' ¦ 'F' 'M' ¦ 'F' || '' ¦ ? ¦ $1 ¦ @x ¦ MAX(age) ¦ random() ¦ 5 COLLATE x ¦
    ALL(ARRAY[5]) ¦ ANY(ARRAY[5]) ¦ 1e400 ¦ 9007199254740993 ¦ 5 IS TRUE
""")
ODD_CONDITIONS = _listed("""
    age > 50 OR sex = 'F' ¦ NOT age > 50 ¦ age IS NULL ¦ pay IS NOT NULL ¦ sex LIKE 'F%' ¦ TRUE ¦ age ¦
    age NOT BETWEEN 1 AND 50 ¦ NOT sex NOT IN ('F') ¦ age BETWEEN SYMMETRIC 60 AND 18 ¦ (age, pay) IN ((1, 2)) ¦
    age IN (SELECT 1) ¦ EXISTS (SELECT 1) ¦ age IS DISTINCT FROM 3 ¦ age % 2 = 0 ¦ age + 1 > 3 ¦ sex = 'F' = TRUE ¦
    sex SIMILAR TO 'F' ¦ sex ~ 'F' ¦ flag ¦ NOT flag ¦ random() > 0.5 ¦ rowid > 3 ¦ age > 50 IS TRUE ¦ age <=> 3 ¦
    (age > 5) = TRUE ¦ contains(sex, 'F') ¦ sex COLLATE NOCASE = 'f' ¦ row_number() OVER () > 3 ¦ age IN (1, NULL) ¦
    5 BETWEEN age AND 70 ¦ 5 IN (age) ¦ age IN 1 ¦ sex < 'M' ¦ age > 5 AND ¦ region = 'n' ¦ size > 3 ¦ regions.region = 'n' ¦
    town.age > 3 ¦ rollup.age > 1
""")
ODD_ITEMS = _listed("""
    MAX(age) ¦ MIN(pay) ¦ SUM(DISTINCT age) ¦ COUNT(DISTINCT sex) ¦ COUNT(*) FILTER (WHERE age > 50) ¦ COUNT(*) OVER () ¦
    SUM(age) OVER (PARTITION BY sex) ¦ SUM(age ORDER BY sex) ¦ SUM(age + 1) ¦ SUM(-age) ¦ AVG(CAST(age AS INT)) ¦
    COUNT(*) + 1 ¦ ROUND(AVG(age)) ¦ COUNT(age, pay) ¦ COUNT(ALL age) ¦ COUNT(NULL) ¦ STDDEV(age) ¦ VAR_SAMP(pay) ¦
    QUANTILE(age, 0.5, 3) ¦ QUANTILE(age, [0.1, 0.5]) ¦ QUANTILE(age, 1 - 0.5) ¦ QUANTILE_CONT(age, 0.5 ORDER BY age DESC) ¦
    PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY age DESC) ¦ PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY sex, age) ¦ MODE(age) ¦
    FIRST(age) ¦ LIST(age) ¦ STRING_AGG(sex) ¦ age ¦ * ¦ t.* ¦ COLUMNS(*) ¦ 1 ¦ 'x' ¦ COUNT(t.*) ¦ SUM(age) IGNORE NULLS ¦
    (SELECT COUNT(*)) ¦ CASE WHEN age > 1 THEN 1 END ¦ MAX_BY(age, pay) ¦ GROUPING(sex) ¦ x: COUNT(*) ¦ COUNT(*) AS 'x' ¦
    APPROX_COUNT_DISTINCT(id) ¦ SUM(age)::INT ¦ COVAR_SAMP(age, pay) ¦ COVAR_POP(age, age) ¦ CORR(age, pay) ¦ SUM(sex) ¦
    AVG(pay) RESPECT NULLS ¦ COUNT(DISTINCT id, age) ¦ COUNT(DISTINCT ON (id) age) ¦ COUNT(id) ¦ EVERY(flag) ¦
    COUNT(sex IS NULL)
""")
ODD_FROM = _listed("""
    t TABLESAMPLE 10% ¦ t USING SAMPLE 10% ¦ regions ¦ (SELECT * FROM t) ¦ (VALUES (1)) AS v(age) ¦ range(10) AS t(age) ¦
    t AS x(pay, age) ¦ main.t ¦ ONLY t ¦ t, t AS b ¦ t POSITIONAL JOIN t b ¦ t WITH ORDINALITY ¦
    t PIVOT (SUM(age) FOR sex IN ('F')) ¦ t UNPIVOT (a FOR b IN (age, pay)) ¦ LATERAL t ¦ t AS regions ¦ 't' ¦ "t" ¦ t AS age ¦
    T ¦ t AT (VERSION => 1) ¦ UNNEST([1]) ¦ t FINAL ¦ t sample
""")
JOINS = _listed("""
    JOIN regions USING (town) ¦ INNER JOIN regions ON t.town = regions.town ¦ LEFT JOIN regions USING (town) ¦
    LEFT OUTER JOIN regions ON regions.town = t.town ¦ JOIN regions AS r ON t.town = r.town ¦
    left join regions r using (town)
""")
ODD_JOINS = _listed("""
    RIGHT JOIN regions USING (town) ¦ FULL JOIN regions USING (town) ¦ CROSS JOIN regions ¦ NATURAL JOIN regions ¦
    ASOF JOIN regions USING (town) ¦ SEMI JOIN regions USING (town) ¦ LEFT ANTI JOIN regions USING (town) ¦
    ANTI JOIN regions USING (town) ¦ JOIN regions ON TRUE ¦ JOIN regions ON t.town = t.town ¦
    JOIN regions ON t.town = regions.town AND age > 3 ¦ JOIN regions ON t.town < regions.town ¦
    LEFT JOIN regions USING (town) JOIN regions r USING (town) ¦ JOIN (SELECT * FROM regions) regions USING (town) ¦
    JOIN regions USING (town, region) ¦ JOIN LATERAL regions USING (town) ¦ , regions ¦ INNER LEFT JOIN regions USING (town) ¦
    JOIN t b USING (id) ¦ JOIN regions TABLESAMPLE 50% USING (town) ¦ OUTER JOIN regions USING (town) ¦
    POSITIONAL JOIN regions
""")
GROUPS = ("sex", "town", "flag", "sex, town", "t.sex, flag", '"sex"', "SEX")
ODD_GROUPS = _listed("""
    ALL ¦ 1 ¦ ROLLUP (sex) ¦ CUBE (sex, town) ¦ GROUPING SETS ((sex), ()) ¦ sex WITH ROLLUP ¦ DISTINCT sex ¦ age ¦ age % 2 ¦
    (sex) ¦ () ¦ sex, sex ¦ sex WITH TOTALS ¦ upper(sex) ¦ free ¦ sex COLLATE NOCASE ¦ *
""")
TAILS = _listed("""
    HAVING COUNT(*) > 3 ¦ QUALIFY row_number() OVER () = 1 ¦ WINDOW w AS (PARTITION BY sex) ¦ ORDER BY 1 ¦ ORDER BY ALL ¦
    LIMIT 1 ¦ LIMIT 10% ¦ OFFSET 1 ¦ FETCH FIRST 1 ROWS ONLY ¦ FOR UPDATE ¦ UNION ALL SELECT COUNT(*) FROM t ¦
    EXCEPT SELECT 1 ¦ INTERSECT SELECT 1 ¦ USING SAMPLE 3 ¦ ; SELECT 2 ¦ FORMAT JSON ¦ SETTINGS x = 1 ¦ DISTRIBUTE BY sex ¦
    CONNECT BY TRUE ¦ LATERAL VIEW explode(x) y ¦ INTO x ¦ LIMIT 0 OFFSET 0 ¦ OPTION (x) ¦ ORDER BY COUNT(*) DESC LIMIT 1
""")
HEADS = _listed("""
    SELECT DISTINCT ¦ SELECT ALL ¦ SELECT TOP 1 ¦ WITH t AS (SELECT 1 AS age) SELECT ¦ WITH x AS (SELECT 1) SELECT ¦
    EXPLAIN SELECT ¦ SELECT AS STRUCT ¦ SELECT DISTINCT ON (sex) ¦ DESCRIBE SELECT ¦ SUMMARIZE SELECT ¦ (SELECT ¦
    SELECT STRAIGHT_JOIN ¦ SELECT SQL_NO_CACHE ¦ INSERT INTO t SELECT ¦ CREATE TABLE x AS SELECT ¦ PIVOT t ON sex USING ¦
    SELECT /*+ NO_INDEX */
""")
NOISE = ("/* x */", "-- x\n", "\n", "\t", "/* /* */ */", "{# x #}", "{{ x }}", "# x\n", "// x\n", "--\r", "\xa0", "\f", "/*+ x */", ";", "\u2028", "\x00", "$$", "\\", "`x`", "[x]")  # fmt: skip


class Statements:
    """A stream of statements, the same for the same generator of chance."""

    def __init__(self, rng):
        self.rng = rng
        words = [word.upper() for (word,) in duckdb.sql("SELECT keyword_name FROM duckdb_keywords()").fetchall()]
        self.words = sorted({*words, *NUMBERS, *TEXTS, *LITERALS, *ODD_WORDS, *"(),.;*+-=<>![]{}:?|&%^~@#$"})
        found = duckdb.sql("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
        self.functions = sorted({name for (name,) in found if name.isidentifier()} | {*exp.FUNCTION_BY_NAME})
        self.kinds = [
            *exp.ALL_FUNCTIONS, exp.Order, exp.Filter, exp.Distinct, exp.Paren, exp.Not, exp.Subquery, exp.Tuple, exp.Neg, exp.Null, exp.Star,
        ]  # fmt: skip

    def __iter__(self):
        while True:
            text = self._select()
            way = self.rng.random()
            yield (
                text if way < 0.6 else self._with_words_changed(text) if way < 0.85 else self._with_a_tree_changed(text)
            )

    def _chance(self, share):
        return self.rng.random() < share

    def _any(self, usual, odd=(), share=0.04):
        return self.rng.choice(odd if odd and self._chance(share) else usual)

    def _select(self):
        """A statement; each part is odd now and then."""
        join = self._any(JOINS, ODD_JOINS, 0.2) if self._chance(0.25) else ""
        by = self._any(GROUPS, ODD_GROUPS, 0.15) if self._chance(0.35) else ""
        if join and by and self._chance(0.3):
            by = "region"
        items = [self._item(join) for _ in range(self.rng.choice((1, 1, 1, 2, 3)))]
        if by and self._chance(0.8):
            items.insert(self.rng.randint(0, len(items)), by)
        head, rows = self._any(("SELECT", "select"), HEADS), f"FROM {self._any(('t',), ODD_FROM, 0.06)} {join}"
        parts = [head, ", ".join(items), rows]
        if self._chance(0.04):
            parts = [rows, head, ", ".join(items)]
        if self._chance(0.55):
            parts.append("WHERE " + self._any(("{}", "({})")).format(self._conditions(join)))
        if by:
            parts.append(f"GROUP BY {by}")
        if self._chance(0.06):
            parts.append(self.rng.choice(TAILS))
        if self._chance(0.1):
            parts.insert(self.rng.randint(0, len(parts)), self.rng.choice(NOISE))
        return " ".join(parts)

    def _item(self, join):
        column = self._any((*NUMBERS, "size") if join else NUMBERS, TEXTS, 0.1)
        quantile = self._any(
            ("0.25", ".5", "0.9", "5e-1"), ("0", "1", "2", "-0.5", "'0.5'", "age", "[0.5]", "0.5::FLOAT", "1/2"), 0.1
        )
        item = self._any((
            "COUNT(*)", "count(1)", f"COUNT({self._any(NUMBERS + TEXTS)})", "COUNT(DISTINCT id)", f"SUM({column})", f"AVG({column})",
            f"VAR_POP({column})", f"STDDEV_POP({column})", f"COVAR_POP(age, {self._any(('pay', column))})", f"MEDIAN({column})",
            f"QUANTILE({column}, {quantile})", f"quantile_cont({column}, {quantile})", f"QUANTILE_DISC({column}, {quantile})",
            f"APPROX_QUANTILE({column}, 0.25)", f"PERCENTILE_CONT({quantile}) WITHIN GROUP (ORDER BY {column})",
            f"PERCENTILE_DISC({quantile}) WITHIN GROUP (ORDER BY {column} ASC)",
        ), (*ODD_ITEMS, f"{self.rng.choice(self.functions)}({column})", f"{self.rng.choice(self.functions)}({column}, {quantile})"), 0.12)  # fmt: skip
        return item + self._any(
            ("", "", "", " AS x", ' "y"', ' AS "a b"', " AS age", " AS sex"),
            (" AS SELECT", " AS 'x'", " y", " AS", " EXPORT_STATE"),
        )

    def _conditions(self, join):
        many = [self._condition(join) for _ in range(self.rng.choice((1, 1, 2, 3)))]
        return self._any((" AND ",), (" OR ", " XOR ", " AND NOT ", ", ", " and ")).join(many)

    def _condition(self, join):
        number, text = (
            self._any((*NUMBERS, "size") if join else NUMBERS),
            self._any((*TEXTS, "region") if join else TEXTS),
        )
        words = WORDS[text.strip('"').removeprefix("t.")]
        low, high = (self._any(LITERALS, ODD_VALUES) for _ in range(2))
        value, other = (self._any(words, ODD_VALUES + ODD_WORDS, 0.06) for _ in range(2))
        sign = self._any(
            ("=", "<>", "!=", "<", "<=", ">", ">=", "=="), ("<=>", "~", "!>", "LIKE", "IS", "+", "^", "=>")
        )
        return self._any((
            f"{number} {sign} {low}", f"{low} {sign} {number}", f"{number} BETWEEN {low} AND {high}", f"{number} IN ({low}, {high})",
            f"{text} = {value}", f"{text} <> {value}", f"{text} IN ({value}, {other})", f"{text} NOT IN ({value})",
            f"NOT {text} IN ({value})", f"({number} > {low})", "flag = TRUE", "flag IN (FALSE)", f"NOT ({number} IN ({low}))",
        ), ODD_CONDITIONS, 0.08)  # fmt: skip

    def _with_words_changed(self, text):
        """One or two words put in, left out, doubled or exchanged."""
        words = text.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split()
        for _ in range(self.rng.choice((1, 1, 2))):
            at, word = self.rng.randrange(len(words)), self.rng.choice(self.words)
            there = words[at : at + 1]
            words[at : at + 1] = self.rng.choice(
                ([word, *there], [word, *there], [*there, word], [], there * 2, [word])
            ) or ["COUNT"]
        return " ".join(words)

    def _with_a_tree_changed(self, text):
        """One argument that a node of the tree may have is set to something else."""
        try:
            tree = sqlglot.parse_one(text, read="duckdb")
            node = self.rng.choice([*tree.walk()])
            name = self.rng.choice([*node.arg_types] or ["this"])
            made = self._made(node.args.get(name))
            node.set(name, [made] if isinstance(node.args.get(name), list) or name == "expressions" else made)
            return tree.sql(dialect="duckdb")
        except (SqlglotError, AttributeError, TypeError, ValueError, KeyError, IndexError):
            return text

    def _made(self, there):
        """A node, a flag or nothing."""
        child = (
            there
            if isinstance(there, exp.Expression)
            else sqlglot.parse_one(self.rng.choice(NUMBERS + TEXTS + LITERALS + ODD_WORDS))
        )
        kind = self.rng.choice(self.kinds)
        return self.rng.choice((True, None, child, exp.Literal.number(3), exp.to_identifier("sex"), kind(this=child), kind(expressions=[child]), kind(this=child)))  # fmt: skip
