import type {
  MailboxAnswer,
  MailboxHolder,
  NewMessage,
  PendingMessage,
} from '../../kernel/ports/polling-mailbox.ts';

/** What is left of a full mailbox, or of a share of it. */
interface Room {
  readonly messages: number;
  readonly characters: number;
}

/** The messages of a seller who never polls must still fit into one answer. */
const WHOLE: Room = { messages: 100, characters: 4 * 1024 * 1024 };
/** A key costs nothing, so one holds only a share; whoever has none has the share of its network. */
const SHARES: Readonly<Record<MailboxHolder['kind'], Room>> = {
  agent: { messages: 25, characters: WHOLE.characters / 4 },
  network: { messages: 10, characters: WHOLE.characters / 8 },
};
/** Networks are many: taken together, they leave half of the mailbox to keys. */
const OF_ALL_NETWORKS: Room = { messages: 50, characters: WHOLE.characters / 2 };

interface Waiting {
  readonly message: PendingMessage;
  readonly holder: MailboxHolder | undefined;
  readonly settle: (answer: MailboxAnswer) => void;
}

/** The messages of one seller, each with the call that waits for its answer. */
export class WaitingRoom {
  readonly #waiting = new Map<string, Waiting>();

  ask({ holder, ...message }: NewMessage, timeoutMs: number): Promise<MailboxAnswer> {
    const { id } = message;
    if (this.#waiting.has(id) || !this.#hasRoom(message.body.length, holder))
      return Promise.resolve({ kind: 'busy' });
    return new Promise((resolve) => {
      const settle = (answer: MailboxAnswer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(settle, timeoutMs, { kind: 'timed_out' } satisfies MailboxAnswer);
      const pending = { ...message, expiresAt: Date.now() + timeoutMs };
      this.#waiting.set(id, { message: pending, holder, settle });
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

  #hasRoom(characters: number, holder: MailboxHolder | undefined): boolean {
    const all = [...this.#waiting.values()];
    if (!fits(characters, all, WHOLE)) return false;
    if (holder === undefined) return true;
    const { kind, id } = holder;
    const own = all.filter((other) => other.holder?.kind === kind && other.holder.id === id);
    if (!fits(characters, own, SHARES[kind])) return false;
    const ofNetworks = all.filter((other) => other.holder?.kind === 'network');
    return kind === 'agent' || fits(characters, ofNetworks, OF_ALL_NETWORKS);
  }
}

function fits(characters: number, held: readonly Waiting[], room: Room): boolean {
  const sum = held.reduce((total, { message }) => total + message.body.length, characters);
  return held.length < room.messages && sum <= room.characters;
}
