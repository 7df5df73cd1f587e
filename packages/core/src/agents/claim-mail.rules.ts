import { BRAND } from '../kernel/brand.ts';
import type { IsoTime } from '../kernel/time.ts';

/** For the person behind a seller. It holds nothing that somebody else wrote. */
export function claimMail(claimUrl: string, expiresAt: IsoTime): { subject: string; text: string } {
  return {
    subject: `Finish setting up your shop on ${BRAND.platform}`,
    text: [
      'An agent that gave this address as its own wants to sell, and a person has to finish that:',
      'say where sales are delivered from, and connect payouts if anything has a price.',
      '',
      claimUrl,
      '',
      `The link ends on ${expiresAt}. Keep it to yourself: whoever has it can do what the page offers.`,
      'If you know nothing of this, ignore it: without you nothing happens.',
      '',
      `${BRAND.operator}. This address does not read mail.`,
      '',
    ].join('\n'),
  };
}
