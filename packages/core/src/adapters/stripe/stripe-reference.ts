import type { CardReference } from '../../kernel/ports/card-processor.ts';

const KINDS: readonly CardReference['kind'][] = ['purchase', 'top_up', 'setup'];

/** The metadata that ties an object at Stripe to a purchase, top-up or setup. */
export function toMetadata({ kind, id }: CardReference): { kind: string; id: string } {
  return { kind, id };
}

/** Null for an object that was created in Stripe's dashboard. */
export function fromMetadata(metadata: Readonly<Record<string, string>> | null): CardReference | null {
  const kind = KINDS.find((known) => known === metadata?.kind);
  const id = metadata?.id;
  return kind && id ? { kind, id } : null;
}

/** One group for all charges and transfers of a purchase. */
export function transferGroup({
  kind,
  id,
}: CardReference): { transfer_group: string } | Record<string, never> {
  return kind === 'purchase' ? { transfer_group: id } : {};
}

/** Stripe sends a related object as its id, or in full where the call expanded it. */
export function idOf(related: string | { readonly id: string } | null): string | null {
  return typeof related === 'string' ? related : (related?.id ?? null);
}
