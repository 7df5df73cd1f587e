-- What is over is found without looking through what is not.
CREATE INDEX messages_by_age ON messages (created_at);
CREATE INDEX seller_notifications_by_age ON seller_notifications (created_at);
CREATE INDEX inquiries_closed ON inquiries (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX wallet_setups_by_age ON wallet_setups (created_at);
CREATE INDEX content_push_pauses_by_end ON content_push_pauses (paused_until);
CREATE INDEX agents_networks ON agents (created_at) WHERE registered_from IS NOT NULL;
CREATE INDEX purchases_queries ON purchases (status, delivered_at) WHERE buyer_id IS NOT NULL AND query IS NOT NULL;
CREATE INDEX purchases_emails ON purchases (delivered_at) WHERE email IS NOT NULL;
CREATE INDEX purchases_emails_unsold ON purchases (status, created_at) WHERE email IS NOT NULL;
CREATE INDEX offers_queries ON offers (coalesce(decided_at, expires_at)) WHERE query IS NOT NULL;
CREATE INDEX shipments_texts ON shipments (shipped_at) WHERE carrier <> 'erased';
CREATE INDEX disputes_reasons ON disputes (decided_at) WHERE reason <> 'erased';
CREATE INDEX wallet_top_ups_links ON wallet_top_ups (created_at) WHERE checkout_url IS NOT NULL AND status <> 'open';

-- A sale that ended needs no page to pay at, and no network that its payment came from.
CREATE TRIGGER purchases_traces_deleted AFTER UPDATE OF status ON purchases
WHEN NEW.status IN ('released', 'refunded', 'expired', 'failed') AND OLD.status <> NEW.status BEGIN
  UPDATE checkout_payments SET checkout_url = NULL WHERE purchase_id = NEW.id AND checkout_url IS NOT NULL;
  UPDATE usdc_payments SET network = NULL WHERE purchase_id = NEW.id AND network IS NOT NULL;
END;
UPDATE checkout_payments SET checkout_url = NULL WHERE purchase_id IN
  (SELECT id FROM purchases WHERE status IN ('released', 'refunded', 'expired', 'failed'));
UPDATE usdc_payments SET network = NULL WHERE purchase_id IN
  (SELECT id FROM purchases WHERE status IN ('released', 'refunded', 'expired', 'failed'));

-- A seller that is not asked again needs no query: it gives the answer no more, or was asked as often as one payment
-- allows (MAX_REDELIVERIES in sales/delivery/answers.store.ts).
CREATE TRIGGER answers_ended AFTER UPDATE OF ended_at ON answers WHEN NEW.ended_at IS NOT NULL BEGIN
  UPDATE purchases SET query = NULL WHERE id = NEW.purchase_id AND query IS NOT NULL;
END;
CREATE TRIGGER answers_ended_at_once AFTER INSERT ON answers WHEN NEW.ended_at IS NOT NULL BEGIN
  UPDATE purchases SET query = NULL WHERE id = NEW.purchase_id AND query IS NOT NULL;
END;
CREATE TRIGGER answers_used_up AFTER UPDATE OF redeliveries ON answers
WHEN NEW.redeliveries >= 50 AND NEW.given_at IS NOT NULL BEGIN
  UPDATE purchases SET query = NULL WHERE id = NEW.purchase_id AND amount_cents > 0 AND query IS NOT NULL;
END;
