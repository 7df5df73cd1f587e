import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A copy of the work tree that may be broken: what git tracks, as it stands here, with the packages installed here. */
export interface WorkCopy {
  readonly path: string;
  remove(): void;
}

export function createWorkCopy(): WorkCopy {
  const path = join(realpathSync(mkdtempSync(join(tmpdir(), 'mutants-'))), 'copy');
  // Of what is not committed, a commit that belongs to no branch; nothing where all is committed.
  const changes = git('stash', 'create');
  git('worktree', 'add', '--quiet', '--detach', path, changes === '' ? 'HEAD' : changes);
  const remove = () => {
    git('worktree', 'remove', '--force', path);
    rmSync(join(path, '..'), { recursive: true, force: true });
  };
  for (const folder of ['.', ...workspaces('packages'), ...workspaces('workers')]) linkPackages(path, folder);
  return { path, remove };
}

function git(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
  return stdout.trim();
}

const workspaces = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name));

/** Packages of this repository are linked to the copy: to their originals, no mutant would ever be tested. */
function linkPackages(copy: string, folder: string): void {
  const from = join(ROOT, folder, 'node_modules');
  if (!existsSync(from)) return;
  const to = join(copy, folder, 'node_modules');
  mkdirSync(to);
  const names = readdirSync(from)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      if (!name.startsWith('@')) return name;
      mkdirSync(join(to, name));
      return readdirSync(join(from, name)).map((inner) => join(name, inner));
    });
  for (const name of names) {
    const target = realpathSync(join(from, name));
    const inside = relative(realpathSync(ROOT), target);
    const isOurs = !inside.startsWith('..') && !inside.includes('node_modules');
    symlinkSync(isOurs ? join(copy, inside) : target, join(to, name));
  }
}
