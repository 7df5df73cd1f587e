-- What banks took, transfers that came back and refunds of top-ups are open or carried as well: a reconciliation reads those
-- that are open, and of the others the sums.
--   'chargeback:<dispute_id>', 'returned_transfer:<transfer_id>', 'top_up_refund:<top_up_id>:<number>'

CREATE INDEX returned_transfers_of_purchase ON returned_transfers (purchase_id);

CREATE TRIGGER subjects_of_chargebacks AFTER INSERT ON chargebacks BEGIN
  INSERT INTO open_subjects (subject) VALUES ('chargeback:' || NEW.dispute_id);
END;
CREATE TRIGGER subjects_of_changed_chargebacks
AFTER UPDATE OF purchase_id, agent_id, withdrawn_cents, covered_cents, escrow_cents ON chargebacks BEGIN
  DELETE FROM carried_subjects WHERE subject = 'chargeback:' || NEW.dispute_id;
END;
CREATE TRIGGER subjects_of_deleted_chargebacks AFTER DELETE ON chargebacks BEGIN
  DELETE FROM carried_subjects WHERE subject = 'chargeback:' || OLD.dispute_id;
  DELETE FROM open_subjects WHERE subject = 'chargeback:' || OLD.dispute_id;
END;
CREATE TRIGGER subjects_of_chargeback_shares AFTER INSERT ON chargeback_shares BEGIN
  DELETE FROM carried_subjects WHERE subject = 'chargeback:' || NEW.dispute_id;
END;
CREATE TRIGGER subjects_of_changed_shares AFTER UPDATE OF taken_cents ON chargeback_shares BEGIN
  DELETE FROM carried_subjects WHERE subject = 'chargeback:' || NEW.dispute_id;
END;
CREATE TRIGGER subjects_of_deleted_shares AFTER DELETE ON chargeback_shares BEGIN
  DELETE FROM carried_subjects WHERE subject = 'chargeback:' || OLD.dispute_id;
END;
-- Whether a bank's money is the platform's loss depends on whether the sale was refunded.
CREATE TRIGGER subjects_of_refunded_purchases AFTER UPDATE OF status ON purchases
WHEN (NEW.status = 'refunded') <> (OLD.status = 'refunded')
BEGIN
  DELETE FROM carried_subjects WHERE subject IN (
    SELECT 'chargeback:' || dispute_id FROM chargebacks WHERE purchase_id = NEW.id
    UNION ALL SELECT 'chargeback:' || dispute_id FROM chargeback_shares WHERE purchase_id = NEW.id);
END;

CREATE TRIGGER subjects_of_new_returned_transfers AFTER INSERT ON returned_transfers BEGIN
  INSERT INTO open_subjects (subject) VALUES ('returned_transfer:' || NEW.transfer_id);
END;
CREATE TRIGGER subjects_of_changed_returned_transfers AFTER UPDATE OF purchase_id, amount_cents ON returned_transfers BEGIN
  DELETE FROM carried_subjects WHERE subject = 'returned_transfer:' || NEW.transfer_id;
END;
CREATE TRIGGER subjects_of_deleted_returned_transfers AFTER DELETE ON returned_transfers BEGIN
  DELETE FROM carried_subjects WHERE subject = 'returned_transfer:' || OLD.transfer_id;
  DELETE FROM open_subjects WHERE subject = 'returned_transfer:' || OLD.transfer_id;
END;

CREATE TRIGGER subjects_of_top_up_refunds AFTER INSERT ON top_up_refunds BEGIN
  INSERT INTO open_subjects (subject) VALUES ('top_up_refund:' || NEW.top_up_id || ':' || NEW.number);
END;
CREATE TRIGGER subjects_of_changed_top_up_refunds AFTER UPDATE OF status, amount_cents ON top_up_refunds BEGIN
  DELETE FROM carried_subjects WHERE subject = 'top_up_refund:' || NEW.top_up_id || ':' || NEW.number;
END;
CREATE TRIGGER subjects_of_deleted_top_up_refunds AFTER DELETE ON top_up_refunds BEGIN
  DELETE FROM carried_subjects WHERE subject = 'top_up_refund:' || OLD.top_up_id || ':' || OLD.number;
  DELETE FROM open_subjects WHERE subject = 'top_up_refund:' || OLD.top_up_id || ':' || OLD.number;
END;

INSERT INTO open_subjects (subject) SELECT 'chargeback:' || dispute_id FROM chargebacks;
INSERT INTO open_subjects (subject) SELECT 'returned_transfer:' || transfer_id FROM returned_transfers;
INSERT INTO open_subjects (subject) SELECT 'top_up_refund:' || top_up_id || ':' || number FROM top_up_refunds;
