-- What tax offices ask of sellers that the card processor does not know. Nobody but the seller and the operator sees it.
CREATE TABLE seller_tax_details (
  seller_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  -- ISO 3166-1 alpha-2: where the seller is taxed.
  country TEXT NOT NULL CHECK (length(country) = 2),
  tax_number TEXT NOT NULL CHECK (length(tax_number) BETWEEN 4 AND 32),
  updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
