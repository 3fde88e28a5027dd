"""The verbs of `saltus.Model` by topic: thin functions that write records; `m.describe()` shows them."""
