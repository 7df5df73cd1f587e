import { addProfiles } from './commands/profiles.ts';
import { addRegister } from './commands/register.ts';
import { addSearch } from './commands/search.ts';
import { addShow } from './commands/show.ts';
import type { AddCommand } from './frame/command.ts';

/** Every command, in the order of the help. */
export const commands: readonly AddCommand[] = [addRegister, addProfiles, addSearch, addShow];
