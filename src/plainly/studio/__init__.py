"""The studio: collect human judgements in the browser, and see results while they come in.

store     what is kept: tables, transactions, migrations, backups
kinds     one folder a kind of campaign: what it reads, shows, accepts, exports and computes (by asking a study)
security  passwords, sessions, links, limits, headers
api       JSON for everything that the pages do
pages     the same data as HTML
"""
