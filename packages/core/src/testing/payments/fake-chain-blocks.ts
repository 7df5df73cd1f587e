import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { TransferAuthorization } from '../../kernel/ports/chain.ts';

/** What a transaction of the chain in memory does. */
export type FakeEffect =
  | { readonly kind: 'mint'; readonly to: Hex; readonly units: bigint }
  | { readonly kind: 'transfer'; readonly transfer: TransferAuthorization }
  | { readonly kind: 'cancel'; readonly payer: Hex; readonly nonce: Hex };

interface FakeTransaction {
  readonly hash: Hex;
  readonly effect: FakeEffect;
}

interface FakeBlock {
  readonly seconds: number;
  readonly transactions: readonly FakeTransaction[];
}

/** How a nonce was used up; `transfer` is null if it was cancelled. */
export interface NonceUse {
  readonly transaction: Hex;
  readonly transfer: TransferAuthorization | null;
  readonly block: number;
}

/** A transfer as the token's events tell it. */
export interface FakeLog {
  readonly transaction: Hex;
  readonly block: number;
  readonly seconds: number;
  readonly from: Hex;
  readonly to: Hex;
  readonly units: bigint;
}

const NOBODY: Hex = `0x${'0'.repeat(40)}`;

interface State {
  /** How many blocks it is made from. */
  blocks: number;
  readonly logs: FakeLog[];
  readonly balances: Map<string, bigint>;
  readonly uses: Map<string, NonceUse>;
}

const nonceKey = (payer: Hex, nonce: Hex) => `${payer}:${nonce}`.toLowerCase();

const beginning = (): State => ({ blocks: 0, balances: new Map(), uses: new Map(), logs: [] });

/** Blocks and a mempool. The state is made from the blocks, so that dropping one undoes all it did. */
export class FakeBlocks {
  readonly #nowSeconds: () => number;
  readonly #blocks: FakeBlock[] = [];
  #waiting: FakeTransaction[] = [];
  #count = 0;
  #isMining = true;
  #made = beginning();

  constructor(nowSeconds: () => number) {
    this.#nowSeconds = nowSeconds;
  }

  /** While blocks are made, the chain's time is everybody's; otherwise it stands at the last block. */
  get seconds(): number {
    const last = this.#blocks.at(-1)?.seconds ?? 0;
    return this.#isMining ? Math.max(last, this.#nowSeconds()) : last;
  }

  get height(): number {
    return this.#blocks.length;
  }

  stop(): void {
    // So that the time at which it stopped is known.
    this.mine(1);
    this.#isMining = false;
  }

  start(): void {
    this.#isMining = true;
    this.mine(1);
  }

  mine(count: number): void {
    for (let i = 0; i < count; i++) {
      const seconds = Math.max(this.#blocks.at(-1)?.seconds ?? 0, this.#nowSeconds());
      this.#blocks.push({ seconds, transactions: this.#waiting });
      this.#waiting = [];
    }
  }

  send(effect: FakeEffect): Hex {
    const hash = `0x${(++this.#count).toString(16).padStart(64, '0')}` as const;
    this.#waiting.push({ hash, effect });
    if (this.#isMining) this.mine(1);
    return hash;
  }

  /** The last block that did something, and all after it, never were. */
  dropLastBlock({ keepTransactions }: { keepTransactions: boolean }): void {
    this.#made = beginning();
    while (this.#blocks.length > 0) {
      const dropped = this.#blocks.pop();
      if (!dropped || dropped.transactions.length === 0) continue;
      if (keepTransactions) this.#waiting.unshift(...dropped.transactions);
      return;
    }
  }

  forgetWaiting(): void {
    this.#waiting = [];
  }

  waiting(payer: Hex, nonce: Hex): { transaction: Hex; transfer: TransferAuthorization } | null {
    for (const { hash, effect } of this.#waiting) {
      if (effect.kind !== 'transfer') continue;
      const { transfer } = effect;
      if (nonceKey(transfer.from, transfer.nonce) === nonceKey(payer, nonce)) {
        return { transaction: hash, transfer };
      }
    }
    return null;
  }

  balanceOf(account: Hex): bigint {
    return this.#state().balances.get(account.toLowerCase()) ?? 0n;
  }

  use(payer: Hex, nonce: Hex): NonceUse | null {
    return this.#state().uses.get(nonceKey(payer, nonce)) ?? null;
  }

  /** All transfers that took effect, in order. */
  transfers(): TransferAuthorization[] {
    return [...this.#state().uses.values()].flatMap(({ transfer }) => (transfer ? [transfer] : []));
  }

  /** Every transfer of the first so many blocks, mints included, and what an account had after them. */
  read(account: Hex, blocks: number): { logs: readonly FakeLog[]; units: bigint; seconds: number } {
    const { logs, balances } = this.#state(blocks);
    const seconds = this.#blocks[blocks - 1]?.seconds ?? 0;
    return { logs: [...logs], units: balances.get(account.toLowerCase()) ?? 0n, seconds };
  }

  secondsOf(block: number): number {
    return this.#blocks[block]?.seconds ?? 0;
  }

  /** What was made from the blocks so far is added to, where none of them is asked to be left out. */
  #state(count = this.#blocks.length): State {
    const blocks = Math.min(count, this.#blocks.length);
    const state = this.#made.blocks <= blocks ? this.#made : beginning();
    for (; state.blocks < blocks; state.blocks += 1) {
      const { seconds, transactions } = this.#blocks[state.blocks] as FakeBlock;
      for (const transaction of transactions) apply(state, transaction, state.blocks, seconds);
    }
    return state;
  }
}

/** As the token's contract does: what does not hold changes nothing. */
function apply(state: State, { hash, effect }: FakeTransaction, block: number, seconds: number): void {
  const { balances, uses, logs } = state;
  const add = (account: Hex, units: bigint) =>
    balances.set(account.toLowerCase(), (balances.get(account.toLowerCase()) ?? 0n) + units);
  if (effect.kind === 'mint') {
    add(effect.to, effect.units);
    logs.push({ transaction: hash, block, seconds, from: NOBODY, to: effect.to, units: effect.units });
    return;
  }
  if (effect.kind === 'cancel') {
    const key = nonceKey(effect.payer, effect.nonce);
    if (!uses.has(key)) uses.set(key, { transaction: hash, transfer: null, block });
    return;
  }
  const { transfer } = effect;
  const key = nonceKey(transfer.from, transfer.nonce);
  const isInTime = transfer.validAfter < BigInt(seconds) && BigInt(seconds) < transfer.validBefore;
  const balance = balances.get(transfer.from.toLowerCase()) ?? 0n;
  if (uses.has(key) || !isInTime || balance < transfer.units) return;
  add(transfer.from, -transfer.units);
  add(transfer.to, transfer.units);
  uses.set(key, { transaction: hash, transfer, block });
  const { from, to, units } = transfer;
  logs.push({ transaction: hash, block, seconds, from, to, units });
}
