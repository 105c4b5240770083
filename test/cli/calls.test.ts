import { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { operations } from '../../src/app/operations.ts';
import { callLines } from '../../src/cli/admin/calls.ts';
import type { AdminClient } from '../../src/cli/admin/client.ts';
import { createAdminCommand } from '../../src/cli/admin/commands.ts';
import { execute } from '../../src/cli/command.ts';
import { writeTemporary } from '../config/temporary-text.ts';

/** Calls whose commands are made by hand, or that have none. */
const others = ['eraseSubject', 'getSchema', 'getRecord', 'getOpenApi'];

/** Runs a command; returns the last call that it made. */
async function callOf(words: readonly string[]) {
  let last = '';
  const note = (method: string) => async (path: string) => {
    last = `${method} ${path}`;
    return { items: [{ tenant: '9104', kind: 'order', id: '31004581' }], incidents: [], alerts: [] };
  };
  const client: AdminClient = { get: note('GET'), post: note('POST'), csv: async () => Readable.from([]) };
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  return { failure: await execute(createAdminCommand(client, output), words), last };
}

it('every call of the API has a command, unless it is made by hand', () => {
  const commanded = new Set(callLines.map(({ id }) => (id.endsWith('InBulk') ? 'previewBulk' : id)));
  expect([...commanded, ...others].sort()).toEqual(
    Object.values(operations)
      .map(({ id }) => id)
      .sort(),
  );
});

it('the list of commands fits a terminal of 80 columns', () => {
  const lines = createAdminCommand({} as AdminClient, new Writable())
    .configureOutput({ getOutHelpWidth: () => 80 })
    .helpInformation()
    .split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines).toContain('  take           Takes a subject: shows others that you are working on it');
});

it('helps describe options and arguments in phrases, not in sentences', () => {
  const commandsIn = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(commandsIn)];
  const admin = createAdminCommand({} as AdminClient, new Writable());
  const phrases = commandsIn(admin).flatMap(({ options, registeredArguments }) =>
    [...options, ...registeredArguments].map(({ description }) => description),
  );
  expect(phrases.length).toBeGreaterThan(100);
  expect(phrases.filter((it) => /\.$|^[A-Z][a-z]|: [A-Z][a-z]/.test(it))).toEqual([]);
});

it.each(callLines.map((line) => [line.id, line] as const))('the example of %s makes its call', async (_id, line) => {
  const file = writeTemporary('{ "url": "https://alder.test/in" }');
  const words = [...line.example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
  const { failure, last } = await callOf(words.map((word) => (word === 'alder.json' ? file : word)));
  // Formats of hand-made answers need more than the names of one.
  if (failure?.exitCode !== 1) expect(failure).toBeUndefined();
  expect(last).not.toContain('undefined');
  expect(decodeURIComponent(last)).toMatch(new RegExp(`^${line.method} ${line.path.replaceAll(/\{\w+\}/g, '.+')}$`));
});
