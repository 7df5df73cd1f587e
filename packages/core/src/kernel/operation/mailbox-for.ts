import type { MailboxHolder, NewMessage, PollingMailbox } from '../ports/polling-mailbox.ts';
import type { Runtime } from './call.ts';
import type { QuotaHolder } from './daily-quota.ts';
import { wideNetworkOf } from './rate-key.ts';

/** Mailboxes in which what a request leaves counts towards the share of whoever sent the request. */
export function mailboxFor(
  caller: QuotaHolder,
  { ports: { pollingMailbox }, quotas }: Pick<Runtime, 'ports' | 'quotas'>,
): PollingMailbox {
  async function holderOf(sellerId: string, { isPaid = false }: NewMessage): Promise<MailboxHolder> {
    if (caller.kind === 'network') {
      const { network: id } = caller;
      // The shares of a mailbox are few: all networks of a /48 have one together.
      return { part: isPaid ? 'paid' : 'keyless', id, network: wideNetworkOf(id) ?? id };
    }
    const { agentId: id } = caller;
    // What sellers send themselves must not wait until strangers leave room for it.
    if (isPaid || quotas === null || id === sellerId) return { part: 'paid', id, network: id };
    const standing = await quotas.standingOf(id);
    if (standing?.isPaid) return { part: 'paid', id, network: id };
    return { part: 'unpaid', id, network: standing?.network ?? id };
  }
  return {
    ...pollingMailbox,
    async ask(sellerId, message, timeoutMs) {
      let holder: MailboxHolder;
      try {
        holder = await holderOf(sellerId, message);
      } catch {
        return { kind: 'unavailable' };
      }
      return pollingMailbox.ask(sellerId, { ...message, holder }, timeoutMs);
    },
  };
}
