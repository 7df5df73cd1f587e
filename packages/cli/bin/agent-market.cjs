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
import('../dist/agent-market.js');
