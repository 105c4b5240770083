import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from './support/temporal-server.ts';

const composeFile = join(import.meta.dirname, '../docker-compose.yml');

/** The library's own types import without extensions, which this project's module resolution does not follow. */
interface Result {
  readonly messages: readonly { readonly type: string; readonly message: string }[];
}

/** Returns the errors of a compose file, those of its schema first. The linter's warnings are matters of taste. */
function lint(file: string): string[] {
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
  const results: readonly Result[] = linter.lintFiles([file], false);
  const messages = results.flatMap((result) => result.messages);
  return messages.filter(({ type }) => type === 'error').map(({ message }) => message);
}

describe('docker-compose.yml', () => {
  it('follows the Compose Specification', () => {
    expect(lint(composeFile)).toEqual([]);
  });

  it.each([
    ['service_healthy', 'healthy'],
    ['postgres:16.10-alpine', 'postgres:latest'],
    ['stop_grace_period', 'grace_period'],
  ])('is refused with a mistake in it: %s → %s', async (right, wrong) => {
    const folder = await createFolder();
    onTestFinished(folder.remove);
    const text = await readFile(composeFile, 'utf8');
    expect(text).toContain(right);
    const file = join(folder.path, 'docker-compose.yml');
    await writeFile(file, text.replace(right, wrong));
    expect(lint(file)).not.toEqual([]);
  });
});
