import { html, type Markup } from './html.ts';
import { number } from './text.ts';

/** Part of a bar, by the class that colors it. */
interface Part {
  readonly kind: string;
  readonly count: number;
}

/** Bar of a chart: the time at which it begins, its parts from the bottom up, and its text for those who point at it. */
interface Bar {
  readonly at: number;
  readonly text: string;
  readonly parts: readonly Part[];
}

/** Size of a chart, in units of its own. */
const HEIGHT = 120;
const WIDTH = 10;
const GAP = 2;

/** Least height of what is not nothing. */
const LEAST = 3;

/** Number of labels below a chart. */
const LABELS = 6;

const totalOf = ({ parts }: Bar): number => parts.reduce((sum, { count }) => sum + count, 0);

/** Numbers at which an axis may end; half of each is whole. */
const ENDS = [2, 4, 6, 10, 20, 40, 60, 100];

/** Returns the end of the axis for a highest bar. */
function axisEnd(most: number): number {
  let scale = 1;
  while (most > scale * 100) scale *= 100;
  return scale * (ENDS.find((it) => scale * it >= most) ?? 100);
}

/** Draws bars of stacked parts above an axis of time. `label` says in words what is seen. */
export function chart(bars: readonly Bar[], label: string): Markup {
  const end = axisEnd(Math.max(1, ...bars.map(totalOf)));
  const step = Math.ceil(bars.length / LABELS);
  const width = bars.length * (WIDTH + GAP) - GAP;
  return html`<figure class="chart"><ol class="y" aria-hidden="true">${[end, end / 2, 0].map((it) => html`<li>${number(it)}</li>`)}</ol>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
${[0, HEIGHT / 2, HEIGHT].map((y) => html`<line x2="${width}" y1="${y}" y2="${y}"/>`)}
${bars.map((bar, index) => column(bar, index * (WIDTH + GAP), end))}
</svg>
<ol class="x" aria-hidden="true">${bars.filter((_, index) => index % step === 0).map(({ at }) => html`<li>${hour(at)}</li>`)}</ol></figure>`;
}

function column(bar: Bar, x: number, end: number): Markup {
  let top = HEIGHT;
  const rects = bar.parts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => {
      const height = Math.max(LEAST, Math.round((HEIGHT * count) / end));
      top = Math.max(0, top - height);
      return html`<rect class="${kind}" x="${x}" y="${top}" width="${WIDTH}" height="${height}"/>`;
    });
  // What has nothing can be pointed at, too.
  const iso = new Date(bar.at).toISOString();
  return html`<g data-at="${iso}"><title>${iso.slice(11, 16)} UTC: ${bar.text}</title><rect class="none" x="${x}" y="0" width="${WIDTH + GAP}" height="${HEIGHT}"/>${rects}</g>`;
}

/** Shows an hour; the page's script changes it to the reader's zone. */
function hour(at: number): Markup {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" data-form="hour">${iso.slice(11, 16)}</time>`;
}
