import type { RetentionRule } from './retention.data.ts';

/** What the columns of the databases hold. What is done with each kind is said once, in `KINDS`. */
export type HeldKind =
  | 'fact'
  | 'pseudonym'
  | 'identity'
  | 'text'
  | 'network'
  | 'secret'
  | 'money'
  | 'published'
  | 'consent'
  | 'derived';

interface KindTreatment {
  readonly what: string;
  /** Whether its owner is given it in an export. */
  readonly isExported: boolean;
  /** Whether an erasure empties it where the row stays. */
  readonly isCleared: boolean;
}

export const KINDS: Readonly<Record<HeldKind, KindTreatment>> = {
  fact: { what: 'figures, times, states and random ids', isExported: true, isCleared: false },
  pseudonym: { what: 'ids, handles and labels of accounts', isExported: true, isCleared: false },
  identity: { what: 'names, addresses and accounts elsewhere', isExported: true, isCleared: true },
  text: { what: 'what somebody wrote, and queries', isExported: true, isCleared: true },
  network: { what: 'keyed hashes of network addresses', isExported: true, isCleared: true },
  secret: { what: 'hashes of keys, tokens, links and salts', isExported: false, isCleared: true },
  money: { what: 'payments, transactions and statements of money', isExported: true, isCleared: false },
  published: { what: 'what anyone could read, and what was signed', isExported: true, isCleared: false },
  consent: { what: 'consents to the use of health data', isExported: true, isCleared: false },
  derived: { what: 'copies for search and statistics', isExported: false, isCleared: false },
};

/** The rows whose column is among these of another table. */
export interface Through {
  readonly table: string;
  readonly key: string;
  readonly owner: OwnerColumn;
}

/** Where the id of the agent stands: in the column itself, behind a prefix, or in a row of another table. */
export interface OwnerColumn {
  readonly column: string;
  /** The column holds one of these followed by the agent's id. */
  readonly prefixes?: readonly string[];
  readonly through?: Through;
}

/** Whose rows these are, and what an erasure of that person does with them. */
export interface Owner extends OwnerColumn {
  readonly role: string;
  /** `delete`: the rows go. `clear`: what names or quotes the person goes. `keep`: the rows stay as they are. */
  readonly erasure: 'delete' | 'clear' | 'keep';
  /** Another person's, or the marketplace's own: not in this owner's export. */
  readonly hides?: readonly string[];
  /** In place of the columns that their kinds say. */
  readonly clears?: readonly string[];
}

/** What ends by itself, as a whole: a purchase, a credit, what a bank took, an offer, a case, a payout in USDC, an account. */
export type EndingKind = 'purchase' | 'top_up' | 'dispute' | 'offer' | 'case' | 'payout' | 'account';

/**
 * How rows end when the years of records are over: with what their column names, or so long after a time of their own (the
 * key is the table's). `ledger`: as its entries do. `pair`: with the last that a buyer had of a seller. `trigger`: one
 * deletes them with what they are about.
 */
export type RecordsEnd =
  | { readonly with: Readonly<Partial<Record<EndingKind, string>>> }
  | { readonly after: string; readonly key: string }
  | 'ledger'
  | 'pair'
  | 'trigger';

/** One table: which columns hold what, whose the rows are, and how long they are kept. */
export interface HeldTable {
  readonly name: string;
  readonly what: string;
  readonly until: RetentionRule;
  readonly ends?: RecordsEnd;
  /** Nobody's, where it is empty. */
  readonly owners: readonly Owner[];
  /** What the audit chain calls a row, where operators act on it, and the column with its id. */
  readonly subject?: { readonly type: string; readonly key: string };
  /** Names of columns, apart by spaces. */
  readonly columns: Readonly<Partial<Record<HeldKind, string>>>;
  /** What takes the place of a value that may not be NULL. `{id}`: of the agent's keyed digest. */
  readonly replacements?: Readonly<Record<string, string>>;
}

export const own = (column = 'agent_id', role = 'self'): Pick<Owner, 'role' | 'column'> => ({ role, column });

/** They end with the purchase. */
export const WITH_PURCHASE: RecordsEnd = { with: { purchase: 'purchase_id' } };

/** Rows of a purchase are its buyer's and its seller's. */
export const ofPurchase = (
  role: 'buyer' | 'seller',
  column = 'purchase_id',
): Pick<Owner, 'role' | 'column' | 'through'> => ({
  role,
  column,
  through: { table: 'purchases', key: 'id', owner: { column: `${role}_id` } },
});

/** What is said in a dispute is both parties', whoever said it. */
export const ofStatement = (
  role: 'buyer' | 'seller',
  column = 'statement_id',
): Pick<Owner, 'role' | 'column' | 'through'> => ({
  role,
  column,
  through: { table: 'dispute_statements', key: 'id', owner: ofPurchase(role) },
});

export const ofListing = (column = 'listing_id'): Pick<Owner, 'role' | 'column' | 'through'> => ({
  role: 'seller',
  column,
  through: { table: 'listings', key: 'id', owner: { column: 'seller_id' } },
});

export const ofInquiry = (column = 'inquiry_id'): Pick<Owner, 'role' | 'column' | 'through'> => ({
  role: 'inquirer',
  column,
  through: { table: 'inquiries', key: 'id', owner: { column: 'agent_id' } },
});

export const columnsOf = ({ columns }: HeldTable): ReadonlyMap<string, HeldKind> =>
  new Map(
    Object.entries(columns).flatMap(([kind, names]) =>
      names.split(' ').map((name) => [name, kind as HeldKind] as const),
    ),
  );

const ERASURES = { delete: 'deleted', clear: 'emptied', keep: 'stays' } as const;

/** What an erasure does with the rows of somebody, by role where it differs; – where they are nobody's. */
export function erasureOf({ owners }: HeldTable): string {
  if (owners.length === 0) return '–';
  const byRole = new Map(owners.map(({ role, erasure }) => [role, ERASURES[erasure]]));
  const erasures = new Set(byRole.values());
  if (erasures.size === 1) return [...erasures].join();
  return [...byRole].map(([role, erasure]) => `${erasure} (${role})`).join(', ');
}
