import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const examples = readdirSync('consumer/examples').map((name) => readFileSync(join('consumer/examples', name), 'utf8'));

describe('the package for consumers', () => {
  it('depends on nothing at run time', () => {
    const manifest = JSON.parse(readFileSync('consumer/package.json', 'utf8'));
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  });

  it('has examples of at most forty lines, of which its page shows one', () => {
    expect(examples.length).toBeGreaterThan(3);
    expect(examples.map((text) => text.trimEnd().split('\n').length).filter((lines) => lines > 40)).toEqual([]);
    const [, shown = ''] = /```ts\n(.*?)```/s.exec(readFileSync('consumer/README.md', 'utf8')) ?? [];
    expect(examples).toContain(shown);
  });
});
