import type { Command } from '@commander-js/extra-typings';
import type { GlobalOptions, Shell } from './shell.ts';

/** The program, which has the options of every command. */
export type Program = Command<[], GlobalOptions>;

/** Turns what a command does into what the parser calls: with the shell first, then arguments and options. */
export type Act = <A extends unknown[]>(
  handle: (shell: Shell, ...args: A) => Promise<void>,
) => (...args: A) => Promise<void>;

/** Adds one command, or one group of them, to the program. One file each in `commands/`, one line in `commands.ts`. */
export type AddCommand = (program: Program, act: Act) => void;
