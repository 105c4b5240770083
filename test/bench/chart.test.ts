import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { chart } from './chart.ts';
import { good, short } from './sample-results.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Reads markup with a parser that, as XML does, takes no tag that is left open, and no attribute without quotes. */
function elementsOf(svg: string): Element[] {
  // What JSX takes and XML does not.
  expect(svg).not.toMatch(/&(?!(amp|lt|gt|quot|apos|#\d+);)|[{}]|\p{Cc}(?<!\n)/u);
  const { diagnostics = [] } = ts.transpileModule(svg, {
    fileName: 'chart.tsx',
    reportDiagnostics: true,
    compilerOptions: { jsx: ts.JsxEmit.Preserve },
  });
  expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  const found: Element[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node)) found.push(elementOf(node.openingElement, textOf(node)));
    if (ts.isJsxSelfClosingElement(node)) found.push(elementOf(node, ''));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('chart.tsx', svg, ts.ScriptTarget.Latest, true));
  return found;
}

function elementOf(tag: ts.JsxOpeningLikeElement, text: string): Element {
  const pairs = tag.attributes.properties.filter(ts.isJsxAttribute).map(({ name, initializer }) => {
    const value =
      initializer && ts.isStringLiteral(initializer) ? initializer.text : expect.fail(`${name.getText()} has no text`);
    return [name.getText(), value] as const;
  });
  expect(new Set(pairs.map(([key]) => key)).size).toBe(pairs.length);
  return { name: tag.tagName.getText(), attributes: Object.fromEntries(pairs), text };
}

const textOf = (element: ts.JsxElement): string =>
  element.children.map((child) => (ts.isJsxElement(child) ? textOf(child) : child.getText())).join('');

/** The bars from top to bottom: the card behind them begins at another x. */
const barsOf = (svg: string) =>
  elementsOf(svg)
    .filter(({ name, attributes }) => name === 'rect' && attributes.x !== '0.5')
    .map(({ attributes }) => Number(attributes.width));

const textsOf = (svg: string) => elementsOf(svg).flatMap(({ name, text }) => (name === 'text' ? [text] : []));

const WIDTH = 800;

describe('the chart', () => {
  it('is one SVG with a role, a title and a description that it names', () => {
    const [svg, ...inside] = elementsOf(chart(good));
    expect(svg).toMatchObject({
      name: 'svg',
      attributes: { xmlns: 'http://www.w3.org/2000/svg', role: 'img', width: '800' },
    });
    const named = svg?.attributes['aria-labelledby']
      ?.split(' ')
      .map((id) => inside.find(({ attributes }) => attributes.id === id));
    expect(named?.map((one) => one?.name)).toEqual(['title', 'desc']);
    expect(named?.[1]?.text).toContain(
      '64 orders at a time: textbook 70, Dockline on SQLite 420, Dockline on PostgreSQL 350.',
    );
  });

  it('needs nothing beside it', () => {
    expect(chart(good)).not.toMatch(/<script|<style|<image|href|url\(/);
  });

  it('has bars in proportion to what was measured, the same for all end to end', () => {
    const bars = barsOf(chart(good));
    const endToEnd = [60, 330, 300, 70, 420, 350, 80, 640, 560];
    const intake = [8000, 3600, 2400];
    expect(bars).toHaveLength(endToEnd.length + intake.length);
    const scale = (bars[7] ?? 0) / 640;
    for (const [index, value] of endToEnd.entries()) expect(bars[index]).toBeCloseTo(value * scale, 0);
    for (const [index, value] of intake.entries())
      expect(bars[9 + index]).toBeCloseTo(((bars[9] ?? 0) / 8000) * value, 0);
  });

  it('writes each value with its ratio', () => {
    const texts = textsOf(chart(good));
    for (const text of ['60 1×', '330 5.5×', '300 5×', '640 8×', '560 7×', '8,000 1×', '3,600 0.45×', '2,400 0.3×'])
      expect(texts).toContain(text);
  });

  it('writes no ratio to a textbook that did not run', () => {
    const rates = { sqlite: good.endToEnd.rates.sqlite ?? expect.fail() };
    const ratio = Number.NaN;
    const endToEnd = { ...good.endToEnd, rates, ratio16: ratio, ratio64: ratio, burst: ratio };
    const texts = textsOf(chart({ ...good, endToEnd }));
    for (const text of ['330', '420', '640']) expect(texts).toContain(text);
  });

  it('marks the spread from the slowest round to the fastest', () => {
    const lines = elementsOf(chart(good)).filter(
      ({ name, attributes }) => name === 'line' && attributes.y1 === attributes.y2,
    );
    const [bar = 0] = barsOf(chart(good));
    const { x1, x2 } = lines[0]?.attributes ?? {};
    expect(lines).toHaveLength(12);
    expect(Number(x2) - Number(x1)).toBeCloseTo(bar * 0.2, 0);
  });

  it('leaves out who did not take part', () => {
    expect(barsOf(chart(short))).toHaveLength(8);
    expect(chart(short)).not.toMatch(/PostgreSQL|NaN|Infinity|undefined|null/);
  });

  it('stays within its width, however wide the spread is', () => {
    const wide = { median: 12_345, min: 1, max: 98_765 };
    const requestsPerSecond = { ...good.intake.requestsPerSecond, sqlite: wide };
    const svg = chart({ ...good, intake: { ...good.intake, requestsPerSecond } });
    const ends = elementsOf(svg).flatMap(({ attributes: { x = '0', width = '0', x2 = '0' } }) => [
      Number(x) + Number(width),
      Number(x2),
    ]);
    expect(Math.max(...ends)).toBeLessThanOrEqual(WIDTH);
    // Room for what is written beside the longest bar.
    const labels = elementsOf(svg).filter(({ name, text }) => name === 'text' && text.startsWith('12,345'));
    expect(Number(labels[0]?.attributes.x)).toBeLessThan(WIDTH - 140);
  });

  it('is drawn where nothing happened at all', () => {
    const none = { median: 0, min: 0, max: 0 };
    const svg = chart({
      ...good,
      intake: { ...good.intake, requestsPerSecond: { bare: none, sqlite: none, postgres: none } },
    });
    expect(barsOf(svg).slice(-3)).toEqual([0, 0, 0]);
    expect(svg).not.toMatch(/NaN|Infinity/);
  });

  it('says where and with what it was measured, in any characters', () => {
    const cpu = 'A <b>"fast"</b> & \'odd\' CPU\u0000';
    const svg = chart({ ...good, machine: { ...good.machine, cpu } });
    expect(textsOf(svg)).toContain(
      'A &#60;b&#62;&#34;fast&#34;&#60;/b&#62; &#38; &#39;odd&#39; CPU , 2 cores, 7.8 GB, Node.js v24.21.0',
    );
    expect(textsOf(svg)).toContain('600 orders, 3,600 events, median of 3 rounds');
  });
});
