import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { milestones } from '../src/domain/lifecycle/milestone.ts';
import { searchAttributes } from '../src/domain/search-attributes.ts';

const readme = readFileSync('README.md', 'utf8');
const [, map = ''] = /^## Map$(.*?)^## /ms.exec(readme) ?? [];
const mapped = [...map.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path);

describe('the README', () => {
  it('maps every folder of the product', () => {
    const folders = readdirSync('src', { withFileTypes: true });
    const expected = folders.map((entry) => `src/${entry.name}${entry.isDirectory() ? '/' : ''}`);
    expect(mapped.filter((path) => path.startsWith('src/')).sort()).toEqual(expected.sort());
  });

  it('maps nothing that is not there', () => {
    expect(mapped.length).toBeGreaterThan(10);
    expect(mapped.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('links to files that are there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names the search attributes and an announcement that can be made', () => {
    for (const name of Object.keys(searchAttributes)) expect(readme).toContain(`\`${name}\``);
    const [, milestone = ''] = /"milestone": "(\w+)"/.exec(readme) ?? [];
    expect(Object.keys(milestones)).toContain(milestone);
  });
});
