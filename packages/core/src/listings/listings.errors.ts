import { defineErrors } from '../kernel/errors.ts';

export const listingErrors = defineErrors({
  listing_not_found: {
    kind: 'not_found',
    title: 'No listing has this id.',
    remedy: 'Find listings with GET /marketplace/listings.',
  },
  listing_blocked: {
    kind: 'gone',
    title: 'An operator took this off the market.',
    remedy:
      'It broke a published rule, and is sold to nobody. Find others with GET /marketplace/listings. Its seller reads the ' +
      'rule and the reason with its own key, and may appeal; the same content is not listed again meanwhile.',
  },
  listing_block_unchanged: {
    kind: 'conflict',
    title: 'The listing is blocked already, or is not blocked.',
    remedy: 'Look at its history: another operator may have decided before.',
  },
  not_listing_owner: {
    kind: 'forbidden',
    title: 'The listing belongs to another seller.',
    remedy: 'Use the key that created the listing: this is for its owner only.',
  },
  health_flow_required: {
    kind: 'invalid',
    title: 'Personal health data is listed with its own consent record.',
    remedy:
      'List your own health data with POST /health-data/listings. If it is about no single ' +
      'person, declare that with `notPersonalHealth: true`, and name another vertical than personal-health.',
  },
  health_declaration_rejected: {
    kind: 'forbidden',
    title: 'An operator found that this is about the health of a single person.',
    remedy:
      'List your own health data with POST /health-data/listings (list_health_data). If the finding is wrong, write to the ' +
      'operator with POST /inquiries: the listing stays off the market until an operator accepts the declaration.',
  },
  health_declaration_not_found: {
    kind: 'not_found',
    title: 'No declaration has this id.',
    remedy: 'List the declarations with GET /admin/health-declarations.',
  },
  health_declaration_reviewed: {
    kind: 'conflict',
    title: 'The declaration was reviewed in this way already, or is by another request.',
    remedy: 'Look it up with GET /admin/health-declarations.',
  },
  health_consent_gone: {
    kind: 'conflict',
    title: 'The consent for this personal health data is no longer kept.',
    remedy: 'List the data anew with POST /health-data/listings, which takes a new consent.',
  },
  vertical_not_found: {
    kind: 'not_found',
    title: 'No vertical has this slug.',
    remedy: 'List verticals with GET /verticals.',
  },
  listing_changed: {
    kind: 'conflict',
    title: 'The listing was changed by another request in the meantime.',
    remedy: 'Read the listing again and repeat the change if it still makes sense.',
    retryable: true,
  },
});
