import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Objects from './objects.ts';
import type * as Records from './records.ts';

type Table<T> = Record<string, T>;

/** Everything the card processor knows, as it lies in its file. */
export interface State {
  /** How far its clock was put forward. */
  clockOffsetMs: number;
  /** How refunds begin. */
  refundStatus: Objects.Refund['status'];
  /** How much a dollar buys, by currency. */
  readonly exchangeRates: Table<number>;
  /** Where nothing is sent any more. */
  closedCountries: string[];
  readonly customers: Table<Objects.Customer>;
  readonly sessions: Table<Objects.CheckoutSession>;
  readonly plans: Table<Records.CheckoutPlan>;
  readonly setupIntents: Table<Objects.SetupIntent>;
  readonly paymentMethods: Table<Objects.PaymentMethod>;
  /** By payment method; never part of an answer. */
  readonly cardNumbers: Table<string>;
  readonly paymentIntents: Table<Objects.PaymentIntent>;
  readonly charges: Table<Objects.Charge>;
  readonly refunds: Table<Objects.Refund>;
  readonly disputes: Table<Objects.Dispute>;
  readonly accounts: Table<Objects.Account>;
  readonly accountLinks: Table<Records.OnboardingLink>;
  readonly transfers: Table<Objects.Transfer>;
  readonly transferReversals: Table<Objects.TransferReversal>;
  readonly bankMovements: Table<Objects.BankMovement>;
  readonly balanceTransactions: Objects.BalanceTransaction[];
  readonly idempotency: Table<Records.KeptAnswer>;
  readonly deliveries: Records.Delivery[];
  /** The last of them, delivered or not. */
  readonly events: Records.Event[];
}

function emptyState(): State {
  return {
    clockOffsetMs: 0,
    refundStatus: 'succeeded',
    exchangeRates: { usd: 1 },
    closedCountries: [],
    customers: {},
    sessions: {},
    plans: {},
    setupIntents: {},
    paymentMethods: {},
    cardNumbers: {},
    paymentIntents: {},
    charges: {},
    refunds: {},
    disputes: {},
    accounts: {},
    accountLinks: {},
    transfers: {},
    transferReversals: {},
    bankMovements: {},
    balanceTransactions: [],
    idempotency: {},
    deliveries: [],
    events: [],
  };
}

export interface StateFile {
  readonly state: State;
  /** Writes soon: what happens close together is written once. */
  changed(): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

const WRITE_DELAY_MS = 100;

/** The state in a file of this folder; in memory only without one. */
export async function openState(stateDir: string | null): Promise<StateFile> {
  if (stateDir === null) return { state: emptyState(), changed: () => {}, flush: async () => {} };
  const file = join(stateDir, 'card-processor.json');
  await mkdir(stateDir, { recursive: true });
  const kept = await readFile(file, 'utf8').then(
    (json) => JSON.parse(json) as Partial<State>,
    (error: NodeJS.ErrnoException) => {
      // A file that is there and cannot be read must not be replaced by an empty one.
      if (error.code !== 'ENOENT') throw error;
      return {};
    },
  );
  const state = { ...emptyState(), ...kept };

  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  let written = Promise.resolve();
  // The text is made when the file before is written: texts of all that is known would pile up behind a slow disk.
  const write = () => {
    written = written.then(async () => {
      if (!isDue) return;
      isDue = false;
      await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
      await rename(`${file}.new`, file);
    });
    return written;
  };
  return {
    state,
    changed: () => {
      if (isDue) return;
      isDue = true;
      timer = setTimeout(() => void write(), WRITE_DELAY_MS);
    },
    flush: () => {
      clearTimeout(timer);
      return write();
    },
  };
}
