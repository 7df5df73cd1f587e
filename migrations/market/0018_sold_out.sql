-- Browsing no longer shows what is sold out: documents of such listings, written before, are taken out by the next sweep.
UPDATE search_outbox SET mark = mark + 1 WHERE listing_id IN (
  SELECT id FROM listings WHERE status = 'active' AND listing_type <> 'standard'
    AND sold_count >= COALESCE(max_copies, 1)
);
