import { build } from '../../db/build.ts';
import { type Params, write } from '../../db/query.ts';
import { partyMarks } from '../../db/tables/agents.ts';
import type { Statement } from '../../kernel/ports/database.ts';

/**
 * What only one owner has. The others are recorded by triggers: payout wallets, payers' addresses and delivery hosts.
 * An e-mail address counts once it is verified, and as a keyed hash.
 */
type ProofKind = 'card' | 'email' | 'claim';

const saveProof = write((p: Params<{ mark: string; holder: string }>) =>
  build
    .insert(partyMarks)
    .values({ mark: p.mark, holder: p.holder, isProof: true })
    .onConflictDoNothing({ target: [partyMarks.mark, partyMarks.holder] }),
);

/** Whoever has the same is one party with this agent from then on, and for what they sold each other before. */
export function recordPartyMark(agentId: string, kind: ProofKind, value: string): Statement {
  return saveProof({ mark: `${kind}:${value}`, holder: agentId });
}
