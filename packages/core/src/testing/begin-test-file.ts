import { emptyStorage } from './bindings.node.ts';
import { restartCounters } from './counters.ts';
import { defineFixedLengthStream } from './fixed-length-stream.ts';
import { useSynchronousCrypto } from './synchronous-crypto.ts';

// Test files share a process, which saves most of what it costs to load everything. Each starts from empty storage,
// the schema as deployed, and the same ids.

defineFixedLengthStream();
useSynchronousCrypto();
emptyStorage();
restartCounters();
