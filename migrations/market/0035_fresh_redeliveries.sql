-- A seller may let a buyer see, once and soon after the first answer, what it answers by then.
ALTER TABLE listings ADD COLUMN redelivery TEXT NOT NULL DEFAULT 'same' CHECK (redelivery IN ('same', 'fresh_once'));
-- As it was when the purchase was made: a later change of the listing takes nothing from its buyer.
ALTER TABLE payments ADD COLUMN redelivery TEXT NOT NULL DEFAULT 'same' CHECK (redelivery IN ('same', 'fresh_once'));
-- When that second answer was given. NULL: `redelivery`, if any, was given in place of the first.
ALTER TABLE answers ADD COLUMN refreshed_at TEXT;

-- Checking a receipt tells which statement adds to it.
CREATE INDEX answers_by_receipt ON answers (json_extract(redelivery, '$.statement.previousReceiptDigest'))
  WHERE redelivery IS NOT NULL;
