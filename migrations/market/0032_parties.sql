-- Two keys of one owner: what they share says so. It relates two keys, and passes nothing on to a third.

-- What an agent has that others of its owner have as well. (A payout account has one seller by its own constraint.)
-- `email` and `claim` hold a keyed hash.
CREATE TABLE party_marks (
  mark TEXT NOT NULL CHECK (mark GLOB 'wallet:?*' OR mark GLOB 'host:?*' OR mark GLOB 'card:?*' OR mark GLOB 'email:?*'
    OR mark GLOB 'claim:?*'),
  -- An agent, or the wallet address of a payer without a key.
  holder TEXT NOT NULL,
  -- 0: strangers may share it. The address of a payer may be a custodian's, and one host may serve many.
  is_proof INTEGER NOT NULL CHECK (is_proof IN (0, 1)),
  PRIMARY KEY (mark, holder)
) STRICT, WITHOUT ROWID;
CREATE INDEX party_marks_of_holder ON party_marks (holder);
CREATE INDEX party_marks_proofs ON party_marks (mark, holder) WHERE is_proof = 1;

-- What strangers may share counts while at most 3 keys have it.
CREATE VIEW same_parties AS
SELECT mine.holder, theirs.holder AS other
FROM party_marks AS mine CROSS JOIN party_marks AS theirs
WHERE mine.is_proof = 1 AND theirs.is_proof = 1 AND theirs.mark = mine.mark AND theirs.holder <> mine.holder
UNION ALL
SELECT mine.holder, theirs.holder AS other
FROM party_marks AS mine CROSS JOIN party_marks AS theirs
WHERE theirs.mark = mine.mark AND theirs.holder <> mine.holder AND (mine.is_proof = 0 OR theirs.is_proof = 0)
  AND (SELECT COUNT(*) FROM (SELECT 1 FROM party_marks AS key
    WHERE key.mark = mine.mark AND key.mark <> 'wallet:' || key.holder LIMIT 4)) <= 3;

-- What is known of one buyer and one seller. A job decides it, with the buyer's weight.
ALTER TABLE seller_buyers ADD COLUMN is_same_party INTEGER NOT NULL DEFAULT 0 CHECK (is_same_party IN (0, 1));
-- Of a buyer who paid the seller: it paid another seller, and the seller was paid by another buyer, each of whom is one
-- party with neither.
ALTER TABLE seller_buyers ADD COLUMN has_other_seller INTEGER NOT NULL DEFAULT 0 CHECK (has_other_seller IN (0, 1));
ALTER TABLE seller_buyers ADD COLUMN has_other_buyer INTEGER NOT NULL DEFAULT 0 CHECK (has_other_buyer IN (0, 1));
CREATE INDEX seller_buyers_paid ON seller_buyers (seller_id, buyer) WHERE released_cents > 0;
CREATE INDEX seller_buyers_paid_of_buyer ON seller_buyers (buyer, seller_id) WHERE released_cents > 0;
CREATE INDEX seller_buyers_of_one_buyer ON seller_buyers (seller_id) WHERE has_other_buyer = 0 AND released_cents > 0;
CREATE INDEX seller_buyers_of_one_seller ON seller_buyers (buyer) WHERE has_other_seller = 0 AND released_cents > 0;

-- Whoever gets to share a mark, or shares it no more, is weighed again. A mark that many have relates nobody.
CREATE TRIGGER party_marks_added AFTER INSERT ON party_marks
WHEN EXISTS (SELECT 1 FROM party_marks WHERE mark = NEW.mark AND holder <> NEW.holder)
  AND (NEW.is_proof = 1 OR (SELECT COUNT(*) FROM (SELECT 1 FROM party_marks WHERE mark = NEW.mark LIMIT 7)) <= 6)
BEGIN
  UPDATE seller_buyers SET is_weighed = 0 WHERE seller_id = NEW.holder
    OR seller_id IN (SELECT holder FROM party_marks WHERE mark = NEW.mark LIMIT 20);
  UPDATE seller_buyers SET is_weighed = 0 WHERE buyer = NEW.holder
    OR buyer IN (SELECT holder FROM party_marks WHERE mark = NEW.mark LIMIT 20);
END;
CREATE TRIGGER party_marks_proven AFTER UPDATE OF is_proof ON party_marks WHEN NEW.is_proof <> OLD.is_proof
BEGIN
  UPDATE seller_buyers SET is_weighed = 0 WHERE seller_id = NEW.holder
    OR seller_id IN (SELECT holder FROM party_marks WHERE mark = NEW.mark LIMIT 20);
  UPDATE seller_buyers SET is_weighed = 0 WHERE buyer = NEW.holder
    OR buyer IN (SELECT holder FROM party_marks WHERE mark = NEW.mark LIMIT 20);
END;
CREATE TRIGGER party_marks_removed AFTER DELETE ON party_marks
WHEN (SELECT COUNT(*) FROM (SELECT 1 FROM party_marks WHERE mark = OLD.mark LIMIT 6)) BETWEEN 1 AND 5
BEGIN
  UPDATE seller_buyers SET is_weighed = 0 WHERE seller_id = OLD.holder
    OR seller_id IN (SELECT holder FROM party_marks WHERE mark = OLD.mark LIMIT 20);
  UPDATE seller_buyers SET is_weighed = 0 WHERE buyer = OLD.holder
    OR buyer IN (SELECT holder FROM party_marks WHERE mark = OLD.mark LIMIT 20);
END;
CREATE TRIGGER party_marks_of_removed AFTER DELETE ON agents BEGIN
  DELETE FROM party_marks WHERE holder = OLD.id;
END;

-- Whoever writes these rows. A payout wallet that was once bound stays its seller's.
CREATE TRIGGER payout_wallets_marked AFTER INSERT ON payout_wallets BEGIN
  INSERT INTO party_marks (mark, holder, is_proof) VALUES ('wallet:' || NEW.address, NEW.seller_id, 1)
    ON CONFLICT DO UPDATE SET is_proof = 1;
END;
CREATE TRIGGER payout_wallets_marked_anew AFTER UPDATE OF address ON payout_wallets BEGIN
  INSERT INTO party_marks (mark, holder, is_proof) VALUES ('wallet:' || NEW.address, NEW.seller_id, 1)
    ON CONFLICT DO UPDATE SET is_proof = 1;
END;
CREATE TRIGGER usdc_payers_marked AFTER INSERT ON usdc_payments BEGIN
  INSERT INTO party_marks (mark, holder, is_proof)
    SELECT 'wallet:' || NEW.payer, COALESCE((SELECT buyer_id FROM purchases WHERE id = NEW.purchase_id), NEW.payer), 0
    WHERE true ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER delivery_hosts_marked AFTER INSERT ON delivery_endpoints WHEN NEW.callback_host IS NOT NULL BEGIN
  INSERT INTO party_marks (mark, holder, is_proof) VALUES ('host:' || NEW.callback_host, NEW.seller_id, 0)
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER delivery_hosts_marked_anew AFTER UPDATE OF callback_host ON delivery_endpoints
WHEN NEW.callback_host IS NOT OLD.callback_host
BEGIN
  DELETE FROM party_marks WHERE mark = 'host:' || OLD.callback_host AND holder = OLD.seller_id;
  INSERT INTO party_marks (mark, holder, is_proof)
    SELECT 'host:' || NEW.callback_host, NEW.seller_id, 0 WHERE NEW.callback_host IS NOT NULL ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER delivery_hosts_unmarked AFTER DELETE ON delivery_endpoints BEGIN
  DELETE FROM party_marks WHERE mark = 'host:' || OLD.callback_host AND holder = OLD.seller_id;
END;
INSERT INTO party_marks (mark, holder, is_proof)
  SELECT 'wallet:' || address, seller_id, 1 FROM payout_wallets
  UNION SELECT 'wallet:' || address, seller_id, 1 FROM payout_challenges WHERE used_at IS NOT NULL;
INSERT INTO party_marks (mark, holder, is_proof)
  SELECT DISTINCT 'wallet:' || payer, COALESCE(buyer_id, payer), 0 FROM usdc_payments JOIN purchases ON id = purchase_id
  WHERE true ON CONFLICT DO NOTHING;
INSERT INTO party_marks (mark, holder, is_proof)
  SELECT 'host:' || callback_host, seller_id, 0 FROM delivery_endpoints WHERE callback_host IS NOT NULL;

-- What one party pays itself says nothing of the buyer: it is kept with the pair, and not summed up for the buyer.
CREATE TRIGGER seller_buyers_related AFTER UPDATE OF is_same_party ON seller_buyers
WHEN NEW.is_same_party <> OLD.is_same_party
BEGIN
  UPDATE paying_buyers SET released_cents = released_cents + (OLD.is_same_party - NEW.is_same_party) * NEW.released_cents
    WHERE buyer = NEW.buyer;
END;
DROP TRIGGER purchases_released;
CREATE TRIGGER purchases_released AFTER UPDATE OF status ON purchases
WHEN NEW.status = 'released' AND OLD.status <> 'released' AND NEW.amount_cents > 0
  AND (SELECT class FROM settled_purchases WHERE purchase_id = NEW.id)
    IN ('apart', 'anonymous', 'self_sale', 'arms_length')
BEGIN
  UPDATE paying_buyers SET released_cents = released_cents + NEW.amount_cents
    WHERE buyer = (SELECT buyer FROM purchase_buyers WHERE purchase_id = NEW.id)
      AND NOT EXISTS (SELECT 1 FROM seller_buyers AS this
        WHERE this.seller_id = NEW.seller_id AND this.buyer = paying_buyers.buyer AND is_same_party = 1);
  -- The first time that it pays this seller, each may be the other whom somebody else lacked.
  UPDATE seller_buyers SET released_cents = released_cents + NEW.amount_cents,
      is_weighed = is_weighed AND released_cents > 0
    WHERE seller_id = NEW.seller_id AND buyer = (SELECT buyer FROM purchase_buyers WHERE purchase_id = NEW.id);
  UPDATE seller_buyers SET is_weighed = 0
    WHERE seller_id = NEW.seller_id AND has_other_buyer = 0 AND released_cents > 0
      AND EXISTS (SELECT 1 FROM seller_buyers AS this JOIN purchase_buyers AS p USING (seller_id, buyer)
        WHERE p.purchase_id = NEW.id AND this.released_cents = NEW.amount_cents);
  UPDATE seller_buyers SET is_weighed = 0
    WHERE buyer = (SELECT buyer FROM purchase_buyers WHERE purchase_id = NEW.id)
      AND has_other_seller = 0 AND released_cents > 0
      AND EXISTS (SELECT 1 FROM seller_buyers AS this JOIN purchase_buyers AS p USING (seller_id, buyer)
        WHERE p.purchase_id = NEW.id AND this.released_cents = NEW.amount_cents);
END;
UPDATE seller_buyers SET is_weighed = 0;

-- Popularity is the weights of those who bought a listing, as quality is of those who rated it, in thousandths of a buyer.
ALTER TABLE listing_raters RENAME TO listing_buyers;
-- Of those that were not refunded.
ALTER TABLE listing_buyers ADD COLUMN deliveries INTEGER NOT NULL DEFAULT 0 CHECK (deliveries >= 0);
-- The renaming takes `excluded` in this one for the table itself.
DROP TRIGGER ratings_added;
CREATE TRIGGER ratings_added AFTER INSERT ON ratings WHEN NEW.is_refunded = 0 BEGIN
  UPDATE listings SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.rating
    WHERE id = NEW.listing_id;
  UPDATE sellers SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.rating
    WHERE agent_id = NEW.seller_id;
  UPDATE seller_buyers SET ratings = ratings + 1, stars = stars + NEW.rating
    WHERE seller_id = NEW.seller_id AND buyer = NEW.buyer_id;
  INSERT INTO listing_buyers (listing_id, buyer, seller_id, ratings, stars, weight)
    SELECT NEW.listing_id, buyer, seller_id, 1, NEW.rating, weight FROM seller_buyers
    WHERE seller_id = NEW.seller_id AND buyer = NEW.buyer_id
    ON CONFLICT DO UPDATE SET ratings = ratings + 1, stars = stars + excluded.stars;
END;
DROP INDEX listing_raters_of_buyer;
CREATE INDEX listing_buyers_of_buyer ON listing_buyers (seller_id, buyer);
UPDATE listings SET popularity = 0;
DROP TRIGGER listing_raters_added;
DROP TRIGGER listing_raters_changed;
CREATE TRIGGER listing_buyers_added AFTER INSERT ON listing_buyers WHEN NEW.weight > 0 BEGIN
  UPDATE listings SET popularity = popularity + NEW.weight * (NEW.deliveries > 0),
      rated_weight = rated_weight + NEW.weight * (NEW.ratings > 0),
      stars_weight = stars_weight + NEW.weight * NEW.stars / MAX(1, NEW.ratings)
    WHERE id = NEW.listing_id;
END;
CREATE TRIGGER listing_buyers_changed AFTER UPDATE ON listing_buyers
WHEN (NEW.weight, NEW.ratings, NEW.stars, NEW.deliveries > 0) <> (OLD.weight, OLD.ratings, OLD.stars, OLD.deliveries > 0)
BEGIN
  UPDATE listings SET
      popularity = popularity + NEW.weight * (NEW.deliveries > 0) - OLD.weight * (OLD.deliveries > 0),
      rated_weight = rated_weight + NEW.weight * (NEW.ratings > 0) - OLD.weight * (OLD.ratings > 0),
      stars_weight = stars_weight + NEW.weight * NEW.stars / MAX(1, NEW.ratings)
        - OLD.weight * OLD.stars / MAX(1, OLD.ratings)
    WHERE id = NEW.listing_id;
END;

DROP TRIGGER purchases_delivered_at_once;
DROP TRIGGER purchases_delivered;
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
  INSERT INTO listing_buyers (listing_id, buyer, seller_id, ratings, stars, weight, deliveries)
    SELECT NEW.listing_id, buyer, seller_id, 0, 0, weight, 1 FROM purchase_buyers JOIN seller_buyers USING (seller_id, buyer)
    WHERE purchase_id = NEW.id ON CONFLICT DO UPDATE SET deliveries = deliveries + 1;
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
  INSERT INTO listing_buyers (listing_id, buyer, seller_id, ratings, stars, weight, deliveries)
    SELECT NEW.listing_id, buyer, seller_id, 0, 0, weight, 1 FROM purchase_buyers JOIN seller_buyers USING (seller_id, buyer)
    WHERE purchase_id = NEW.id ON CONFLICT DO UPDATE SET deliveries = deliveries + 1;
END;
CREATE TRIGGER listing_buyers_refunded AFTER UPDATE OF status ON purchases
WHEN NEW.status = 'refunded' AND OLD.status <> 'refunded' AND NEW.content_digest IS NOT NULL
BEGIN
  UPDATE listing_buyers SET deliveries = MAX(0, deliveries - 1)
    WHERE listing_id = NEW.listing_id AND buyer = (SELECT buyer FROM purchase_buyers WHERE purchase_id = NEW.id);
END;
INSERT INTO listing_buyers (listing_id, buyer, seller_id, ratings, stars, weight, deliveries)
  SELECT p.listing_id, b.buyer, b.seller_id, 0, 0, s.weight, COUNT(*)
  FROM purchase_buyers AS b JOIN purchases AS p ON p.id = b.purchase_id
    JOIN seller_buyers AS s ON s.seller_id = b.seller_id AND s.buyer = b.buyer
  WHERE p.status <> 'refunded' GROUP BY p.listing_id, b.buyer
  ON CONFLICT DO UPDATE SET deliveries = excluded.deliveries;
