-- Which request of its buyer made a purchase: SHA-256 of the buyer and the Idempotency-Key, so that it is found where the reply
-- was lost. The key itself is the caller's own text, and is deleted after a day.
ALTER TABLE purchases ADD COLUMN idempotency_digest TEXT CHECK (length(idempotency_digest) = 64);
CREATE INDEX purchases_of_request ON purchases (idempotency_digest, created_at, id)
  WHERE idempotency_digest IS NOT NULL;

-- Lists by status: what ended without a sale costs nobody anything, and must not be passed by whoever reads the others.
-- Lists alone say `created_at > ''`, so that no other query takes these indexes in place of a narrower one.
CREATE INDEX purchases_of_buyer_by_status ON purchases (buyer_id, status, created_at, id)
  WHERE buyer_id IS NOT NULL AND created_at > '';
CREATE INDEX purchases_of_seller_by_status ON purchases (seller_id, status, created_at, id)
  WHERE created_at > '';
