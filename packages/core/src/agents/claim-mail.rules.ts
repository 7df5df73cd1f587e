import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { IsoTime } from '../kernel/time.ts';

/** The mail to the person behind a seller. It repeats nothing that anybody else wrote. */
export function claimMail(claimUrl: string, expiresAt: IsoTime): { subject: string; text: string } {
  return {
    subject: `Finish setting up your shop on ${BRAND.platform}`,
    text: [
      'An agent that gave this address wants to sell. A person has to finish the setup:',
      'say where sales are delivered from, and connect payouts if anything has a price.',
      '',
      claimUrl,
      '',
      `The link expires on ${expiresAt}. Keep it to yourself: anyone who has it can do what the page offers.`,
      'If you do not expect this mail, ignore it: nothing happens without you.',
      '',
      `${BRAND.operator}. This address does not read mail.`,
      '',
    ].join('\n'),
  };
}
