-- who did what, for admins: written in the transaction that does it
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    -- a user, a hashed visitor, or 'local'
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    -- names and ids, no text of people
    subject TEXT NOT NULL
);
