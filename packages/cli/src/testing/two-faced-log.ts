import { formatWitnessRequest } from '@agent-marketplace/protocol/log/log-proof.ts';
import { createStubLog, fillers, type StubLog } from '../../../sdk/src/testing/stub-log.ts';

/** The request that a log makes. */
export async function requestOf(log: StubLog, oldSize: number, size = log.entries.length): Promise<string> {
  const checkpoint = await log.publish({ size });
  return formatWitnessRequest({ oldSize, hashes: await log.consistency(oldSize, size), checkpoint });
}

/** Two histories with the same beginning, as an operator would show them to two people. */
export async function createTwoFaced() {
  const log = await createStubLog();
  const shared = fillers(5);
  const branches = [0, 1].map((branch) => [...shared, ...fillers(200, 1000 * (branch + 1))]);
  /** The request that goes on with one of the histories. */
  const requestFor = async (branch: number, oldSize: number, size: number) => {
    log.entries.splice(0, log.entries.length, ...(branches[branch] ?? []));
    const request = await requestOf(log, oldSize, size);
    return { request, branch, size };
  };
  return { log, requestFor };
}
