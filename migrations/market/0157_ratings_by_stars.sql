-- How many ratings of a listing gave how many stars, counted from the index alone.
CREATE INDEX ratings_by_stars ON ratings (listing_id, rating) WHERE is_refunded = 0 AND is_removed = 0;
