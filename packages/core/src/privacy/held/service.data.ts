import type { HeldTable } from './held-table.ts';

/** The marketplace's own. */
export const SERVICE: readonly HeldTable[] = [
  {
    name: 'operators',
    what: 'Who acts for the marketplace, by the name they work under; only the hash of each secret.',
    until: 'staff',
    owners: [],
    columns: {
      identity: 'name',
      secret: 'secret_hash',
      fact: 'id role secret_set_at secret_set_by created_at created_by revoked_at',
    },
  },
  {
    name: 'operator_actions',
    what: 'The signed chain of what operators did. It holds salted digests of texts; text and salt can be emptied.',
    until: 'published',
    owners: [],
    columns: {
      published: 'statement previous_digest digest key_id signature',
      text: 'reason',
      secret: 'salt',
      fact: 'sequence operator subject_type subject_id at',
    },
  },
  {
    name: 'audit_texts',
    what: 'Why an operator did something, what was before and what after. Deleted with the account or the inquiry that it is about, and what is about listings, purchases and payments with the account of either side.',
    until: 'staff',
    owners: [],
    columns: { text: 'texts', secret: 'salt', fact: 'sequence' },
  },
  {
    name: 'dead_messages',
    what: 'Messages that the queue gave up, until an operator sends them again.',
    until: 'own',
    owners: [],
    columns: { fact: 'id message died_at' },
  },
  {
    name: 'affiliated_merchants',
    what: 'Shops of the operator’s partners, as they are published.',
    until: 'published',
    owners: [],
    columns: { published: 'name site_origin', fact: 'id receipts gross_cents created_at' },
  },
  {
    name: 'affiliated_receipts',
    what: 'Their signed receipts.',
    until: 'published',
    owners: [],
    columns: {
      published: 'merchant_name merchant_site_origin description key_id signed_at digest signature',
      fact: 'created_at id merchant_id amount_cents rail mode status paid_at',
    },
  },
  {
    name: 'closed_rails',
    what: 'Ways to pay that are closed now.',
    until: 'own',
    owners: [],
    columns: { fact: 'rail reason since' },
  },
  {
    name: 'designation_state',
    what: 'Whether the operator has said which accounts are its own.',
    until: 'own',
    owners: [],
    columns: { fact: 'only configured_at' },
  },
  {
    name: 'reputation_sweep',
    what: 'How far reputations were looked through.',
    until: 'own',
    owners: [],
    columns: { fact: 'id looked_to' },
  },
  {
    name: 'signing_keys',
    what: 'Public keys.',
    until: 'published',
    owners: [],
    columns: { published: 'key_id public_key', fact: 'purpose valid_from retired_at' },
  },
  {
    name: 'totals',
    what: 'Counts.',
    until: 'derived',
    owners: [],
    columns: { fact: 'name value' },
  },
  {
    name: 'guards',
    what: 'Always empty: an insert aborts its transaction.',
    until: 'own',
    owners: [],
    columns: { fact: 'name' },
  },
];
