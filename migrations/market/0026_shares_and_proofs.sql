-- Room in an inbox depends on who bought what from whom.
CREATE INDEX purchases_paid_of_buyer ON purchases (buyer_id, seller_id)
  WHERE buyer_id IS NOT NULL AND amount_cents > 0 AND content_digest IS NOT NULL;
