import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { UsdcOffer } from '../sales/index.ts';

/** In an answer: what the same payment shows to be answered again. In a request: that. */
export const RESUME_HEADER = BRAND.header.resume;

type HashPorts = Pick<Ports, 'keyedHash'>;
type Bound = Pick<UsdcOffer, 'binding'>;

/**
 * A settled payment stands on chain with its signature, so that anyone can send a copy of it. Version 1 has nothing that
 * is not on chain: its first answer carries this.
 */
export async function resumeTokenOf(ports: HashPorts, { binding }: Bound): Promise<string> {
  return ports.keyedHash.token('x402_resume', binding);
}

export async function isResumeToken(ports: HashPorts, { binding }: Bound, token: string): Promise<boolean> {
  return ports.keyedHash.isToken('x402_resume', binding, token);
}
