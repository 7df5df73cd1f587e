import { restartCounters } from '../doubles/counters.ts';

restartCounters();
