import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Words that were ours where the field has its own, and what to write in their place. They have gone everywhere; others follow them here. */
const banned: Readonly<Record<string, string>> = {
  lonely: 'single',
  crowd: 'batch',
  ripen: 'linger',
  beating: 'heartbeat',
  mended: 'fixed',
  hurry: 'expedite',
  asleep: 'idle',
  untold: 'unnotified',
  'could not be had': 'failed',
  'as soon as it is on the disk': 'once it is durable',
};

/** Such words that documents have no more, though code still has some of them. */
const bannedFromDocuments: Readonly<Record<string, string>> = {
  mend: 'fix',
  'what came of': 'the result of',
};

const code = globSync('{src,activities,workflows,sandbox,consumer/src}/**/*.ts');
const documents = globSync('{docs/*.md,*.md,consumer/README.md}');

/** Splits names of code into their words: `nextTryAt` and `ERR_WAREHOUSE_FAILED` have three each. */
const wordsOf = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[\s_-]+/g, ' ')
    .toLowerCase();

const texts = new Map([...code, ...documents].map((path) => [path, wordsOf(readFileSync(path, 'utf8'))]));

describe('the words of code and documents', () => {
  it.each(Object.entries(banned))('have "%s" nowhere: it is "%s"', (word) => {
    expect([...texts].filter(([, text]) => text.includes(word)).map(([path]) => path)).toEqual([]);
  });

  it.each(Object.entries(bannedFromDocuments))('have "%s" in no document: it is "%s"', (word) => {
    const found = documents.filter((path) => new RegExp(`\\b${word}\\b`).test(texts.get(path) ?? ''));
    expect(found).toEqual([]);
  });

  it('are those of the glossary, each of which the product uses', () => {
    const rows = [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| ([a-z-][\w -]*) \| (.+) \|$/gm)];
    const product = code.filter((path) => /^(src|activities|workflows)/.test(path)).map((path) => texts.get(path));
    const words = rows.map(([, word = '']) => word).filter((word) => word !== 'word');
    expect(words.length).toBeGreaterThan(40);
    expect(words.filter((word) => !product.some((text) => text?.includes(wordsOf(word))))).toEqual([]);
    expect(words).toEqual(words.toSorted());
  });
});
