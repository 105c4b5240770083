#!/usr/bin/env node
// The program `dockline`. Any Node has to understand this file, also one that is far too old for the rest: hence its syntax.
var required = Number(require('../../package.json').engines.node.replace('>=', ''));
var present = process.versions.node;
if (parseInt(present, 10) < required) {
  // biome-ignore lint/style/useTemplate: as above
  process.stderr.write('dockline: Node ' + required + ' or later is required, and this is ' + present + '. ');
  process.stderr.write(advise());
  process.stderr.write('\n');
  process.exit(1);
}
require('./launch.cjs');

/** Says how to come by a Node. The one of a checkout is a package for development, and a script of it fetches the program. */
function advise() {
  if (!isInstalled('')) return "Install one; in a checkout, `npm ci` brings one for npm's commands.";
  if (isInstalled('node/bin/node')) return 'Install one, or use npm, which runs the one of this checkout: npm start.';
  if (isInstalled('node'))
    return 'Install one, or let npm run the script that fetches it: npm ci --ignore-scripts=false.';
  return 'Install one, or have npm install what is for development, too: npm ci --include=dev.';
}

function isInstalled(name) {
  // biome-ignore lint/style/useNodejsImportProtocol: as above
  var path = require('path');
  // biome-ignore lint/style/useNodejsImportProtocol: as above
  return require('fs').existsSync(path.join(__dirname, '../../node_modules', name));
}
