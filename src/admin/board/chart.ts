import { html, type Markup } from './html.ts';

/** Part of a bar, by the class that colors it. */
interface Part {
  readonly kind?: string;
  readonly count: number;
}

/** Bar of a chart: its parts from the bottom up, and its text for those who point at it. */
export interface Bar {
  readonly title: string;
  readonly parts: readonly Part[];
}

/** Size of a chart, in units of its own. */
const HEIGHT = 60;
const WIDTH = 8;
const GAP = 2;

/** Least height of what is not nothing. */
const LEAST = 2;

const totalOf = ({ parts }: Bar): number => parts.reduce((sum, { count }) => sum + count, 0);

/** Returns the count of the highest bar, at least 1. */
export const highest = (bars: readonly Bar[]): number => Math.max(1, ...bars.map(totalOf));

/** Draws bars of stacked parts. `label` says in words what is seen. */
export function chart(bars: readonly Bar[], label: string): Markup {
  const most = highest(bars);
  return html`<svg class="flow" viewBox="0 0 ${bars.length * (WIDTH + GAP)} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
${bars.map((bar, index) => column(bar, index * (WIDTH + GAP), most))}
</svg>`;
}

function column(bar: Bar, x: number, most: number): Markup {
  const rect = (kind: string | undefined, y: number, height: number) =>
    html`<rect${kind !== undefined && html` class="${kind}"`} x="${x}" y="${y}" width="${WIDTH}" height="${height}"><title>${bar.title}</title></rect>`;
  if (totalOf(bar) === 0) return rect('none', HEIGHT - 1, 1);
  let top = HEIGHT;
  const rects = bar.parts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => {
      const height = Math.max(LEAST, Math.round((HEIGHT * count) / most));
      top = Math.max(0, top - height);
      return rect(kind, top, height);
    });
  return html`${rects}`;
}
