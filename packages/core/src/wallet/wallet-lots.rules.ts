import type { WalletEntry as StatementEntry } from './wallet-statement.store.ts';

/** An entry of a wallet, as far as it says where money came from and went. */
export type WalletEntry = Pick<StatementEntry, 'kind' | 'reference' | 'amountCents'>;

/** What is left in a wallet of each top-up, and what each purchase was paid with, by the id of the top-up. */
export interface WalletLots {
  readonly left: ReadonlyMap<string, number>;
  /** In the order in which they were paid. */
  readonly paid: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** What was there before the first entry. */
const BEFORE = '';

/** Follows every cent of a wallet, the oldest entry first: what came in first is spent first, and goes back to where it was. */
export function followCredits(entries: readonly WalletEntry[], beforeCents = 0): WalletLots {
  const left = new Map<string, number>([[BEFORE, beforeCents]]);
  const paid = new Map<string, Map<string, number>>();
  /** What goes back to cards. */
  const refunded = new Map<string, Map<string, number>>();
  const add = (topUpId: string, cents: number) => left.set(topUpId, (left.get(topUpId) ?? 0) + cents);
  const spend = (cents: number, first: string | null): Map<string, number> => {
    const parts = new Map<string, number>();
    let open = cents;
    const order = first === null ? [...left.keys()] : [first, ...left.keys()];
    for (const topUpId of order) {
      const part = Math.min(open, left.get(topUpId) ?? 0);
      if (part <= 0) continue;
      add(topUpId, -part);
      parts.set(topUpId, (parts.get(topUpId) ?? 0) + part);
      open -= part;
    }
    return parts;
  };
  for (const { kind, reference, amountCents } of entries) {
    const [about = ''] = reference.split(':');
    const isOfTopUp = about !== BEFORE && left.has(about);
    if (kind === 'reserve' && isOfTopUp) refunded.set(reference, spend(-amountCents, about));
    else if (kind === 'reserve') paid.set(about, spend(-amountCents, null));
    else if (kind === 'chargeback' && amountCents < 0) spend(-amountCents, about);
    else if (kind === 'top_up' || kind === 'chargeback') add(about, amountCents);
    else giveBack(isOfTopUp ? refunded.get(reference) : paid.get(about), amountCents, add);
  }
  return { left, paid };
}

function giveBack(
  parts: Map<string, number> | undefined,
  cents: number,
  add: (topUpId: string, cents: number) => void,
): void {
  let open = cents;
  for (const [topUpId, part] of [...(parts ?? [])].reverse()) {
    const back = Math.min(open, part);
    parts?.set(topUpId, part - back);
    add(topUpId, back);
    open -= back;
  }
  if (open > 0) add(BEFORE, open);
}
