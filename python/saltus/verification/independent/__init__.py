"""Small cases where engines go wrong: closed forms, and equations of the textbook that scipy integrates here."""
