import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliFailure } from '../frame/cli-failure.ts';
import { SELLER_TEMPLATES, type SellerTemplate } from './seller-templates.data.ts';

export interface SellerProjectOptions {
  readonly folder: string;
  readonly template: string;
  /** The API root that the project sells at. */
  readonly marketplaceUrl: string;
  /** What its package.json asks for as the SDK: a version, or the path of a tarball. */
  readonly sdk: string;
}

export interface SellerProject {
  readonly folder: string;
  readonly name: string;
  readonly files: readonly string[];
  /** What to type next, in order. */
  readonly commands: readonly string[];
}

/** Of a package and of a Worker. */
const NAME = /^[a-z][a-z0-9-]{0,53}[a-z0-9]$/;

/**
 * Writes a project that sells, tests itself and can be put up for sale.
 *
 * @throws CliFailure if the template is unknown, the name is none, or the folder has something in it.
 */
export async function initSeller(options: SellerProjectOptions): Promise<SellerProject> {
  const { template, marketplaceUrl, sdk } = options;
  const found = Object.hasOwn(SELLER_TEMPLATES, template)
    ? SELLER_TEMPLATES[template as SellerTemplate]
    : refuse(`There is no template "${template}": take one of ${Object.keys(SELLER_TEMPLATES).join(', ')}.`);
  const folder = resolve(options.folder);
  const name = basename(folder);
  if (!NAME.test(name))
    refuse(
      `"${name}" cannot name a project: take 2 to 55 lower-case letters, digits and dashes, a letter first.`,
    );
  await requireEmpty(folder);

  const texts = new Map<string, string>([['.env', environmentOf(marketplaceUrl)]]);
  for (const part of found.parts) for (const [path, text] of await textsOf(part)) texts.set(path, text);
  for (const path of found.without) texts.delete(path);
  // A path means another place once it stands in the project.
  const sdkSpec = /\.t(ar\.)?gz$/.test(sdk) ? `file:${await requireFile(resolve(sdk))}` : sdk;
  try {
    for (const [path, text] of texts) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      const filled = text.replaceAll('__NAME__', name).replaceAll('"__SDK__"', JSON.stringify(sdkSpec));
      // .env will have the key.
      await writeFile(join(folder, path), filled, { mode: path === '.env' ? 0o600 : 0o644, flag: 'wx' });
    }
  } catch (error) {
    refuse(`The folder ${folder} cannot be written: ${codeOf(error)}.`);
  }
  return { folder, name, files: [...texts.keys()].sort(), commands: found.commands };
}

function environmentOf(marketplaceUrl: string): string {
  return `# Which marketplace, and how it reaches this seller: exactly as registered, since signatures cover it.
MARKETPLACE=${marketplaceUrl}
CALLBACK_URL=http://localhost:9000/deliver
PORT=9000
`;
}

async function requireFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? path : refuse(`There is no file ${path}.`);
}

async function requireEmpty(folder: string): Promise<void> {
  let present: string[];
  try {
    present = await readdir(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return;
    return refuse(
      code === 'ENOTDIR' ? `${folder} is a file.` : `The folder ${folder} cannot be read: ${code}.`,
    );
  }
  if (present.length > 0) refuse(`The folder ${folder} is not empty: name a new one.`);
}

/** The files of a template by their paths in the project. */
async function textsOf(part: string): Promise<[string, string][]> {
  const root = join(await templatesFolder(), part);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, string]> => {
        const path = join(entry.parentPath, entry.name);
        const inProject = path.slice(root.length + 1).replaceAll('\\', '/');
        // Packing leaves out a file called .gitignore.
        return [inProject === 'gitignore' ? '.gitignore' : inProject, await readFile(path, 'utf8')];
      }),
  );
}

/** Beside this package's manifest, from its sources and from what is built of them. */
async function templatesFolder(): Promise<string> {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'templates/seller');
    if ((await readdir(folder).catch(() => [])).length > 0) return folder;
  }
  throw new Error('The templates are missing from the installed package.');
}

function refuse(message: string): never {
  throw new CliFailure('usage', message);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
