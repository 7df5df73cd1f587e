import type { MailboxAnswer, PendingMessage } from '../../kernel/ports/polling-mailbox.ts';

const MAX_MESSAGES = 100;
/** The messages of a seller who never polls must still fit into one answer. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

interface Waiting {
  readonly message: PendingMessage;
  readonly settle: (answer: MailboxAnswer) => void;
}

/** The messages of one seller, each with the call that waits for its answer. */
export class WaitingRoom {
  readonly #waiting = new Map<string, Waiting>();
  #characters = 0;

  ask(message: Omit<PendingMessage, 'expiresAt'>, timeoutMs: number): Promise<MailboxAnswer> {
    const { id, body } = message;
    const isFull = this.#waiting.size >= MAX_MESSAGES || this.#characters + body.length > MAX_CHARACTERS;
    if (isFull || this.#waiting.has(id)) return Promise.resolve({ kind: 'busy' });
    this.#characters += body.length;
    return new Promise((resolve) => {
      const settle = (answer: MailboxAnswer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        this.#characters -= body.length;
        resolve(answer);
      };
      const timer = setTimeout(settle, timeoutMs, { kind: 'timed_out' } satisfies MailboxAnswer);
      this.#waiting.set(id, { message: { ...message, expiresAt: Date.now() + timeoutMs }, settle });
    });
  }

  pending(limit: number): PendingMessage[] {
    return [...this.#waiting.values()].slice(0, limit).map(({ message }) => message);
  }

  answer(id: string, body: Uint8Array): 'accepted' | 'unknown' {
    const waiting = this.#waiting.get(id);
    waiting?.settle({ kind: 'answered', body });
    return waiting ? 'accepted' : 'unknown';
  }
}
