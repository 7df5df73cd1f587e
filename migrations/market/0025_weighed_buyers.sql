-- Reputation and quality weigh buyers who paid, not events: what one buyer does often weighs as once, and the weight grows
-- with what the buyer paid to others. A job sets the weights; triggers keep every sum by the difference.

-- Whoever has paid for a delivery: an agent, or the wallet address of a payer without a key.
CREATE TABLE paying_buyers (
  buyer TEXT PRIMARY KEY CHECK (length(buyer) BETWEEN 1 AND 100),
  -- What sellers have of it after escrow, where the two are known to be apart.
  released_cents INTEGER NOT NULL DEFAULT 0 CHECK (released_cents >= 0),
  -- The same when its weights were set last.
  weighed_cents INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
-- A weight follows the logarithm of the sum: a quarter more is worth setting it again.
CREATE INDEX paying_buyers_to_weigh ON paying_buyers (buyer)
  WHERE released_cents * 4 > weighed_cents * 5 OR released_cents < weighed_cents;

-- What one such buyer had of one seller, in days on which it happened. Whoever never paid has no row.
CREATE TABLE seller_buyers (
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id) ON DELETE CASCADE,
  buyer TEXT NOT NULL REFERENCES paying_buyers (buyer),
  first_day TEXT NOT NULL,
  delivered_days INTEGER NOT NULL DEFAULT 0 CHECK (delivered_days >= 0),
  failed_days INTEGER NOT NULL DEFAULT 0 CHECK (failed_days >= 0),
  refused_days INTEGER NOT NULL DEFAULT 0 CHECK (refused_days >= 0),
  delivered_on TEXT,
  failed_on TEXT,
  refused_on TEXT,
  -- Of its ratings, those that count.
  ratings INTEGER NOT NULL DEFAULT 0 CHECK (ratings >= 0),
  stars INTEGER NOT NULL DEFAULT 0 CHECK (stars BETWEEN ratings AND 5 * ratings),
  -- Of `paying_buyers.released_cents`, what went to this seller.
  released_cents INTEGER NOT NULL DEFAULT 0 CHECK (released_cents >= 0),
  -- In thousandths. Sums of integers do not drift.
  weight INTEGER NOT NULL DEFAULT 0 CHECK (weight BETWEEN 0 AND 1000),
  is_weighed INTEGER NOT NULL DEFAULT 0 CHECK (is_weighed IN (0, 1)),
  PRIMARY KEY (seller_id, buyer)
) STRICT, WITHOUT ROWID;
CREATE INDEX seller_buyers_of_buyer ON seller_buyers (buyer);
CREATE INDEX seller_buyers_by_first_day ON seller_buyers (seller_id, first_day, weight);
CREATE INDEX seller_buyers_to_weigh ON seller_buyers (seller_id, buyer) WHERE is_weighed = 0;

-- What one buyer says of one listing, however often.
CREATE TABLE listing_raters (
  listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
  buyer TEXT NOT NULL,
  seller_id TEXT NOT NULL,
  ratings INTEGER NOT NULL CHECK (ratings >= 0),
  stars INTEGER NOT NULL CHECK (stars BETWEEN ratings AND 5 * ratings),
  -- That of the buyer at this seller.
  weight INTEGER NOT NULL CHECK (weight BETWEEN 0 AND 1000),
  PRIMARY KEY (listing_id, buyer)
) STRICT, WITHOUT ROWID;
CREATE INDEX listing_raters_of_buyer ON listing_raters (seller_id, buyer);

-- In thousandths of a buyer; of the stars, their mean for each buyer.
ALTER TABLE sellers ADD COLUMN delivered_weight INTEGER NOT NULL DEFAULT 0 CHECK (delivered_weight >= 0);
ALTER TABLE sellers ADD COLUMN failed_weight INTEGER NOT NULL DEFAULT 0 CHECK (failed_weight >= 0);
ALTER TABLE sellers ADD COLUMN rated_weight INTEGER NOT NULL DEFAULT 0 CHECK (rated_weight >= 0);
ALTER TABLE sellers ADD COLUMN stars_weight INTEGER NOT NULL DEFAULT 0 CHECK (stars_weight >= 0);
-- The share of queries that a seller refuses, in days of its paying buyers.
ALTER TABLE sellers ADD COLUMN delivered_days INTEGER NOT NULL DEFAULT 0 CHECK (delivered_days >= 0);
ALTER TABLE sellers ADD COLUMN refused_days INTEGER NOT NULL DEFAULT 0 CHECK (refused_days >= 0);
ALTER TABLE listings ADD COLUMN rated_weight INTEGER NOT NULL DEFAULT 0 CHECK (rated_weight >= 0);
ALTER TABLE listings ADD COLUMN stars_weight INTEGER NOT NULL DEFAULT 0 CHECK (stars_weight >= 0);

CREATE TRIGGER seller_buyers_added AFTER INSERT ON seller_buyers BEGIN
  UPDATE sellers SET failed_count = failed_count + NEW.failed_days, delivered_days = delivered_days + NEW.delivered_days,
      refused_days = refused_days + NEW.refused_days
    WHERE agent_id = NEW.seller_id;
END;
CREATE TRIGGER seller_buyers_changed AFTER UPDATE ON seller_buyers BEGIN
  UPDATE sellers SET
      failed_count = failed_count + NEW.failed_days - OLD.failed_days,
      delivered_days = delivered_days + NEW.delivered_days - OLD.delivered_days,
      refused_days = refused_days + NEW.refused_days - OLD.refused_days,
      delivered_weight = delivered_weight
        + NEW.weight * NEW.delivered_days / MAX(1, NEW.delivered_days + NEW.failed_days)
        - OLD.weight * OLD.delivered_days / MAX(1, OLD.delivered_days + OLD.failed_days),
      failed_weight = failed_weight
        + NEW.weight * NEW.failed_days / MAX(1, NEW.delivered_days + NEW.failed_days)
        - OLD.weight * OLD.failed_days / MAX(1, OLD.delivered_days + OLD.failed_days),
      rated_weight = rated_weight + NEW.weight * (NEW.ratings > 0) - OLD.weight * (OLD.ratings > 0),
      stars_weight = stars_weight + NEW.weight * NEW.stars / MAX(1, NEW.ratings)
        - OLD.weight * OLD.stars / MAX(1, OLD.ratings)
    WHERE agent_id = NEW.seller_id;
END;
CREATE TRIGGER seller_buyers_weighed AFTER UPDATE OF weight ON seller_buyers WHEN NEW.weight <> OLD.weight BEGIN
  UPDATE listing_raters SET weight = NEW.weight WHERE seller_id = NEW.seller_id AND buyer = NEW.buyer;
END;
CREATE TRIGGER listing_raters_added AFTER INSERT ON listing_raters BEGIN
  UPDATE listings SET rated_weight = rated_weight + NEW.weight * (NEW.ratings > 0),
      stars_weight = stars_weight + NEW.weight * NEW.stars / MAX(1, NEW.ratings)
    WHERE id = NEW.listing_id;
END;
CREATE TRIGGER listing_raters_changed AFTER UPDATE ON listing_raters BEGIN
  UPDATE listings SET rated_weight = rated_weight + NEW.weight * (NEW.ratings > 0) - OLD.weight * (OLD.ratings > 0),
      stars_weight = stars_weight + NEW.weight * NEW.stars / MAX(1, NEW.ratings)
        - OLD.weight * OLD.stars / MAX(1, OLD.ratings)
    WHERE id = NEW.listing_id;
END;

-- Whose purchase it is. NULL: nobody's who could be told from others.
CREATE VIEW purchase_buyers AS
SELECT p.id AS purchase_id, p.seller_id, p.amount_cents, p.delivered_at,
  COALESCE(p.buyer_id, (SELECT payer FROM usdc_payments WHERE purchase_id = p.id)) AS buyer
FROM purchases AS p
WHERE p.content_digest IS NOT NULL AND (SELECT is_platform FROM agents WHERE id = p.seller_id) = 0;

-- Every rail records a delivery by one of these two statements. What is free counts for who paid somewhere before.
CREATE TRIGGER purchases_delivered_at_once AFTER INSERT ON purchases
WHEN NEW.content_digest IS NOT NULL AND (NEW.buyer_id IS NOT NULL OR NEW.amount_cents > 0)
BEGIN
  INSERT INTO paying_buyers (buyer) SELECT buyer FROM purchase_buyers
    WHERE purchase_id = NEW.id AND amount_cents > 0 AND buyer IS NOT NULL ON CONFLICT DO NOTHING;
  INSERT INTO seller_buyers (seller_id, buyer, first_day, delivered_days, delivered_on)
    SELECT seller_id, buyer, substr(delivered_at, 1, 10), 1, substr(delivered_at, 1, 10) FROM purchase_buyers
    WHERE purchase_id = NEW.id AND buyer IN (SELECT buyer FROM paying_buyers)
    ON CONFLICT DO UPDATE SET delivered_days = delivered_days + (delivered_on IS NOT excluded.delivered_on),
      delivered_on = excluded.delivered_on;
END;
CREATE TRIGGER purchases_delivered AFTER UPDATE OF content_digest ON purchases
WHEN OLD.content_digest IS NULL AND NEW.content_digest IS NOT NULL
BEGIN
  INSERT INTO paying_buyers (buyer) SELECT buyer FROM purchase_buyers
    WHERE purchase_id = NEW.id AND amount_cents > 0 AND buyer IS NOT NULL ON CONFLICT DO NOTHING;
  INSERT INTO seller_buyers (seller_id, buyer, first_day, delivered_days, delivered_on)
    SELECT seller_id, buyer, substr(delivered_at, 1, 10), 1, substr(delivered_at, 1, 10) FROM purchase_buyers
    WHERE purchase_id = NEW.id AND buyer IN (SELECT buyer FROM paying_buyers)
    ON CONFLICT DO UPDATE SET delivered_days = delivered_days + (delivered_on IS NOT excluded.delivered_on),
      delivered_on = excluded.delivered_on;
END;

-- Money that is in escrow may still come back; what house and affiliated parties pay each other says nothing.
CREATE TRIGGER purchases_released AFTER UPDATE OF status ON purchases
WHEN NEW.status = 'released' AND OLD.status <> 'released' AND NEW.amount_cents > 0
  AND (SELECT class FROM settled_purchases WHERE purchase_id = NEW.id) IN ('apart', 'anonymous')
BEGIN
  UPDATE paying_buyers SET released_cents = released_cents + NEW.amount_cents
    WHERE buyer = (SELECT buyer FROM purchase_buyers WHERE purchase_id = NEW.id);
  UPDATE seller_buyers SET released_cents = released_cents + NEW.amount_cents
    WHERE seller_id = NEW.seller_id AND buyer = (SELECT buyer FROM purchase_buyers WHERE purchase_id = NEW.id);
END;

-- A rating of a refunded purchase is kept and not counted. Its attestation is signed anew by a job.
ALTER TABLE ratings ADD COLUMN is_refunded INTEGER NOT NULL DEFAULT 0 CHECK (is_refunded IN (0, 1));
CREATE INDEX ratings_refunded ON ratings (listing_id) WHERE is_refunded = 1;
CREATE INDEX ratings_to_attest ON ratings (purchase_id)
  WHERE is_refunded = 1 AND attestation ->> '$.statement.refunded' IS NULL;
DROP TRIGGER ratings_added;
DROP TRIGGER ratings_changed;
CREATE TRIGGER ratings_added AFTER INSERT ON ratings WHEN NEW.is_refunded = 0 BEGIN
  UPDATE listings SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.rating
    WHERE id = NEW.listing_id;
  UPDATE sellers SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.rating
    WHERE agent_id = NEW.seller_id;
  UPDATE seller_buyers SET ratings = ratings + 1, stars = stars + NEW.rating
    WHERE seller_id = NEW.seller_id AND buyer = NEW.buyer_id;
  INSERT INTO listing_raters (listing_id, buyer, seller_id, ratings, stars, weight)
    SELECT NEW.listing_id, buyer, seller_id, 1, NEW.rating, weight FROM seller_buyers
    WHERE seller_id = NEW.seller_id AND buyer = NEW.buyer_id
    ON CONFLICT DO UPDATE SET ratings = ratings + 1, stars = stars + excluded.stars;
END;
CREATE TRIGGER ratings_changed AFTER UPDATE OF rating, is_refunded ON ratings
WHEN NEW.rating <> OLD.rating OR NEW.is_refunded <> OLD.is_refunded
BEGIN
  UPDATE listings SET rating_count = rating_count + OLD.is_refunded - NEW.is_refunded,
      rating_sum = rating_sum + NEW.rating * (1 - NEW.is_refunded) - OLD.rating * (1 - OLD.is_refunded)
    WHERE id = NEW.listing_id;
  UPDATE sellers SET rating_count = rating_count + OLD.is_refunded - NEW.is_refunded,
      rating_sum = rating_sum + NEW.rating * (1 - NEW.is_refunded) - OLD.rating * (1 - OLD.is_refunded)
    WHERE agent_id = NEW.seller_id;
  UPDATE seller_buyers SET ratings = ratings + OLD.is_refunded - NEW.is_refunded,
      stars = stars + NEW.rating * (1 - NEW.is_refunded) - OLD.rating * (1 - OLD.is_refunded)
    WHERE seller_id = NEW.seller_id AND buyer = NEW.buyer_id;
  UPDATE listing_raters SET ratings = ratings + OLD.is_refunded - NEW.is_refunded,
      stars = stars + NEW.rating * (1 - NEW.is_refunded) - OLD.rating * (1 - OLD.is_refunded)
    WHERE listing_id = NEW.listing_id AND buyer = NEW.buyer_id;
END;

-- Every refund of every rail ends here; a bank may also take back what its seller was paid for already.
CREATE TRIGGER ratings_of_refunded AFTER UPDATE OF status ON purchases
WHEN NEW.status = 'refunded' AND OLD.status <> 'refunded'
BEGIN
  UPDATE ratings SET is_refunded = 1 WHERE purchase_id = NEW.id;
END;
CREATE TRIGGER ratings_of_charged_back AFTER INSERT ON chargebacks
WHEN NEW.status = 'lost' AND NEW.purchase_id IS NOT NULL
BEGIN
  UPDATE ratings SET is_refunded = 1 WHERE purchase_id = NEW.purchase_id;
END;
CREATE TRIGGER ratings_of_charged_back_later AFTER UPDATE OF status ON chargebacks
WHEN NEW.status = 'lost' AND NEW.purchase_id IS NOT NULL
BEGIN
  UPDATE ratings SET is_refunded = 1 WHERE purchase_id = NEW.purchase_id;
END;

-- What there is already. Failures were counted without saying whose they were: only orders that were never shipped can be
-- told, and count on.
UPDATE sellers SET failed_count = 0;
INSERT INTO paying_buyers (buyer) SELECT DISTINCT buyer FROM purchase_buyers
  WHERE amount_cents > 0 AND buyer IS NOT NULL;
INSERT INTO seller_buyers (seller_id, buyer, first_day, delivered_days, delivered_on, failed_days, failed_on,
    released_cents)
  SELECT b.seller_id, b.buyer, MIN(substr(b.delivered_at, 1, 10)),
    COUNT(DISTINCT CASE WHEN y.failure IS NOT 'not_shipped' THEN substr(b.delivered_at, 1, 10) END),
    MAX(substr(b.delivered_at, 1, 10)),
    COUNT(DISTINCT CASE WHEN y.failure = 'not_shipped' THEN substr(y.refund_requested_at, 1, 10) END),
    MAX(CASE WHEN y.failure = 'not_shipped' THEN substr(y.refund_requested_at, 1, 10) END),
    COALESCE(SUM(CASE WHEN s.status = 'released' AND s.class IN ('apart', 'anonymous') THEN s.amount_cents END), 0)
  FROM purchase_buyers AS b LEFT JOIN payments AS y ON y.purchase_id = b.purchase_id
    LEFT JOIN settled_purchases AS s ON s.purchase_id = b.purchase_id
  WHERE b.buyer IN (SELECT buyer FROM paying_buyers)
  GROUP BY b.seller_id, b.buyer;
UPDATE paying_buyers SET released_cents = paid.cents
  FROM (SELECT buyer, SUM(released_cents) AS cents FROM seller_buyers GROUP BY buyer) AS paid
  WHERE paid.buyer = paying_buyers.buyer;
-- The ratings were counted before the tables by buyer existed.
UPDATE seller_buyers SET ratings = rated.ratings, stars = rated.stars
  FROM (SELECT seller_id, buyer_id, COUNT(*) AS ratings, SUM(rating) AS stars FROM ratings GROUP BY 1, 2) AS rated
  WHERE rated.seller_id = seller_buyers.seller_id AND rated.buyer_id = seller_buyers.buyer;
INSERT INTO listing_raters (listing_id, buyer, seller_id, ratings, stars, weight)
  SELECT listing_id, buyer_id, seller_id, COUNT(*), SUM(rating), 0 FROM ratings GROUP BY 1, 2, 3;
UPDATE ratings SET is_refunded = 1 WHERE EXISTS (SELECT 1 FROM purchases WHERE id = purchase_id AND status = 'refunded')
  OR EXISTS (SELECT 1 FROM chargebacks WHERE chargebacks.purchase_id = ratings.purchase_id AND status = 'lost');
