-- What becomes of sales: what their buyers say of them, and what they earn.

CREATE TABLE ratings (
  -- One for each paid purchase.
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  listing_id TEXT NOT NULL REFERENCES listings (id),
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id),
  buyer_id TEXT NOT NULL REFERENCES agents (id),
  rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
  comment TEXT CHECK (length(comment) BETWEEN 1 AND 2000),
  -- With it, and only with it, the attestation can be traced to the purchase.
  salt TEXT NOT NULL CHECK (length(salt) = 36),
  attestation TEXT NOT NULL CHECK (json_type(attestation) = 'object'),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX ratings_of_listing ON ratings (listing_id, created_at DESC, purchase_id);

-- The counts of a listing and of its seller follow their ratings whoever writes those, by the difference.
CREATE TRIGGER ratings_added AFTER INSERT ON ratings BEGIN
  UPDATE listings SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.rating
    WHERE id = NEW.listing_id;
  UPDATE sellers SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.rating
    WHERE agent_id = NEW.seller_id;
END;
CREATE TRIGGER ratings_changed AFTER UPDATE OF rating ON ratings WHEN NEW.rating <> OLD.rating BEGIN
  UPDATE listings SET rating_sum = rating_sum + NEW.rating - OLD.rating WHERE id = NEW.listing_id;
  UPDATE sellers SET rating_sum = rating_sum + NEW.rating - OLD.rating WHERE agent_id = NEW.seller_id;
END;

-- What each listing's paid sales come to, by where their money is, so that reading it does not scan them.
CREATE TABLE sale_totals (
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id) ON DELETE CASCADE,
  listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('held', 'releasing', 'released')),
  sales INTEGER NOT NULL CHECK (sales >= 0),
  gross_cents INTEGER NOT NULL CHECK (gross_cents >= 0),
  fee_cents INTEGER NOT NULL CHECK (fee_cents BETWEEN 0 AND gross_cents),
  PRIMARY KEY (seller_id, listing_id, status)
) STRICT, WITHOUT ROWID;
INSERT INTO sale_totals (seller_id, listing_id, status, sales, gross_cents, fee_cents)
  SELECT seller_id, listing_id, status, COUNT(*), SUM(amount_cents), SUM(platform_fee_cents) FROM purchases
  WHERE amount_cents > 0 AND status IN ('held', 'releasing', 'released')
  GROUP BY seller_id, listing_id, status;

CREATE TRIGGER sale_totals_begun AFTER INSERT ON purchases
WHEN NEW.amount_cents > 0 AND NEW.status IN ('held', 'releasing', 'released')
BEGIN
  INSERT INTO sale_totals (seller_id, listing_id, status, sales, gross_cents, fee_cents)
    VALUES (NEW.seller_id, NEW.listing_id, NEW.status, 1, NEW.amount_cents, NEW.platform_fee_cents)
    ON CONFLICT DO UPDATE SET sales = sales + 1, gross_cents = gross_cents + excluded.gross_cents,
      fee_cents = fee_cents + excluded.fee_cents;
END;
CREATE TRIGGER sale_totals_moved AFTER UPDATE OF status, amount_cents, platform_fee_cents ON purchases
WHEN NEW.amount_cents > 0 OR OLD.amount_cents > 0
BEGIN
  UPDATE sale_totals SET sales = sales - 1, gross_cents = gross_cents - OLD.amount_cents,
      fee_cents = fee_cents - OLD.platform_fee_cents
    WHERE seller_id = OLD.seller_id AND listing_id = OLD.listing_id AND status = OLD.status AND OLD.amount_cents > 0;
  INSERT INTO sale_totals (seller_id, listing_id, status, sales, gross_cents, fee_cents)
    SELECT NEW.seller_id, NEW.listing_id, NEW.status, 1, NEW.amount_cents, NEW.platform_fee_cents
    WHERE NEW.amount_cents > 0 AND NEW.status IN ('held', 'releasing', 'released')
    ON CONFLICT DO UPDATE SET sales = sales + 1, gross_cents = gross_cents + excluded.gross_cents,
      fee_cents = fee_cents + excluded.fee_cents;
END;

-- A dashboard shows a seller's listings newest first.
CREATE INDEX listings_of_seller_by_age ON listings (seller_id, created_at DESC, id DESC);
