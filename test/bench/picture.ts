import { type Attributes, element, escapeText } from './svg.ts';

/** A line of a picture: how tall it is, and its markup at a `y`. */
export interface Line {
  readonly height: number;
  draw(y: number): string;
}

/** How wide pictures are, and how far from their left edge text begins. */
export const WIDTH = 800;
export const MARGIN = 28;

/** The colors of all but the bars; a background of its own is readable on a light page and on a dark one. */
export const colors = { background: '#ffffff', border: '#d0d7de', text: '#1f2328', quiet: '#59636e' } as const;

/** Nothing, so tall. */
export const space = (height: number): Line => ({ height, draw: () => '' });

/** Text on a line of its own. */
export const textLine = (height: number, text: string, style: Attributes): Line => ({
  height,
  draw: (y) => element('text', { x: MARGIN, y: y + height - 7, ...style }, escapeText(text)),
});

/** Puts lines below each other into an SVG that needs nothing beside it. */
export function pictureOf(
  lines: readonly Line[],
  words: { readonly title: string; readonly description: string },
): string {
  let height = 0;
  const drawn = lines.map((line) => {
    const markup = line.draw(height);
    height += line.height;
    return markup;
  });
  const parts = [
    element('title', { id: 'title' }, escapeText(words.title)),
    element('desc', { id: 'description' }, escapeText(words.description)),
    card(height),
    ...drawn.filter(Boolean),
  ];
  return `${element('svg', root(height), '\n', parts.join('\n'), '\n')}\n`;
}

const card = (height: number): string =>
  element('rect', {
    // Half a pixel in, a border of one pixel is sharp.
    ...{ x: 0.5, y: 0.5, width: WIDTH - 1, height: height - 1, rx: 8 },
    ...{ fill: colors.background, stroke: colors.border },
  });

const root = (height: number): Attributes => ({
  ...{ xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` },
  ...{ role: 'img', 'aria-labelledby': 'title description' },
  ...{ 'font-family': 'system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif', 'font-size': 13 },
});
