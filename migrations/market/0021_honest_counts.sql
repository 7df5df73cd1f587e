-- How many bought a listing: each paid purchase, and each agent that took it for free once. `purchase_count` has every
-- purchase, which for a free listing anybody can make as often as they like.
ALTER TABLE listings ADD COLUMN popularity INTEGER NOT NULL DEFAULT 0 CHECK (popularity >= 0);

CREATE INDEX purchases_free_of_buyer ON purchases (buyer_id, seller_id, listing_id)
  WHERE buyer_id IS NOT NULL AND amount_cents = 0;

UPDATE listings SET popularity = bought.number FROM (
  SELECT listing_id, SUM(amount_cents > 0) + COUNT(DISTINCT CASE amount_cents WHEN 0 THEN buyer_id END) AS number
    FROM purchases WHERE content_digest IS NOT NULL GROUP BY listing_id) AS bought
  WHERE bought.listing_id = listings.id;

-- What an endpoint's URL is, however it is written: no two sellers have the same. NULL where it is called for nobody else:
-- a polled one is never called, and one on the marketplace's own machine belongs to who runs that. Of sellers that had one
-- URL before, the first keeps it; the others are asked there until they register another.
ALTER TABLE delivery_endpoints ADD COLUMN callback_key TEXT;
UPDATE delivery_endpoints AS this SET callback_key = callback_url
  WHERE callback_type <> 'polling' AND callback_url NOT LIKE 'http:%' AND NOT EXISTS (
    SELECT 1 FROM delivery_endpoints AS earlier
    WHERE earlier.callback_url = this.callback_url AND earlier.callback_type <> 'polling'
      AND (earlier.verified_at, earlier.seller_id) < (this.verified_at, this.seller_id));
CREATE UNIQUE INDEX delivery_endpoints_once ON delivery_endpoints (callback_key) WHERE callback_key IS NOT NULL;
