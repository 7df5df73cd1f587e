/** Calendar years that records of money are kept after the one they are of: as long as most laws of tax and trade ask for. */
export const DEFAULT_RECORDS_YEARS = 10;

/**
 * How long rows are kept, and the job that ends it. `null`: nothing is deleted by the clock. `isOfRecords`: rows end with the
 * records of money, so their tables say with what.
 */
export const RETENTION = {
  account: { until: 'while the account is open', job: null },
  published: { until: 'for good: it was published or signed', job: null },
  records: { until: 'until the records of its year end', job: 'end_records', isOfRecords: true },
  own: { until: 'for good: it is the marketplace’s own and names no person', job: null },
  staff: { until: 'for good: it says who did something for the marketplace', job: null },
  logged: { until: 'seconds: until the transparency log has it', job: null },
  derived: { until: 'as long as what it is derived from', job: null },
  consent: {
    until: '6 years from the signature, and while a listing rests on it',
    job: 'erase_health_consents',
  },
  queries: {
    until:
      'the query 365 days after delivery (30 without a key, once its seller is paid), or until it cannot be answered again; the address for the receipt 30 days; the rest until the records end',
    job: 'forget_queries',
    isOfRecords: true,
  },
  offers: {
    until: 'the query 30 days after it ended; the rest until the records end',
    job: 'delete_expired',
    isOfRecords: true,
  },
  links: {
    until: 'the link to the page 30 days; the rest until the records end',
    job: 'delete_expired',
    isOfRecords: true,
  },
  sale_links: {
    until: 'the link to the page until the sale ended; the rest until the records end',
    job: null,
    isOfRecords: true,
  },
  sale_networks: {
    until: 'the network until the sale ended; the rest until the records end',
    job: null,
    isOfRecords: true,
  },
  parcels: {
    until: 'the texts 365 days after it was sent; the rest until the records end',
    job: 'delete_expired',
    isOfRecords: true,
  },
  disputes: {
    until: 'the reason 730 days after the decision; the rest until the records end',
    job: 'delete_expired',
    isOfRecords: true,
  },
  evidence: { until: '730 days', job: 'delete_expired' },
  accounts: { until: 'while the account is open; its network 365 days', job: 'delete_expired' },
  messages: { until: '365 days', job: 'delete_expired' },
  notifications: { until: '365 days', job: 'delete_expired' },
  inquiries: { until: '365 days after it was closed', job: 'delete_expired' },
  ideas: { until: '730 days', job: 'delete_expired' },
  reports: { until: '365 days, once its case is decided', job: 'delete_expired' },
  setups: { until: '30 days', job: 'delete_expired' },
  pauses: { until: '1 day after it ended', job: 'delete_expired' },
  idempotency: { until: '24 hours', job: 'forget_idempotency_keys' },
  quality: { until: '30 days', job: 'measure_quality' },
  alerts: { until: '180 days, or 30 after something was found', job: 'match_alerts' },
  quotas: { until: 'the day that it counts', job: 'forget_daily_quotas' },
  challenges: { until: '1 day after it ended', job: 'forget_payout_challenges' },
  approvals: { until: 'the query until it ended; the rest 30 days after it', job: 'forget_approvals' },
  copy_holds: { until: '2 days after it ended', job: 'forget_copy_holds' },
  uploads: { until: '1 day', job: 'sweep_attachments' },
  card_events: { until: '4 days after it was read', job: 'read_card_events' },
  events: { until: '30 days, and while it is being sent', job: 'forget_agent_events' },
  mail: { until: '30 days; the text until it is sent', job: 'forget_mail' },
  attachments: { until: '90 days after the inquiry was closed', job: 'sweep_attachments' },
} as const satisfies Readonly<
  Record<string, { readonly until: string; readonly job: string | null; readonly isOfRecords?: true }>
>;

export type RetentionRule = keyof typeof RETENTION;
