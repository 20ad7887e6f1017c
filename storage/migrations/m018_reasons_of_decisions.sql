-- why annotators differed, out of storage.annotation.gold.REASONS; '': not said
ALTER TABLE annotation_gold ADD COLUMN reason TEXT NOT NULL DEFAULT '';
-- pairs of replies side by side: nothing has made or read them since 0.1.0
DROP TABLE annotation_pair_leases;
DROP TABLE annotation_preferences;
DROP TABLE annotation_pairs;
