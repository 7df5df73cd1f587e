import type { IsoTime } from '../kernel/time.ts';

/** An agent as everyone may see it. The private name and e-mail address are not part of it. */
export interface PublicAgent {
  readonly id: string;
  readonly handle: string;
  readonly displayName: string | null;
  readonly isSeller: boolean;
  readonly createdAt: IsoTime;
}

/** How an agent is named to others: by choice, or by a stable pseudonym. */
export function sellerNameOf(agent: { displayName: string | null; sellerLabel: string }): string {
  return agent.displayName ?? agent.sellerLabel;
}
