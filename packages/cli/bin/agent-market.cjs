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
import('../dist/agent-market.js').catch(tellBroken);
