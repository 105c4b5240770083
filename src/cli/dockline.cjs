#!/usr/bin/env node
// The program `dockline`. Any Node understands this file, also one that is too old for the rest.
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');
const { engines } = require('../../package.json');

const required = Number(engines.node.replace('>=', ''));
if (Number.parseInt(process.versions.node, 10) < required) {
  process.stderr.write(
    `dockline: Node ${required} or later is required, and this is ${process.versions.node}. Install one; in a checkout, \`npm ci\` brings one for npm's commands.\n`,
  );
  process.exit(1);
}

// Short commands start in half the time: Node keeps what it made of each file in the cache folder until the file changes, and does without where it
// cannot write. It would try for ever to make a folder where nothing can be made, such as a home that is not mounted.
// The folder is that of `findCacheFolder`, which is loaded later.
const { XDG_CACHE_HOME: cache = '' } = process.env;
const [root, folder] = isAbsolute(cache) ? [cache, cache] : [homedir(), join(homedir(), '.cache')];
if (existsSync(root)) {
  // Threads start with what the variable names, and in half the time, too.
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'dockline/compiled');
  enableCompileCache();
}

// A checkout runs its sources; a package has what `npm run build` made of them, since Node strips no types below `node_modules`.
if (existsSync(join(__dirname, 'main.ts'))) import('./main.ts');
else {
  process.setSourceMapsEnabled(true);
  import(join(__dirname, '../../dist/src/cli/main.js'));
}
