import type { CardReference } from '../../kernel/ports/card-processor.ts';

const KINDS: readonly CardReference['kind'][] = ['purchase', 'top_up', 'setup'];

/** What an object at Stripe is for, as its metadata says. */
export function toMetadata({ kind, id }: CardReference): { kind: string; id: string } {
  return { kind, id };
}

/** Null for what somebody made in Stripe's dashboard. */
export function fromMetadata(metadata: Readonly<Record<string, string>> | null): CardReference | null {
  const kind = KINDS.find((known) => known === metadata?.kind);
  const id = metadata?.id;
  return kind && id ? { kind, id } : null;
}

/** What belongs to one purchase is one group, its transfers included. */
export function transferGroup({
  kind,
  id,
}: CardReference): { transfer_group: string } | Record<string, never> {
  return kind === 'purchase' ? { transfer_group: id } : {};
}

/** Stripe gives a related object as its id, or whole where that was asked for. */
export function idOf(related: string | { readonly id: string } | null): string | null {
  return typeof related === 'string' ? related : (related?.id ?? null);
}
