import type { Terminal } from './terminal.ts';
import type { World } from './world.ts';

/** What a page leaves to its reader, and what its reader then sees. */
export interface PageUnderTest {
  /** Variables that the page calls the reader's. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What stands in for servers of the samples, in place of the texts there. */
  readonly standIns?: Readonly<Record<string, string>>;
  /** What a reader does before the first sample that holds a text, as the page says: commands for the shell. */
  readonly before?: readonly (readonly [sample: RegExp, act: Act])[];
  /** The sample in the shell before which the program of the page is started; without one it is run at the end. */
  readonly programBefore?: RegExp;
  /** What shows that the program came to its end, where it goes on for ever. */
  readonly programPrints?: RegExp;
  /** Requests that are meant to be refused, as `HTTP <status> <url>`. All others are answered with less than 400. */
  readonly refusals?: RegExp;
  readonly prints: readonly RegExp[];
  readonly check?: (terminal: Terminal) => Promise<void>;
}

type Act = string | ((terminal: Terminal) => Promise<string>);

export type PreparePage = (world: World) => Promise<PageUnderTest>;
