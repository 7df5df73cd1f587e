import { reset } from 'cloudflare:test';
import { restartCounters } from './counters.ts';

// Test files of the door share a runtime as well. Each starts without sessions, and with the same ids.

await reset();
restartCounters();
