#!/usr/bin/env node
// Plain old JavaScript: an old Node must be able to read this file to say that it is too old.
/* eslint-disable */
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 12)) {
  process.stderr.write(
    'agent-market needs Node 20.12 or newer, and this is Node ' +
      process.versions.node +
      '. Install a newer one: https://nodejs.org\n',
  );
  process.exit(1);
}
// What it loads tells its own failures: only a file that is missing or cut off ends up here.
function tellBroken(error) {
  process.stderr.write(
    'agent-market is not installed completely (' +
      (error.code || error.name) +
      '). Install it again: npm install -g @agent-marketplace/cli\n',
  );
  process.exit(1);
}
// Where it was not built: in the repository, whose source needs Node 24.
function startSource(error) {
  var source = require('node:path').join(__dirname, '../src/agent-market.ts');
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !require('node:fs').existsSync(source))
    return tellBroken(error);
  if (version[0] >= 24) return import('../src/agent-market.ts').catch(tellBroken);
  process.stderr.write(
    'The source of agent-market needs Node 24, and this is Node ' +
      process.versions.node +
      '. In the repository, run it as: npx -y pnpm@10.34.9 exec node packages/cli/src/agent-market.ts\n',
  );
  process.exit(1);
}
import('../dist/agent-market.js').catch(startSource);
