-- what users spent of their budgets; it stays when their turns are erased, and goes with the user
CREATE TABLE spending (
    user TEXT NOT NULL COLLATE NOCASE REFERENCES users (name) ON DELETE CASCADE,
    -- on which their runs ended, in UTC
    day TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (user, day)
);
-- model tokens a day; NULL: as many as the server allows everybody
ALTER TABLE users ADD COLUMN budget INTEGER CHECK (budget > 0);
