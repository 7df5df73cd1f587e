-- What a purchase without a key asked for is stored only while somebody can have it answered again: nobody can for a
-- free one. For a paid one, its link can for a time; this finds those whose time is over.
UPDATE purchases SET query = NULL WHERE buyer_id IS NULL AND amount_cents = 0 AND query IS NOT NULL;

CREATE INDEX purchases_keyless_queries ON purchases (status, delivered_at)
  WHERE buyer_id IS NULL AND query IS NOT NULL;
