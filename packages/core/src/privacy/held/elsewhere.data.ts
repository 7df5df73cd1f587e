/** What is kept outside the databases. */
export interface HeldElsewhere {
  readonly place: string;
  readonly what: string;
  readonly until: string;
  /** Where it is a table of a Durable Object: its name. */
  readonly table?: string;
}

export const HELD_ELSEWHERE: readonly HeldElsewhere[] = [
  {
    place: 'Durable Object of one x402 payment',
    table: 'claim',
    what: 'Digests of what it is for. No query, no name.',
    until: '14 days at most',
  },
  {
    place: 'Durable Object of the relayer',
    table: 'jobs',
    what: 'Transfers of USDC as they are on chain: addresses, amounts, transactions.',
    until: '14 days; payouts for good',
  },
  {
    place: 'Durable Object of the relayer',
    table: 'sends',
    what: 'The transactions that were sent for them.',
    until: 'as long as the transfer',
  },
  {
    place: 'Durable Object of the relayer',
    table: 'gas_costs',
    what: 'What they cost.',
    until: 'until it is booked',
  },
  {
    place: 'Durable Object of the relayer',
    table: 'account',
    what: 'The highest nonce of the marketplace’s own account.',
    until: 'for good: it names no person',
  },
  {
    place: 'Durable Object of the relayer',
    table: 'gas_claims',
    what: 'Addresses of payers, and keyed hashes of their networks, whose transfers may still cost gas.',
    until: '1 day after the last of them',
  },
  {
    place: 'Durable Objects of the ingress door',
    table: 'admitted',
    what: 'Keys that strangers made up for a session, with its class and side.',
    until: '11 minutes after the end of the session',
  },
  {
    place: 'Durable Objects of the ingress door',
    table: 'signs_of_life',
    what: 'When sessions were last heard of, by a number that means nothing elsewhere.',
    until: '16 minutes',
  },
  {
    place: 'Durable Objects of the ingress door',
    table: 'admissions',
    what: 'The same keys in signed answers, so that a repetition is answered alike.',
    until: '10 minutes after the end of the session',
  },
  {
    place: 'Durable Object of the transparency log',
    table: 'tree',
    what: 'The number of leaves, and the hash over all of them.',
    until: 'for good: it was published',
  },
  {
    place: 'Durable Object of the transparency log',
    table: 'leaves',
    what: 'Digests of signed statements, and where each stands in the log.',
    until: 'for good: it was published',
  },
  {
    place: 'Durable Object of the transparency log',
    table: 'witnesses',
    what: 'What the witnesses of the log cosigned last, and when.',
    until: 'while the witness is one',
  },
  {
    place: 'Durable Object of the transparency log',
    table: 'disputes',
    what: 'Which witnesses cosigned another tree than the log remembers, and of how many leaves.',
    until: 'the witness agrees again',
  },
  {
    place: 'Durable Object of the transparency log',
    table: 'compared',
    what: 'How many of its old files were compared with what it remembers, in this round.',
    until: 'for good: it names no person',
  },
  {
    place: 'Durable Object of the transparency log',
    table: 'signatures',
    what: 'Which keys of the log signed its newest checkpoint.',
    until: 'the next checkpoint',
  },
  {
    place: 'Durable Object of the transparency log',
    table: 'pruning',
    what: 'How far partial tiles were deleted, and the size below which they will be.',
    until: 'for good: it is two numbers and a time',
  },
  {
    place: 'Object store of the transparency log',
    what: 'Leaves and hashes over them: the type, digest, key and time of each signed statement, and no word of it.',
    until: 'for good: it was published',
  },
  {
    place: 'Durable Object of a polling seller',
    what: 'Queries and deliveries that are waiting, in memory only.',
    until: '30 seconds',
  },
  {
    place: 'Object store',
    what: 'The bytes of attachments, by their digest.',
    until: '90 days after the inquiry was closed, or with the account',
  },
  {
    place: 'Object store',
    what: 'Pictures of listings, as the marketplace drew them anew, by their digest.',
    until: 'as long as the listing is published, or with the account',
  },
  {
    place: 'Object store',
    what: 'The list of erasures: digests of ids that name nobody. A restore of a backup is compared with it.',
    until: 'for good: it names no person',
  },
  {
    place: 'Queue of jobs',
    what: 'Ids of purchases that have work to do.',
    until: '4 days at most',
  },
  {
    place: 'Caches of public answers',
    what: 'What anyone can read.',
    until: '1 day at most',
  },
  {
    place: 'Logs',
    what: 'Events with ids and codes: never a text, a query, a name, an address or a key.',
    until: 'as long as the deployment keeps its logs (Cloudflare: 7 days)',
  },
  {
    place: 'Backups of the databases',
    what: 'Everything above that is in a database.',
    until:
      '30 days (Time Travel), 35 days (weekly copies in the object store), and as long as the operator keeps exported copies',
  },
];
