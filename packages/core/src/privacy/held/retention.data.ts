/** How long rows are kept, and the job that ends it. `null`: nothing is deleted by the clock. */
export const RETENTION = {
  account: { until: 'while the account is open', job: null },
  published: { until: 'for good: it was published or signed', job: null },
  records: { until: 'at least 10 years: records of money that the law asks for', job: null },
  own: { until: 'for good: it is the marketplace’s own and names no person', job: null },
  derived: { until: 'as long as what it is derived from', job: null },
  consent: {
    until: '6 years from the signature, and while a listing rests on it',
    job: 'erase_health_consents',
  },
  idempotency: { until: '24 hours', job: 'forget_idempotency_keys' },
  quotas: { until: 'the day after the one that it counts', job: 'forget_daily_quotas' },
  challenges: { until: '1 day after it ended', job: 'forget_payout_challenges' },
  copy_holds: { until: 'a day after it ended', job: 'forget_copy_holds' },
  uploads: { until: '1 day', job: 'sweep_attachments' },
  card_events: { until: '4 days after it was read', job: 'read_card_events' },
  events: { until: '30 days, and while it is being sent', job: 'forget_agent_events' },
  mail: { until: '30 days; the text until it is sent', job: 'forget_mail' },
  attachments: { until: '90 days after the inquiry was closed', job: 'sweep_attachments' },
} as const satisfies Readonly<Record<string, { readonly until: string; readonly job: string | null }>>;

export type RetentionRule = keyof typeof RETENTION;
