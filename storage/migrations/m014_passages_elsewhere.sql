ALTER TABLE collections ADD COLUMN elsewhere TEXT NOT NULL DEFAULT 'unknown'
    CHECK (elsewhere IN ('unknown', 'allowed', 'refused'));
