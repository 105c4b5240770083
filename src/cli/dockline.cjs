#!/usr/bin/env node
// The program `dockline`. Any Node has to understand this file, also one that is far too old for the rest: hence its syntax.
var required = Number(require('../../package.json').engines.node.replace('>=', ''));
var present = process.versions.node;
if (parseInt(present, 10) < required) {
  // biome-ignore lint/style/useTemplate: as above
  process.stderr.write('dockline: Node ' + required + ' or later is required, and this is ' + present + '. ');
  process.stderr.write('Install one, or use npm, which runs the one of a checkout: npm ci, then npm start.\n');
  process.exit(1);
}
require('./launch.cjs');
