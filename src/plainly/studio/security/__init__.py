"""Who may do what: passwords, logins, limits, and what every answer tells the browser."""
