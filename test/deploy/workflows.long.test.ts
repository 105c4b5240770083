import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openFolder } from '../support/temporal-server.ts';
import { findGoProgram } from './go-program.ts';

const folder = '.github/workflows';
const files = readdirSync(folder).map((name) => join(folder, name));
const actionlint = findGoProgram('actionlint');

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

const steps = files.flatMap((file) =>
  Object.values<{ readonly steps?: readonly Step[] }>(parse(readFileSync(file, 'utf8')).jobs).flatMap(
    (job) => job.steps ?? [],
  ),
);

describe('the workflows', () => {
  it.runIf(actionlint)('have nothing that actionlint finds wrong', async () => {
    // Where shellcheck is installed, it reads the commands.
    const { stdout } = await promisify(execFile)(actionlint ?? '', files);
    expect(stdout).toBe('');
  });

  it('pin each action by its commit', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it('run scripts of the package', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, it]) => it),
    );
    expect(named.sort()).toEqual(['faults', 'faults', 'rehearse', 'sbom', 'test:image']);
    for (const name of named) expect(scripts).toHaveProperty([name ?? '']);
  });

  it('write the notes of a release from its section of the changelog, and end where it has none', async () => {
    const cwd = await openFolder();
    const changelog =
      '# Changelog\n\n## Unreleased\n\n- later\n\n## 1.2.0 - 2026-03-01\n\n- now\n\n## 1.2 - 2026-02-01\n\n- before\n';
    await writeFile(join(cwd, 'CHANGELOG.md'), changelog);
    const { run = '' } = steps.find(({ name }) => name === 'Write the notes') ?? {};
    const write = (tag: string) =>
      execFileSync('bash', ['-e', '-c', run], { cwd, env: { PATH: process.env.PATH, GITHUB_REF_NAME: tag } });
    write('v1.2.0');
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8').trim()).toBe('- now');
    expect(() => write('v1.3.0')).toThrow();
  });
});
