import { type LogPolicy, parseLogPolicy as parse } from '@agent-marketplace/protocol/log/log-policy.ts';

/**
 * Reads your policy (c2sp.org/tlog-policy): the logs and witnesses that you believe, by their verifier keys, and the quorum of
 * witnesses that a checkpoint needs.
 *
 * A function here, and not the other's re-export: bundlers would put that one into every page that uses any of the SDK.
 *
 * @throws LogPolicyError (rejects with it), which names the line.
 */
export async function parseLogPolicy(text: string): Promise<LogPolicy> {
  return parse(text);
}
