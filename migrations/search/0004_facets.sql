-- What listings are counted by, in one place: counting all of them does not read their texts.
CREATE INDEX documents_facets ON documents
  (vertical_slug, category_slug, price_cents, rating_avg, is_sample, is_free, listing_type, subcategory);
