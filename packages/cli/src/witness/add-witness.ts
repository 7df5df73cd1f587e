import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { writePrivate } from '../config/config-file.ts';
import { wholeNumber } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import { untilInterrupted } from '../gateway/add-gateway.ts';
import { plainLine } from '../output/plain-text.ts';

const DEFAULT_PORT = 9100;

export const addWitness: AddCommand = (program, act) => {
  program
    .command('witness')
    .description('Cosign the checkpoints of logs that only grow, so that no operator can show two histories.')
    .option('--folder <folder>', 'its key and what it cosigned; keep both', 'witness')
    .option('--name <name>', 'at the first start: what it signs under, such as club.example/witness')
    .option('--log <vkey>', 'the verifier key of a log that it cosigns; repeat it for more', repeated)
    .option('--port <port>', 'where it listens', wholeNumber, DEFAULT_PORT)
    .option('--host <address>', 'on which address', '127.0.0.1')
    .action(
      act(async (shell, { folder, name = null, log: vkeys, port, host }) => {
        if (vkeys === undefined)
          throw new CliFailure('usage', 'Name a log with --log.', {
            hint: 'Its verifier key is what GET <api root>/log/key answers. Ask its operator on another way, too.',
          });
        const { formatNoteKey, parseNote, parseNoteKey } = await import(
          '@agent-marketplace/protocol/log/note.ts'
        );
        const { openWitnessKey } = await import('./witness-key.ts');
        const { folderTrees } = await import('./witnessed-trees.ts');
        const { serveWitness } = await import('./serve-witness.ts');
        const logs: NoteKey[] = [];
        for (const vkey of vkeys) {
          const key = await parseNoteKey(vkey);
          if (key?.type !== 1) throw new CliFailure('usage', `This is no verifier key of a log: ${vkey}`);
          logs.push(key);
        }
        const signer = await openWitnessKey(join(folder, 'key.json'), name);
        const log = (line: string) => shell.note(`${new Date().toISOString()} ${plainLine(line)}`);
        const running = await serveWitness({
          witness: { logs, signer, trees: folderTrees(join(folder, 'trees')), now: Date.now },
          host,
          port,
          log,
          async keepFork(fork) {
            // One file for each tree that the log signed: whoever repeats a fork that was published must not fill the disk.
            const { text = '' } = parseNote(fork.newer) ?? {};
            const name = createHash('sha256').update(text).digest('hex');
            const path = join(folder, 'forks', `${name}.json`);
            if (existsSync(path)) return;
            await writePrivate(path, fork);
            log(`The log shows two histories. Both checkpoints are in ${path}.`);
          },
        });
        const vkey = formatNoteKey(signer.key);
        const url = `http://${host}:${running.port}`;
        shell.printLine({ vkey, url }, vkey);
        shell.note(`The witness listens on ${url}. Stop it with Ctrl-C.`);
        await untilInterrupted(shell);
        await running.close();
      }),
    );
};

const repeated = (text: string, before: readonly string[] = []): string[] => [...before, text];
