-- Whose rating of a listing was removed, to be found before the buyer rates it with another purchase.
CREATE INDEX ratings_removed ON ratings (listing_id, buyer_id) WHERE is_removed = 1;
