import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { variables } from '../../../src/config/variables.ts';
import { settingFiles } from '../../../tools/settings/files.ts';

it.each(Object.entries(settingFiles()))('%s says what the forms of settings say', (path, text) => {
  expect(readFileSync(path, 'utf8') === text, `${path} is behind: npm run settings writes it`).toBe(true);
});

describe('.env.example', () => {
  const lines = readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=(.*)$/gm);
  const shown = new Map([...lines].map(([, name, value]) => [name, value] as const));

  it('shows every variable and no other', () => {
    expect([...shown.keys()]).toEqual(Object.keys(variables));
  });

  it('shows the defaults', () => {
    const env = Object.fromEntries([...shown].filter(([, value]) => value));
    expect(loadConfig(env as Record<string, string>)).toEqual(loadConfig({}));
  });
});
