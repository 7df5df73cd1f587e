import type { Ports } from '../kernel/ports/ports.ts';
import { linkWithCode } from '../mail/index.ts';

type LinkPorts = Pick<Ports, 'keyedHash'>;

/**
 * The page that cancels one change of where a seller is paid. It is sent to the seller's e-mail address and given in no
 * answer: whoever has a stolen key must not get it.
 */
export async function cancelPageOf(
  { keyedHash }: LinkPorts,
  siteUrl: string,
  changeId: string,
): Promise<string> {
  const code = await keyedHash.token('payout_change', changeId);
  return linkWithCode(`${siteUrl}/payout-changes/${changeId}`, code);
}

/** Whether the token is of the page of this change; until when it works is the change's to say. */
export function isCancelToken({ keyedHash }: LinkPorts, changeId: string, token: string): Promise<boolean> {
  return keyedHash.isToken('payout_change', changeId, token);
}
