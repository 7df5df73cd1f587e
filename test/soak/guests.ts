import { randomUUID } from 'node:crypto';
import { newBerth, signedBody, type TestBerth } from '../ingress/berth.ts';
import type { Random } from '../week/random.ts';
import type { Caller } from './caller.ts';

const TTL_MS = 120_000;
/** The runtime reads its clock when a request comes in, this program when it is sent and answered. */
const TOLERANCE_MS = 100;
/** What the door takes of a clock that goes wrong, in seconds. */
const MAX_SKEW_SECONDS = 300;
const CLASS = 'COMMERCE';

/** What the door's answers are judged by. */
export interface DoorClock {
  now(): number;
  /** Counts how often it was put forward; odd while that happens, since the door learns of it a moment later. */
  leaps(): number;
}

interface Session {
  readonly sessionId: string;
  /** A heartbeat that is answered before is not refused. */
  surelyUntil: number;
}

/** The sessions of all guests: depth is never above those that may be live. */
export class Guests {
  readonly #all: Guest[] = [];
  readonly #caller: Caller;
  readonly #clock: DoorClock;

  constructor(caller: Caller, clock: DoorClock) {
    this.#caller = caller;
    this.#clock = clock;
  }

  async newGuest(random: Random): Promise<Guest> {
    const guest = new Guest(this.#caller, this.#clock, random, await newBerth());
    this.#all.push(guest);
    return guest;
  }

  async readDepth(): Promise<void> {
    const sentAt = this.#clock.now();
    const leaps = this.#clock.leaps();
    const reply = await this.#caller.ask('GET', `/ingress/occupancy?class=${CLASS}`);
    if (reply?.status !== 200 || hasLeapt(this.#clock, leaps)) return;
    const most = this.#all.filter(({ maybeUntil }) => maybeUntil > sentAt - TOLERANCE_MS).length;
    const { live_counterparties: depth } = reply.body;
    if (depth > most) this.#caller.note(`depth ${depth}, and at most ${most} guests are live`);
  }
}

export class Guest {
  /** When its last session ended at the latest. */
  maybeUntil = 0;
  #session: Session | null = null;
  readonly #caller: Caller;
  readonly #clock: DoorClock;
  readonly #random: Random;
  readonly #berth: TestBerth;

  constructor(caller: Caller, clock: DoorClock, random: Random, berth: TestBerth) {
    this.#caller = caller;
    this.#clock = clock;
    this.#random = random;
    this.#berth = berth;
  }

  async comeOrStay(): Promise<void> {
    await (this.#session === null || this.#random.chance(0.05) ? this.#enter() : this.#beat(this.#session));
  }

  /** With a clock that goes wrong. What is unknown is asked again, to the byte, and is the same answer. */
  async #enter(): Promise<void> {
    const isTooWrong = this.#random.chance(0.05);
    const skewSeconds = isTooWrong ? 2 * MAX_SKEW_SECONDS : 0.9 * MAX_SKEW_SECONDS;
    const ts = Math.floor(
      this.#clock.now() / 1000 + (2 * this.#random.next() - 1 > 0 ? 1 : -1) * skewSeconds,
    );
    const body = await signedBody(this.#berth, {
      intentClass: CLASS,
      requestId: randomUUID(),
      side: this.#random.pick(['buy', 'sell']),
      ts,
    });
    const leaps = this.#clock.leaps();
    this.maybeUntil = Number.POSITIVE_INFINITY;
    const sentAt = this.#clock.now();
    const reply = await this.#caller.ask('POST', '/ingress/admit', { body });
    this.maybeUntil = this.#clock.now() + TTL_MS + TOLERANCE_MS;
    if (reply?.status === 200) {
      if (isTooWrong) this.#caller.note(`admitted with a clock ${skewSeconds} s off`);
      this.#session = { sessionId: reply.body.sessionId, surelyUntil: sentAt + TTL_MS };
      const again = await this.#caller.ask('POST', '/ingress/admit', { body });
      if (again?.status === 200 && again.text !== reply.text)
        this.#caller.note('another answer to one requestId');
    } else if (reply !== null && !isTooWrong && reply.status < 429 && !hasLeapt(this.#clock, leaps)) {
      this.#caller.note(`not admitted: ${reply.status} ${reply.text.slice(0, 300)}`);
    }
    if (hasLeapt(this.#clock, leaps)) this.#session = null;
  }

  async #beat(session: Session): Promise<void> {
    const sentAt = this.#clock.now();
    const leaps = this.#clock.leaps();
    const until = this.maybeUntil;
    this.maybeUntil = Number.POSITIVE_INFINITY;
    const body = { sessionId: session.sessionId };
    const reply = await this.#caller.ask('POST', '/ingress/heartbeat', { body });
    const answeredAt = this.#clock.now();
    const isLeaping = hasLeapt(this.#clock, leaps);
    this.maybeUntil = reply?.status === 404 ? until : answeredAt + TTL_MS + TOLERANCE_MS;
    if (reply?.status === 200) session.surelyUntil = sentAt + TTL_MS;
    if (reply?.status === 404) {
      if (!isLeaping && answeredAt < session.surelyUntil - TOLERANCE_MS)
        this.#caller.note(`a live session is refused, ${session.surelyUntil - answeredAt} ms before its end`);
      this.#session = null;
    }
    // Whether the door was told of the leap before or after is unknown.
    if (isLeaping) this.#session = null;
  }
}

const hasLeapt = (clock: DoorClock, leapsBefore: number) =>
  clock.leaps() !== leapsBefore || leapsBefore % 2 === 1;
