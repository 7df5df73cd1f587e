-- What the agent asks is for the person who decides: it goes with the end of the approval. The binding stays.
CREATE TRIGGER approvals_ended AFTER UPDATE OF status ON approvals WHEN NEW.status IN ('used', 'declined', 'expired') BEGIN
  UPDATE approvals SET query = NULL WHERE id = NEW.id AND query IS NOT NULL;
END;
UPDATE approvals SET query = NULL WHERE status IN ('used', 'declined', 'expired') AND query IS NOT NULL;

CREATE INDEX approvals_open_by_end ON approvals (expires_at) WHERE status IN ('pending', 'approved');
