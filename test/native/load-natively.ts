import { readFileSync } from 'node:fs';
import { enableCompileCache, type ResolveHookSync, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

// Node runs these tests' TypeScript by itself, which takes less than Vite's transformed modules. What it does not do
// is JSX, and files as text.

// What one process has compiled, the next ones need not.
enableCompileCache();

const AS_TEXT = '?raw';
const JSX = {
  jsc: {
    target: 'esnext',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'hono/jsx' } },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
} as const;

/** Of our workspaces: what a package is called there is the same in each of their files. */
const WORKSPACE = /^file:.*\/(?:(?:packages|workers)\/[^/]+|test)\/(?!.*\/node_modules\/)/;
const resolved = new Map<string, ReturnType<Parameters<ResolveHookSync>[2]>>();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    const workspace = parentURL === undefined ? null : WORKSPACE.exec(parentURL);
    if (parentURL === undefined || workspace === null) return next(specifier, context);
    // Node would look through the folders above for a package.json, for each file anew.
    if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
      const url = new URL(specifier, parentURL).href;
      return { url, format: 'module-typescript', shortCircuit: true };
    }
    if (specifier.startsWith('.')) return next(specifier, context);
    const key = `${workspace[0]} ${specifier}`;
    const known = resolved.get(key);
    if (known) return { ...known, shortCircuit: true };
    const found = next(specifier, context);
    resolved.set(key, found);
    return found;
  },
  load(url, context, next) {
    const isText = url.endsWith(AS_TEXT);
    if (!isText && !url.endsWith('.tsx')) return next(url, context);
    const path = fileURLToPath(isText ? url.slice(0, -AS_TEXT.length) : url);
    const text = readFileSync(path, 'utf8');
    const source = isText
      ? `export default ${JSON.stringify(text)};`
      : transformSync(text, { ...JSX, filename: path }).code;
    return { format: 'module', shortCircuit: true, source };
  },
});
