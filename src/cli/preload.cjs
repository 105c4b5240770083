// Loaded before every command (`node -r`). Any Node understands it, also one that is too old to load TypeScript.
const { enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');
const { engines } = require('../../package.json');

const required = Number(engines.node.replace('>=', ''));
if (Number.parseInt(process.versions.node, 10) < required) {
  process.stderr.write(
    `dockline: Node ${required} or later is required, and this is ${process.versions.node}. Install one, or run \`npm ci\`, which brings one for npm's commands.\n`,
  );
  process.exit(1);
}

// Starts in half the time: Node keeps what it made of each file in the cache folder until the file changes, and does without where it cannot write.
const { XDG_CACHE_HOME: cache = '' } = process.env;
enableCompileCache(join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'dockline', 'compiled'));
