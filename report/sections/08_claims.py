# %% [markdown]
# ## The articles' claims, tested here
#
# Of {{ claims }} claims: {{ counts }}. A claim is *reproduced* where the whole interval measured
# here lies inside the bound at which it holds, *contradicted* where it lies wholly outside, and
# *undecided* otherwise. Whether the published size lies in the interval is a separate question,
# since the machines differ.
#
# {% for name, article in articles.items() %}
# - **{{ name }}**: {{ article.title }}{% if article.date %} ({{ article.date }}){% endif %}.
#   Measured on: {{ article.machine }}.
# {% endfor %}

# %%
from feedrate.claims.ledger import Entry
from feedrate.content.ledger_tables import ledger_table, published_table, verdict_counts
from feedrate.notebooks.results import open_as, open_json, open_table
from feedrate.page.display import Facts

# %% data=["ledger.json", "published.json"]
ledger = open_as(list[Entry], "ledger.json")
published = open_json("published.json")
Facts(
    claims=len(ledger),
    counts=verdict_counts(ledger),
    articles=published["articles"],
)

# %%
for article in published["articles"]:
    display(ledger_table(ledger, article))

# %% [markdown]
# ### The articles' own numbers beside those measured here

# %% data=["summary.csv"]
summary = open_table("summary.csv")
for table in published["tables"]:
    display(published_table(table, summary))
