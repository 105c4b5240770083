import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const examples = readdirSync('consumer/examples', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|py|php|go)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join('consumer/examples', name), 'utf8') }));

describe('the package for consumers', () => {
  it('depends on nothing at run time', () => {
    const manifest = JSON.parse(readFileSync('consumer/package.json', 'utf8'));
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  });

  it('has examples that one reads in a few minutes, of which its page shows one', () => {
    expect(examples.length).toBeGreaterThan(6);
    // Go takes three lines for a condition.
    const isLong = ({ name, text }: (typeof examples)[number]) =>
      text.trimEnd().split('\n').length > (name.includes('connectors') ? 130 : name.endsWith('.go') ? 100 : 50);
    expect(examples.filter(isLong)).toEqual([]);
    const [, shown = ''] = /```ts\n(.*?)```/s.exec(readFileSync('consumer/README.md', 'utf8')) ?? [];
    expect(examples.map(({ text }) => text)).toContain(shown);
  });
});
