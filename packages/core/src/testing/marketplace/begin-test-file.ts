import fc from 'fast-check';
import { restartCounters } from '../doubles/counters.ts';
import { defineFixedLengthStream } from '../doubles/fixed-length-stream.ts';
import { useSynchronousCrypto } from '../doubles/synchronous-crypto.ts';
import { restoreWebGlobals } from '../doubles/web-globals.ts';
import { emptyStorage } from './bindings.node.ts';

// Test files share a process, which saves most of what it costs to load everything. Each starts from empty storage,
// the schema as deployed, and the same ids.

// A change must not fail for what another run would not find. Every night looks elsewhere.
if (process.env.FULL !== '1') fc.configureGlobal({ seed: 20_261_123 });
restoreWebGlobals();
defineFixedLengthStream();
useSynchronousCrypto();
emptyStorage();
restartCounters();
