import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { specifiedExpansions, specifiedPayloads } from './expansions.ts';
import { facts, fileOf, page, writePage } from './table.ts';
import { titlesIn } from './titles.ts';

const proofs = facts.flatMap((fact) => ('shownBy' in fact ? fact.shownBy : []));
const files = [...new Set(proofs.map(fileOf))];

describe('the facts of the specification', () => {
  it('are all there, and none is there twice', () => {
    const counts = Object.groupBy(facts, ({ kind }) => kind);
    expect(Object.fromEntries(Object.entries(counts).map(([kind, { length }]) => [kind, length]))).toEqual({
      operation: 17,
      expansion: 41,
      event: 41,
      transition: 16,
      rule: 63,
    });
    expect(specifiedExpansions).toHaveLength(8 + 3 + 3 + 3);
    expect(specifiedPayloads).toHaveLength(12 + 4 + 1 + 1 + 3 + 1 + 1 + 1);
    expect(new Set(facts.map(({ kind, what }) => `${kind} ${what}`)).size).toBe(facts.length);
  });

  it('are each shown by a test, or say why not', () => {
    const silent = facts.filter((fact) => ('shownBy' in fact ? fact.shownBy.length === 0 : fact.unused === ''));
    expect(silent).toEqual([]);
    expect(facts.filter((fact) => 'unused' in fact).map(({ what }) => what)).toEqual([
      'Get Stock Summaries by SKU',
      'creation of orders',
      'inventory received on or before a date',
      'multi-tenant: provisions tenants',
      'webhooks are set in the user interface, with a permission',
      'what general support covers',
      'webhook usage is shown on an account page',
    ]);
  });

  it('are shown by tests in files that are there', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it.each(files.filter(existsSync))('are shown by tests that %s has once each, and runs', (file) => {
    const titles = titlesIn(readFileSync(file, 'utf8'));
    const wanted = new Set(proofs.filter((proof) => fileOf(proof) === file).map(([, title]) => title));
    expect(titles.filter((title) => wanted.has(title)).sort()).toEqual([...wanted].sort());
  });

  it('name the case that shows them, and it is there, unless they are the cases', () => {
    const named = proofs.filter(([, , row]) => row !== undefined);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((proof) => !readFileSync(fileOf(proof), 'utf8').includes(proof[2] ?? ''))).toEqual([]);
    const unnamed = proofs.filter(([, title, row]) => row === undefined && /%\w|\$\w/.test(title));
    expect([...new Set(unnamed.map(([file]) => file))].sort()).toEqual([
      'domain/catalogue/catalogue',
      'e2e/every-event',
      'spec/expansions',
      'spec/operations',
      'spec/payloads',
      'spec/transitions',
    ]);
  });

  it('are in the documentation as they are here', () => {
    const isCurrent = readFileSync(page, 'utf8') === writePage();
    expect(isCurrent, `${page} is behind the facts: npm run spec-table writes them`).toBe(true);
  });
});

describe('the titles of tests', () => {
  it('are found in groups and tables, without those that are skipped', () => {
    const source = `
      describe.each([1])('of %s', () => { it('is one', () => { run('not a title'); }); });
      describe('a', () => describe("b", () => { it.each<[string]>([['x']])("isn't %s", () => {}); }));
      describe.skip('never', () => { it('runs', () => {}); });
      it.todo('later');
      // it('is said', () => {});
      it(\`is alone\`, () => {});`;
    expect(titlesIn(source)).toEqual(['of %s > is one', "a > b > isn't %s", 'is alone']);
  });
});
