import { restartCounters } from './counters.ts';

restartCounters();
