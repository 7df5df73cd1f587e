import { DurableObject } from 'cloudflare:workers';
import type { AnswerStore } from '@agent-marketplace/sdk/seller';

/** A stored value holds 2 MB, and a character takes up to 2 bytes. */
const PART_CHARACTERS = 500_000;
/** As long as files are kept: nobody asks for an answer again later. */
const KEEP_MS = 90 * 86_400_000;

/** The answer to one purchase, in storage that outlives every instance of the Worker. */
export class PurchaseAnswer extends DurableObject {
  async get(): Promise<string | null> {
    const parts = await this.ctx.storage.list<string>();
    return parts.size === 0 ? null : [...parts.values()].join('');
  }

  /** Keeps the first answer, and returns it: whoever was asked at the same time answers the same. */
  async put(answer: string): Promise<string> {
    const first = await this.get();
    if (first !== null) return first;
    const count = Math.ceil(answer.length / PART_CHARACTERS);
    const parts = Array.from({ length: count }, (_, index) => [
      String(index).padStart(3, '0'),
      answer.slice(index * PART_CHARACTERS, (index + 1) * PART_CHARACTERS),
    ]);
    // Neither is awaited alone: both are stored, or none.
    await Promise.all([
      this.ctx.storage.put(Object.fromEntries(parts)),
      this.ctx.storage.setAlarm(Date.now() + KEEP_MS),
    ]);
    return answer;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}

/** Keeps each purchase's answer in an object of its own. */
export function durableAnswers(objects: DurableObjectNamespace<PurchaseAnswer>): AnswerStore {
  return {
    get: (key) => objects.getByName(key).get(),
    put: (key, answer) => objects.getByName(key).put(answer),
  };
}
