-- Accounts of sellers at the card processor are asked about by themselves, too: its reports may be lost.
ALTER TABLE payout_accounts ADD COLUMN checked_at TEXT NOT NULL DEFAULT '';
CREATE INDEX payout_accounts_by_check ON payout_accounts (payouts_enabled, checked_at) WHERE enabled_at IS NOT NULL;
