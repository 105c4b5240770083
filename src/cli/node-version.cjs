// Loaded before every command (`node -r`). Any Node understands it, also one that is too old to load TypeScript.
const { engines } = require('../../package.json');

const required = Number(engines.node.replace('>=', ''));
if (Number.parseInt(process.versions.node, 10) < required) {
  process.stderr.write(
    `dockline: Node ${required} or later is required, and this is ${process.versions.node}. Install one, or run \`npm ci\`, which brings one for npm's commands.\n`,
  );
  process.exit(1);
}
