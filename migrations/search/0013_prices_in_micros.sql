-- Documents are ordered by the price to the micro-unit of USDC.
ALTER TABLE documents ADD COLUMN price_micros INTEGER NOT NULL DEFAULT 0;
UPDATE documents SET price_micros = price_cents * 10000;
DROP INDEX documents_price;
DROP INDEX documents_price_desc;
DROP INDEX documents_category_price;
DROP INDEX documents_category_price_desc;
DROP INDEX documents_vertical_price;
DROP INDEX documents_vertical_price_desc;
DROP INDEX documents_subcategory_price;
DROP INDEX documents_subcategory_price_desc;
CREATE INDEX documents_price ON documents (price_micros, created_at DESC, listing_id);
CREATE INDEX documents_price_desc ON documents (price_micros DESC, created_at DESC, listing_id);
CREATE INDEX documents_category_price ON documents (category_slug, price_micros, created_at DESC, listing_id);
CREATE INDEX documents_category_price_desc ON documents (category_slug, price_micros DESC, created_at DESC, listing_id);
CREATE INDEX documents_vertical_price ON documents (vertical_slug, price_micros, created_at DESC, listing_id);
CREATE INDEX documents_vertical_price_desc ON documents (vertical_slug, price_micros DESC, created_at DESC, listing_id);
CREATE INDEX documents_subcategory_price
  ON documents (vertical_slug, subcategory, price_micros, created_at DESC, listing_id) WHERE subcategory IS NOT NULL;
CREATE INDEX documents_subcategory_price_desc
  ON documents (vertical_slug, subcategory, price_micros DESC, created_at DESC, listing_id) WHERE subcategory IS NOT NULL;
