import { html, type Markup } from './html.ts';

/** Size of a small chart, in units of its own. */
const WIDTH = 120;
const HEIGHT = 28;

/** Line of a small chart: its class, and its values from left to right; null for a gap. */
interface Line {
  readonly kind: string;
  readonly values: readonly (number | null)[];
}

/** Draws lines over time without an axis. `label` says in words what is seen. */
export function spark(lines: readonly Line[], label: string): Markup {
  const most = Math.max(1, ...lines.flatMap(({ values }) => values.map((it) => it ?? 0)));
  return html`<svg class="spark" viewBox="0 -1 ${WIDTH} ${HEIGHT + 2}" preserveAspectRatio="none" role="img" aria-label="${label}">
<line x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}"/>
${lines.map(({ kind, values }) => {
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.flatMap((it, index) =>
    it === null ? [] : [`${Math.round(index * step)},${Math.round(HEIGHT * (1 - it / most))}`],
  );
  // A single point would draw nothing.
  const [only] = points;
  const drawn = points.length === 1 && only ? [`0,${only.split(',')[1]}`, `${WIDTH},${only.split(',')[1]}`] : points;
  return drawn.length > 0 && html`<polyline class="${kind}" points="${drawn.join(' ')}"/>`;
})}</svg>`;
}
