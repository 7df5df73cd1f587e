import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import { signSettlements } from '@agent-marketplace/core/demand/index.ts';
import { createMemoryLog } from '@agent-marketplace/core/testing/doubles/memory-log.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import type { TestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { entriesIn } from '@agent-marketplace/core/transparency/grow-tree.ts';
import { sequenceStatements } from '@agent-marketplace/core/transparency/index.ts';
import { parseCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { formatNoteKey, parseNote } from '@agent-marketplace/protocol/log/note.ts';
import { type KeySet, keySetOf, parseLogPolicy } from '@agent-marketplace/sdk';
import {
  type DemandEvidence,
  type DemandVerified,
  readDemandLedger,
  verifyDemandLedger,
} from '@agent-marketplace/sdk/demand';

/** A log over the market's database, and whoever verifies its demand ledger. */
export async function createLedgerVerifier(market: TestMarketplace) {
  const { ports, files } = await createMemoryLog(createDatabase(testBindings.DB));
  const policy = await parseLogPolicy(`log ${formatNoteKey(ports.signers[0].key)}\nquorum none\n`);

  const text = async (path: string) => {
    const response = await market.request('GET', path);
    if (response.status !== 200) throw new Error(await response.text());
    return response.text();
  };
  const keys = async (): Promise<KeySet> => keySetOf(JSON.parse(await text('/signing-key')));

  return {
    ports,
    files,
    keys,
    /** What jobs and the log do within the minute. */
    async log(): Promise<void> {
      await signSettlements(market.newPorts());
      await sequenceStatements(ports);
      // What was answered before is no longer fresh.
      market.clock.advance(6000);
    },
    pages: () => readDemandLedger((query) => text(`/proof/demand?${new URLSearchParams(query)}`)),
    async entries(): Promise<Uint8Array[]> {
      const checkpoint = parseCheckpoint(parseNote(files.checkpoint ?? '')?.text ?? '');
      const size = checkpoint?.size ?? 0;
      const bundles = Array.from({ length: Math.ceil(size / 256) }, (_, at) => entriesIn(files, at, size));
      return (await Promise.all(bundles)).flat();
    },
    async evidence(): Promise<DemandEvidence> {
      const pages = await this.pages();
      return { ...pages, checkpoint: files.checkpoint ?? '', entries: await this.entries(), policy };
    },
    async verify(changes: Partial<DemandEvidence> = {}): Promise<DemandVerified> {
      const verified = await verifyDemandLedger({ ...(await this.evidence()), ...changes }, await keys());
      if (!verified.valid) throw new Error(`${verified.reason}: ${verified.detail}`);
      return verified;
    },
  };
}
