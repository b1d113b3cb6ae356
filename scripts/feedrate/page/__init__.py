"""How the report looks: its words in a language, drawings, tables, and the page around them."""
