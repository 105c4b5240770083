import ts from 'typescript';

/** The tests that a source text has and that run: their titles as written, each after those of the groups around it, with ` > ` between them. */
export function titlesIn(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const call = ts.isCallExpression(node) ? readCall(node) : undefined;
    if (call && !call.runs) return;
    if (call?.name === 'it') titles.push([...groups, call.title].join(' > '));
    const inner = call?.name.startsWith('describe') ? [...groups, call.title] : groups;
    node.forEachChild((child) => visit(child, inner));
  };
  visit(ts.createSourceFile('a.test.ts', source, ts.ScriptTarget.Latest), []);
  return titles;
}

/** A call such as `it('…')`, `it.each(…)('…')` or `describe('…')`; undefined for any that has no title. */
function readCall({ expression, arguments: [title] }: ts.CallExpression) {
  if (!title || !ts.isStringLiteralLike(title)) return undefined;
  const [name = '', ...modifiers] = namesIn(expression);
  return { name, title: title.text, runs: !modifiers.some((modifier) => modifier === 'skip' || modifier === 'todo') };
}

/** `it.each(…)` is read as `it`, `each`. */
function namesIn(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isCallExpression(expression)) return namesIn(expression.expression);
  if (ts.isPropertyAccessExpression(expression)) return [...namesIn(expression.expression), expression.name.text];
  return [];
}
