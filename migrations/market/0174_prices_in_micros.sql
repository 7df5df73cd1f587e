-- The price to the micro-unit of USDC where it is no whole number of cents; price_cents is then the cent above.
ALTER TABLE listings ADD COLUMN price_micros INTEGER
  CHECK (price_micros IS NULL OR (price_micros >= 100 AND price_cents = (price_micros + 9999) / 10000));
-- Summaries of listings have the price: all are written anew.
UPDATE search_outbox SET mark = mark + 1;
