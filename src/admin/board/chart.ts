import { html, type Markup } from './html.ts';
import { number } from './text.ts';

/** Counts by their kinds, which are stacked from the bottom up; `at` is where the bar begins. */
type Bar = Readonly<Record<string, number | Date>> & { readonly at: number | Date };

const kindsOf = ({ at: _, ...counts }: Bar): readonly (readonly [kind: string, count: number])[] =>
  Object.entries(counts).map(([kind, count]) => [kind, Number(count)]);

const saying = ([kind, count]: readonly [string, number]): string => `${number(count)} ${kind}`;

const HEIGHT = 120;
const WIDTH = 10;
const GAP = 2;

const LEAST = 3;

const LABELS = 6;

const totalOf = (bar: Bar): number => kindsOf(bar).reduce((sum, [, count]) => sum + count, 0);

/** Numbers at which an axis may end; half of each is whole. */
const ENDS = [2, 4, 6, 10, 20, 40, 60, 100];

function axisEnd(most: number): number {
  let scale = 1;
  while (most > scale * 100) scale *= 100;
  return scale * (ENDS.find((it) => scale * it >= most) ?? 100);
}

export function chart(bars: readonly Bar[], label: string): Markup {
  const end = axisEnd(Math.max(1, ...bars.map(totalOf)));
  const step = Math.ceil(bars.length / LABELS);
  const width = bars.length * (WIDTH + GAP) - GAP;
  const sums = Map.groupBy(bars.flatMap(kindsOf), ([kind]) => kind);
  const totals = [...sums].map(([kind, all]) => [kind, all.reduce((sum, [, count]) => sum + count, 0)] as const);
  return html`<figure class="chart"><ol class="y" aria-hidden="true">${[end, end / 2, 0].map((it) => html`<li>${number(it)}</li>`)}</ol>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}: ${totals.map(saying).join(', ')}.">
${[0, HEIGHT / 2, HEIGHT].map((y) => html`<line x2="${width}" y1="${y}" y2="${y}"/>`)}
${bars.map((bar, index) => column(bar, index * (WIDTH + GAP), end))}
</svg>
<ol class="x" aria-hidden="true">${bars.filter((_, index) => index % step === 0).map(({ at }) => html`<li>${hour(at)}</li>`)}</ol></figure>
<p class="legend">${totals.map((it) => html`<span class="key ${it[0]}">${saying(it)}</span> `)}</p>`;
}

function column(bar: Bar, x: number, end: number): Markup {
  let top = HEIGHT;
  const rects = kindsOf(bar)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const height = Math.max(LEAST, Math.round((HEIGHT * count) / end));
      top = Math.max(0, top - height);
      return html`<rect class="${kind}" x="${x}" y="${top}" width="${WIDTH}" height="${height}"/>`;
    });
  // So that empty bars have their text on hover, too.
  const iso = new Date(bar.at).toISOString();
  return html`<g data-at="${iso}"><title>${iso.slice(11, 16)} UTC: ${kindsOf(bar).map(saying).join(', ')}</title><rect class="none" x="${x}" y="0" width="${WIDTH + GAP}" height="${HEIGHT}"/>${rects}</g>`;
}

function hour(at: number | Date): Markup {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" data-form="hour">${iso.slice(11, 16)}</time>`;
}

const SPARK_WIDTH = 120;
const SPARK_HEIGHT = 28;

/** Values from left to right; null for a gap. */
interface Line {
  readonly kind: string;
  readonly values: readonly (number | null)[];
}

export function spark(lines: readonly Line[], label: string): Markup {
  const most = Math.max(1, ...lines.flatMap(({ values }) => values.map((it) => it ?? 0)));
  return html`<svg class="spark" viewBox="0 -1 ${SPARK_WIDTH} ${SPARK_HEIGHT + 2}" preserveAspectRatio="none" role="img" aria-label="${label}">
<line x2="${SPARK_WIDTH}" y1="${SPARK_HEIGHT}" y2="${SPARK_HEIGHT}"/>
${lines.map(({ kind, values }) => {
  const step = SPARK_WIDTH / Math.max(1, values.length - 1);
  const points = values.flatMap((it, index) =>
    it === null ? [] : [`${Math.round(index * step)},${Math.round(SPARK_HEIGHT * (1 - it / most))}`],
  );
  // A single point would draw nothing.
  const [only] = points;
  const drawn =
    points.length === 1 && only ? [`0,${only.split(',')[1]}`, `${SPARK_WIDTH},${only.split(',')[1]}`] : points;
  return drawn.length > 0 && html`<polyline class="${kind}" points="${drawn.join(' ')}"/>`;
})}</svg>`;
}
