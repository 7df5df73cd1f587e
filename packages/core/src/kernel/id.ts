import * as z from 'zod';

/** An id that a caller sends. UUIDs are written in either case (RFC 9562) and kept in lower case. */
export const id = z.uuid().toLowerCase();
