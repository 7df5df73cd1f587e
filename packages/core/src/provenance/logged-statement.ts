import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { DAY_MS, type IsoTime, isoTime } from '../kernel/time.ts';

const SALT_BYTES = 16;

/**
 * When a statement that is signed now is a leaf of the transparency log. It counts from the signature: a delivery that a job
 * finishes may be older.
 */
export const logByOf = ({ clock }: Pick<Ports, 'clock'>): IsoTime => isoTime(clock.now() + DAY_MS);

/** The digest of a statement is public once it is logged: with this, nobody finds by trying what it says. */
export const newSalt = ({ ids }: Pick<Ports, 'ids'>): string => toHex(ids.randomBytes(SALT_BYTES));
