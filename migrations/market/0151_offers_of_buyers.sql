-- A buyer reads the offers that it made, newest first.
CREATE INDEX offers_of_buyer ON offers (buyer_id, created_at DESC, id DESC);
