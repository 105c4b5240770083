import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { variables } from '../../../src/config/variables.ts';

const single = 'deploy/systemd/dockline.service';
const ofRole = 'deploy/systemd/dockline@.service';
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** Returns the lines of a unit without its comments, as they are without an instance. */
const linesOf = (unit: string): string[] =>
  readFileSync(unit, 'utf8')
    .replaceAll(/( --role |-|, )%i/g, '')
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== 'EnvironmentFile=-/etc/dockline/%i.env');

describe('the units of systemd', () => {
  it.runIf(hasSystemd)('are understood by systemd', () => {
    // Verified where there is a program at the path of the unit; systemd asks for nothing else of it.
    const args = ['verify', '--man=no', single, ofRole];
    const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const faults = (stdout + stderr).split('\n').filter((line) => line && !line.includes('is not executable'));
    expect(faults).toEqual([]);
  });

  it('run the same for a role as for everything', () => {
    expect(linesOf(ofRole)).toEqual(linesOf(single));
    expect(readFileSync(ofRole, 'utf8')).toContain('src/cli/dockline.cjs start --role %i\n');
  });

  it('start what there is, with variables that there are', () => {
    const [command = ''] = linesOf(single).filter((line) => line.startsWith('ExecStart='));
    const [node, ...args] = command.replace('ExecStart=', '').split(' ');
    expect(node).toBe('/usr/bin/node');
    expect([existsSync(args[0] ?? ''), args[1]]).toEqual([true, 'start']);
    expect(execFileSync(process.execPath, [...args, '--help'], { encoding: 'utf8' })).toContain('--role');
    const named = linesOf(single).flatMap((line) =>
      [...line.matchAll(/[= ]([A-Z_]{5,})=/g)].map(([, name]) => name ?? ''),
    );
    expect(named.filter((name) => !(name in variables))).toEqual([
      'XDG_CACHE_HOME',
      'MALLOC_ARENA_MAX',
      'NODE_OPTIONS',
    ]);
  });
});
