import { globSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import ts from 'typescript';
import { expect, it } from 'vitest';

// What others have written is searched by regular expressions: one that backtracks over all of a text keeps everything else waiting.

interface Written {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Sources that are composed of other literals, which are checked by themselves. */
const composed = ["MARKUP.map(({ source }) => source).join('|')"];

it('every expression needs no more than linear time, wherever in a text a search begins', () => {
  const slow = expressionsIn('{src,activities,workflows,sandbox,consumer}/**/*.{ts,js,cjs}').filter(isSlow);
  expect(slow).toEqual([]);
});

it('finds what is not linear', () => {
  expect(['^(?:a+)+$', '^a*b?a*$', '/+$'].filter((source) => !isSlow({ source, flags: '' }))).toEqual([]);
});

function isSlow(expression: Pick<Written, 'source' | 'flags'>): boolean {
  return analyse(expression, { assumeRejectingSuffix: false }).reports.length > 0;
}

/** Finds every expression once, those that are constructed with an `x` for each of their parts. */
function expressionsIn(pattern: string): readonly Written[] {
  const found = new Map<string, Written>();
  for (const path of globSync(pattern, { exclude: ['**/node_modules/**', '**/dist/**'] })) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      const written = readExpression(node);
      const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      if (written) found.set(`/${written.source}/${written.flags}`, { place, ...written });
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return [...found.values()];
}

function readExpression(node: ts.Node): Omit<Written, 'place'> | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  const isConstructed =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
  const [source, flags] = isConstructed ? (node.arguments ?? []) : [];
  if (!source || composed.includes(source.getText())) return undefined;
  return { source: sourceOf(source), flags: flags && ts.isStringLiteralLike(flags) ? flags.text : '' };
}

function sourceOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
  throw new Error(`${node.getText()} is neither a text nor a template, so that it cannot be checked.`);
}
