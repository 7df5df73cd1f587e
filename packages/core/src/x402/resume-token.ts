import { isSameText } from '../agents/index.ts';
import { BRAND } from '../kernel/brand.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { UsdcOffer } from '../sales/index.ts';

/** In an answer: what the same payment shows to be answered again. In a request: that. */
export const RESUME_HEADER = BRAND.header.resume;

type HashPorts = Pick<Ports, 'keyedHash'>;

/**
 * A settled payment stands on chain with its signature, so that anyone can send a copy of it. Version 1 has nothing that
 * is not on chain: its first answer carries this.
 */
export async function resumeTokenOf({ keyedHash }: HashPorts, { binding }: UsdcOffer): Promise<string> {
  return (await keyedHash.hex('x402_resume', binding)).slice(0, 32);
}

export async function isResumeToken(ports: HashPorts, offer: UsdcOffer, token: string): Promise<boolean> {
  return isSameText(token, await resumeTokenOf(ports, offer));
}
