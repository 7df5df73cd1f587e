-- What a caller without money writes in a day (UTC): it costs nothing to ask for, and stays. `holder` is a network, an agent, or
-- all unpaid agents that were registered from one network; `quota` is the rate policy that was used.
CREATE TABLE daily_quotas (
  holder TEXT NOT NULL,
  quota TEXT NOT NULL,
  -- As YYYY-MM-DD.
  day TEXT NOT NULL,
  writes INTEGER NOT NULL CHECK (writes >= 0),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (holder, quota, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_quotas_by_day ON daily_quotas (day);

-- The network, as a keyed hash, that an agent was registered from: keys cost nothing, networks do.
ALTER TABLE agents ADD COLUMN registered_from TEXT;
