import { releaseAttachments } from '../../inquiries/index.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import { eraseHeldRows } from '../held/held-rows.store.ts';

/** All that an erasure deletes and empties, to be committed as a whole. A second time it changes nothing. */
export function eraseAccount(agentId: string, digest: string): Statement[] {
  return [...releaseAttachments(agentId), ...eraseHeldRows(agentId, digest)];
}
