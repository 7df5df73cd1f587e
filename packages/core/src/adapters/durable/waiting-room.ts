import type {
  MailboxAnswer,
  MailboxHolder,
  NewMessage,
  PendingMessage,
} from '../../kernel/ports/polling-mailbox.ts';

import { WaitingCalls } from './waiting-calls.ts';

/** What is left of a full mailbox, or of a share of it. */
interface Room {
  readonly messages: number;
  readonly characters: number;
}

/** The messages of a seller who never polls must still fit into one answer. */
const WHOLE: Room = { messages: 100, characters: 4 * 1024 * 1024 };
type Part = MailboxHolder['part'];

/**
 * Keys and networks cost nothing or little: together they leave most of the mailbox to whoever pays, and a half of what
 * is theirs is for networks that have no place yet.
 */
const PARTS: Readonly<Record<Part, Room>> = {
  paid: WHOLE,
  unpaid: { messages: 20, characters: WHOLE.characters / 5 },
  keyless: { messages: 50, characters: WHOLE.characters / 2 },
};
const FOR_MORE_THAN_ONE: Readonly<Record<Part, Room>> = {
  paid: WHOLE,
  unpaid: { messages: 10, characters: WHOLE.characters / 10 },
  keyless: { messages: 25, characters: WHOLE.characters / 4 },
};
const OF_ONE: Readonly<Record<Part, Room>> = {
  paid: { messages: 25, characters: WHOLE.characters / 4 },
  unpaid: { messages: 10, characters: WHOLE.characters / 8 },
  keyless: { messages: 10, characters: WHOLE.characters / 8 },
};

interface Waiting {
  readonly message: PendingMessage;
  readonly holder: MailboxHolder | undefined;
}

/** The messages of one seller, each with the call that waits for its answer. */
export class WaitingRoom {
  readonly #calls = new WaitingCalls<Waiting, MailboxAnswer>();

  ask({ holder, isPaid: _, ...message }: NewMessage, timeoutMs: number): Promise<MailboxAnswer> {
    const { id } = message;
    if (this.#calls.has(id) || !this.#hasRoom(message.body, holder)) return Promise.resolve({ kind: 'busy' });
    const waiting = { message: { ...message, expiresAt: Date.now() + timeoutMs }, holder };
    return this.#calls.wait(id, waiting, timeoutMs, { kind: 'timed_out' });
  }

  pending(limit: number): PendingMessage[] {
    return this.#held()
      .slice(0, limit)
      .map(({ message }) => message);
  }

  answer(id: string, body: Uint8Array): 'accepted' | 'unknown' {
    return this.#calls.settle(id, { kind: 'answered', body }) ? 'accepted' : 'unknown';
  }

  #held(): Waiting[] {
    return this.#calls.entries().map(([, waiting]) => waiting);
  }

  /**
   * Whether there is room for the message. Beyond a first place nobody, and no network, may hold more than it leaves to
   * others: so the busiest are refused first.
   */
  #hasRoom({ length }: string, holder: MailboxHolder | undefined): boolean {
    const all = this.#held();
    const rooms = [left(WHOLE, all)];
    if (holder !== undefined) {
      const { part, network, id } = holder;
      const ofPart = all.filter((other) => other.holder?.part === part);
      const ofNetwork = ofPart.filter((other) => other.holder?.network === network);
      const own = ofPart.filter((other) => other.holder?.id === id);
      rooms.push(left(PARTS[part], ofPart), left(OF_ONE[part], own));
      if (ofNetwork.length > 0) rooms.push(left(FOR_MORE_THAN_ONE[part], [...ofPart, ...ofNetwork, ...own]));
    }
    return rooms.every(({ messages, characters }) => messages > 0 && characters >= length);
  }
}

function left({ messages, characters }: Room, held: readonly Waiting[]): Room {
  const length = held.reduce((total, { message }) => total + message.body.length, 0);
  return { messages: messages - held.length, characters: characters - length };
}
