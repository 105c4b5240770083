// Loaded before every command (`node -r`). Any Node understands it, also one that is too old to load TypeScript.
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');
const { Script } = require('node:vm');
const { isMainThread } = require('node:worker_threads');
const { engines } = require('../../package.json');

const required = Number(engines.node.replace('>=', ''));
if (Number.parseInt(process.versions.node, 10) < required) {
  process.stderr.write(
    `dockline: Node ${required} or later is required, and this is ${process.versions.node}. Install one, or run \`npm ci\`, which brings one for npm's commands.\n`,
  );
  process.exit(1);
}

// Short commands start in half the time: Node keeps what it made of each file in the cache folder until the file changes, and does without where it
// cannot write. It would try for ever to make a folder where nothing can be made, such as a home that is not mounted.
// The folder is that of `findCacheFolder`, whose TypeScript would have to be stripped of its types first.
const { XDG_CACHE_HOME: cache = '' } = process.env;
const [root, folder] = isAbsolute(cache) ? [cache, cache] : [homedir(), join(homedir(), '.cache')];
if (existsSync(root)) {
  // Threads start with what the variable names, and in half the time, too.
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'dockline/compiled');
  enableCompileCache();
}

// The SDK calls into a workflow's context with a time limit, for which Node starts and ends a thread each time: some eighty microseconds, many
// times for each order. The limit ends endless loops, and the only workflows that run here are our own, which have none.
if (!isMainThread) {
  const { runInContext } = Script.prototype;
  Script.prototype.runInContext = function (context, { timeout: _, ...options } = {}) {
    return runInContext.call(this, context, options);
  };
}
